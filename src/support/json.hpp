// JSON output of the program.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json_fwd.hpp"
#include "support/setting.hpp"

namespace ballotcast::detail {

/// The JSON array [x, y, z] of a vector.
template <class Vector>
Json json_of(const Vector& v) {
  return Json::array({v.x, v.y, v.z});
}

/// The value of a setting; null if the value is chosen elsewhere.
template <class Settings>
Json json_of(const Setting<Settings>& row, const Settings& settings) {
  const std::string text = row.text(settings);
  if (text.empty()) return {};
  return row.type == SettingType::name ? Json(text) : Json::parse(text);
}

/// The text of an exception, without its prefix "[json.exception.parse_error.101] ".
inline std::string reason_of(const Json::exception& error) {
  std::string why = error.what();
  if (const std::size_t at = why.find("] "); at != why.npos) why.erase(0, at + 2);
  return why;
}

/// The text of a document, with a line end. Bytes that are not UTF-8 (in file names) are replaced.
inline std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// `json` as text on one line, with a blank after each comma and colon. Bytes that are not UTF-8
/// are replaced.
std::string on_one_line(const Json& json);

/// `json` as text on several lines, with short values on one line each. People can read it, and git
/// can merge it. Bytes that are not UTF-8 are replaced.
std::string laid_out(const Json& json, std::size_t indent = 0);

/// The names and summaries of the rows of a table.
template <class Rows>
Json names_and_summaries(const Rows& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back({{"name", row.name}, {"summary", row.summary}});
  return list;
}

}  // namespace ballotcast::detail
