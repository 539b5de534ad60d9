// The command that approves a case, for people to paste into a shell.
#pragma once

#include <string>

#include "compare/suite/judgement.hpp"

namespace ballotcast::detail {

/// A command without its reason, which stands between the two parts, quoted for a shell.
struct AcceptCommand {
  std::string before;  // "ballotcast accept suite.json room/lit --reason="
  std::string after;

  /// The command with a placeholder, which `accept` refuses, in place of the reason.
  std::string with_placeholder() const { return before + "'...'" + after; }
};

/// The command that approves the case called `name`. It works in the folder in which this program
/// was started, because it names program and suite as the caller did.
AcceptCommand accept_command_for(const Suite& suite, const std::string& name);

/// True if approving a case with this verdict can make it right.
bool can_be_accepted(CaseVerdict verdict);

/// The folder in which the commands work; "" if they work everywhere or if it is gone.
std::string folder_of_commands(const Suite& suite);

}  // namespace ballotcast::detail
