// What a person does to approve pictures: types a command with a reason, and looks at a page before
// patterns may approve many cases.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/accept.hpp"
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

/// What is wrong with `reason`; "" if nothing. A reason is UTF-8 and has a letter or a digit.
/// So the "..." that stands for it in a printed command is none.
std::string fault_of_reason(const std::string& reason);

/// The largest number of cases that patterns may approve without a reviewed page.
inline constexpr std::size_t kMostWithoutPage = 5;

/// The end of the title of a page with old and new pictures, before and after approval.
inline constexpr const char* kReviewTitle = ": to be approved";
inline constexpr const char* kApprovedTitle = ": approved";

/// The number of `acceptances` that change something and were chosen by a pattern: their own name
/// is not in `names`.
std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances);

/// Throws InputError, which names `page`, unless `page` shows old and new pictures of all
/// `acceptances` that change something, with the same old and new hashes and counters.
void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances);

}  // namespace ballotcast::detail
