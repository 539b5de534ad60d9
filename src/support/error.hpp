// Texts of errors, made safe to print. The error types are public: ballotcast/error.hpp.
#pragma once

#include <string>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

/// `text` as one line for people: control characters become \x1b and the like, and long texts are
/// shortened. Messages quote files, and files may contain anything.
std::string one_line(const std::string& text);

/// Makes `text` of several lines safe for a terminal: writes control characters except line ends
/// and tabs as \x1b and the like.
std::string printable(const std::string& text);

}  // namespace ballotcast::detail
