// Reasons of acceptances.
#pragma once

#include <string>

namespace ballotcast::detail {

/// What is wrong with `reason`; "" if nothing. A reason has a letter or a digit, so that the dots
/// of a command that was not completed are none, and is UTF-8.
std::string fault_of_reason(const std::string& reason);

}  // namespace ballotcast::detail
