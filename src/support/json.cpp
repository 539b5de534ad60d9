#include "support/json.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

std::string dense(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns the JSON text `dense` with a blank after each comma and colon outside of strings.
std::string spaced(const std::string& dense) {
  std::string out;
  bool text = false, escaped = false;
  for (const char c : dense) {
    out += c;
    if (c == '"' && !escaped) text = !text;
    escaped = c == '\\' && !escaped;
    if (!text && (c == ',' || c == ':')) out += ' ';
  }
  return out;
}

}  // namespace

std::string on_one_line(const Json& json) { return spaced(dense(json)); }

std::string laid_out(const Json& json, std::size_t indent) {
  const std::string flat = dense(json);
  const bool nested = std::any_of(json.begin(), json.end(), [](const Json& element) {
    return element.is_object() || (element.is_array() && element.size() > 4);
  });
  if (!json.is_structured() || json.empty() || (!nested && flat.size() + indent <= 90))
    return spaced(flat);
  const std::string inner(indent + 2, ' ');
  std::string out(1, json.is_object() ? '{' : '[');
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + inner;
    first = false;
    if (json.is_object()) out += dense(Json(key)) + ": ";
    out += laid_out(value, indent + 2);
  }
  return out + "\n" + std::string(indent, ' ') + (json.is_object() ? '}' : ']');
}

}  // namespace ballotcast::detail
