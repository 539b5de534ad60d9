// Accepts pictures. This is the only way to make a golden, and each acceptance has a reason.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"
#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// A case to be accepted: what was approved before, and what would be approved.
struct Acceptance {
  const SuiteCase* suite_case = nullptr;
  bool changes = false;            // true if accepting changes anything
  std::optional<Approval> before;  // none if nothing was accepted before
  Approved approved;               // with the old golden, if it can be read
  Approval after;
  Drawing drawing;                       // the new picture
  std::optional<Comparison> comparison;  // old golden against new picture, if their sizes agree
  PictureChange change;                  // for the history
  std::vector<SuiteCheck> numbers;       // old and new values side by side
  std::vector<std::string> warnings;     // about its scene: what was left out
  // Setups that can't be drawn here. Their old counters are kept, unless picture, hits or settings
  // have changed.
  std::vector<std::string> skipped;
};

/// Draws the cases that match `names`, on all of their setups, and returns what accepting them
/// would change. Throws UsageError if a name matches no case. Throws InputError if a case can't be
/// drawn on any setup, or if its setups give different pictures, hits or counters, because only one
/// result can be accepted.
std::vector<Acceptance> to_accept(const Suite& suite, const std::vector<std::string>& names);

/// The names of approved pictures that match `names` and whose case no longer exists. Throws
/// UsageError if there is none for a name.
std::vector<std::string> to_retire(const Suite& suite, const std::vector<std::string>& names);

/// Removes approvals and their goldens, and adds one history entry for each. Throws the same errors
/// as accept.
void retire(Suite& suite, const std::vector<std::string>& names, const std::string& reason,
            const std::string& date);

/// Writes the goldens of all cases that change, the history and the suite; none of them gets its
/// name before all are stored. The history gets one entry per such case, with `reason` and `date`
/// (UTC, YYYY-MM-DD). Throws OutputError; throws InputError if the suite's file or its history was
/// changed since it was read.
void accept(Suite& suite, const std::vector<Acceptance>& acceptances, const std::string& reason,
            const std::string& date);

// What a person does to approve pictures: types a command with a reason, and looks at a page before
// patterns may approve many cases.

/// A command in two parts. Its reason, quoted for a shell, goes between them.
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

/// What is wrong with `reason`; "" if nothing. A reason is UTF-8 and has a letter or a digit. So
/// the "..." in a printed command is not a reason.
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
