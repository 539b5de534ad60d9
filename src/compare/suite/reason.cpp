#include "compare/suite/reason.hpp"

#include <algorithm>
#include <cctype>

#include "support/json.hpp"

namespace ballotcast::detail {

std::string fault_of_reason(const std::string& reason) {
  const bool has_words = std::any_of(reason.begin(), reason.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80;
  });
  if (!has_words) return "it has no words";
  try {
    Json(reason).dump();
  } catch (const Json::exception&) {
    return "it is not UTF-8";
  }
  return "";
}

}  // namespace ballotcast::detail
