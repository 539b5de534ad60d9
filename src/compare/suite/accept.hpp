// Accepts pictures: makes them the goldens of a suite. Goldens are made in no other way, and each
// acceptance has a reason.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"
#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// A case to accept: what was approved before, and what would be approved.
struct Acceptance {
  const SuiteCase* suite_case = nullptr;
  bool changes = false;            // true if accepting changes anything
  std::optional<Approval> before;  // the approval so far; absent if nothing was approved yet
  Approved approved;               // the approval so far with its golden, if it can be read
  Approval after;
  Drawing drawing;  // the new picture
  // Comparison of the old golden with the new picture, if their sizes agree
  std::optional<Comparison> comparison;
  PictureChange change;               // what accepting changes, for the history
  std::vector<SuiteCheck> numbers;    // old and new values, side by side
  std::vector<std::string> warnings;  // warnings about the scene: what was left out of it
  // Setups that can't be drawn on this computer. Their old counters are kept, unless picture, hits
  // or settings have changed.
  std::vector<std::string> skipped;
};

/// Draws the cases that match `names`, on all of their setups, and returns what accepting them
/// would change. Throws UsageError if a name matches no case. Throws InputError if a case can't be
/// drawn on any setup, or if its setups give different pictures, hits or counters, because only one
/// result can be accepted.
std::vector<Acceptance> to_accept(const Suite& suite, const std::vector<std::string>& names);

/// The names of approvals that match `names` and whose case no longer exists. Throws UsageError if
/// one of `names` matches none.
std::vector<std::string> to_retire(const Suite& suite, const std::vector<std::string>& names);

/// Removes the approvals called `names` and their goldens, and adds one history entry for each.
/// Throws OutputError if writing fails, and InputError if the suite's file or its history has
/// changed since it was read.
void retire(Suite& suite, const std::vector<std::string>& names, const std::string& reason,
            const std::string& date);

/// Writes the goldens of all cases that change, the history and the suite. All are stored under
/// temporary names before any of them gets its own. The history gets one entry per changed case,
/// with `reason` and `date` (UTC, YYYY-MM-DD). Throws OutputError if writing fails, and InputError
/// if the suite's file or its history has changed since it was read.
void accept(Suite& suite, const std::vector<Acceptance>& acceptances, const std::string& reason,
            const std::string& date);

// What a person needs to approve pictures: a command with a reason and, before patterns may approve
// many cases, a page to look at.

/// A command in two parts. Its reason, quoted for a shell, goes between them.
struct AcceptCommand {
  std::string before;  // e.g. "ballotcast accept suite.json room/lit --reason="
  std::string after;

  /// The command with a placeholder in place of the reason. `accept` rejects the placeholder.
  std::string with_placeholder() const { return before + "'...'" + after; }
};

/// The command that approves the case called `name`. It works in the folder in which this program
/// was started, because it uses the names of program and suite with which the program was started.
AcceptCommand accept_command_for(const Suite& suite, const std::string& name);

/// True if a case with this verdict passes after it has been accepted.
bool can_be_accepted(CaseVerdict verdict);

/// The folder in which the commands must be run; "" if any folder will do, or if the folder no
/// longer exists.
std::string folder_of_commands(const Suite& suite);

/// The fault of `reason` in words; "" if it has none. A reason must be UTF-8 with at least one
/// letter or digit, so the "..." of a printed command is not a reason.
std::string fault_of_reason(const std::string& reason);

/// The largest number of cases that patterns may approve without a reviewed page.
inline constexpr std::size_t kMostWithoutPage = 5;

/// The ends of the titles of pages that show old and new pictures, before and after approval.
/// require_reviewed recognizes such a page by them.
inline constexpr const char* kReviewTitle = ": to be approved";
inline constexpr const char* kApprovedTitle = ": approved";

/// The number of `acceptances` that change something and were chosen by a pattern, i.e. whose own
/// name is not in `names`.
std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances);

/// Throws InputError, which names `page`, unless that page shows old and new pictures of all
/// `acceptances` that change something, with the same old and new hashes and counters as now.
void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances);

}  // namespace ballotcast::detail
