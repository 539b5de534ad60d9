// Accepts pictures. This is the only way to make a golden, and each acceptance has a reason.
#pragma once

#include <string>
#include <vector>

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

}  // namespace ballotcast::detail
