// Words of commands that people paste into a shell.
#pragma once

#include <string>

namespace ballotcast::detail {

/// `word` as a shell reads it as one word: in single quotes, unless it needs none.
std::string shell_quoted(const std::string& word);

}  // namespace ballotcast::detail
