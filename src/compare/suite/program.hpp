// Runs other programs that draw pictures.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Runs `command` in `folder`, with each "{output}" in its words replaced by the name of a
/// temporary file, and returns the content of that file. No shell is used. Throws InputError if the
/// command can't be started, takes longer than `timeout_s` seconds, fails, or writes no file. If
/// the command fails, the message ends with the last line that it wrote to stderr. Throws
/// OutputError if there is no place for temporary files.
std::vector<u8> png_of_command(const std::vector<std::string>& command, const std::string& folder,
                               u32 timeout_s);

}  // namespace ballotcast::detail
