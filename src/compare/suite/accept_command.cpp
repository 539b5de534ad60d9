#include "compare/suite/accept_command.hpp"

#include <filesystem>

#include "support/shell.hpp"

namespace ballotcast::detail {

AcceptCommand accept_command_for(const Suite& suite, const std::string& name) {
  const std::string program = shell_quoted(suite.program) + " accept";
  const std::string operands = " " + shell_quoted(suite.path) + " " + shell_quoted(name);
  // Behind -- nothing is taken for an option.
  if (suite.path.starts_with('-') || name.starts_with('-'))
    return {program + " --reason=", " --" + operands};
  return {program + operands + " --reason=", ""};
}

bool can_be_accepted(CaseVerdict verdict) {
  using enum CaseVerdict;
  return verdict == different || verdict == unapproved || verdict == inputs_changed ||
         verdict == golden_changed;
}

std::string folder_of_commands(const Suite& suite) {
  namespace fs = std::filesystem;
  const bool named_by_path = suite.program.find('/') != suite.program.npos;
  if (fs::path(suite.path).is_absolute() &&
      (!named_by_path || fs::path(suite.program).is_absolute()))
    return "";
  std::error_code gone;
  const fs::path here = fs::current_path(gone);
  return gone ? "" : here.string();
}

}  // namespace ballotcast::detail
