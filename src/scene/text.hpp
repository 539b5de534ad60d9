// Words and blanks, as OBJ and MTL files see them.
#pragma once

#include <string_view>

namespace ballotcast {

/// Is it a space, a tab, or part of a line end?
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// `text` without the blanks around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace ballotcast
