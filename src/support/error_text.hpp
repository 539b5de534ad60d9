// Texts of errors, made safe to print. The error types are public: ballotcast/error.hpp.
#pragma once

#include <string>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

/// Makes one printable line of `text`: control characters become \x1b and the like, and long texts
/// are shortened. Error messages quote files, which may contain any bytes.
std::string one_line(const std::string& text);

/// Makes `text` of several lines safe for a terminal: control characters, except line ends and
/// tabs, become \x1b and the like.
std::string printable(const std::string& text);

}  // namespace ballotcast::detail
