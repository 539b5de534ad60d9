// JSON as the program prints it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ballotcast::detail {

/// Keeps its keys in the order of their writing.
using Json = nlohmann::ordered_json;

/// A vector with x, y and z.
template <class Vector>
Json json_of(const Vector& v) {
  return Json::array({v.x, v.y, v.z});
}

/// What an exception says, without "[json.exception.parse_error.101] " before it.
inline std::string reason_of(const Json::exception& error) {
  std::string why = error.what();
  if (const std::size_t at = why.find("] "); at != why.npos) why.erase(0, at + 2);
  return why;
}

/// The text of a document, with a line end. File names needn't be UTF-8: what isn't is replaced.
inline std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ballotcast::detail
