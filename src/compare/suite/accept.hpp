// Accepting pictures: the only way a golden comes to be, with a reason for each.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// A case that is to be accepted: what was approved, and what would be.
struct Acceptance {
  const SuiteCase* suite_case = nullptr;
  bool changes = false;            // is anything new?
  std::optional<Approval> before;  // none: nothing was accepted yet
  Approved approved;               // with the old golden, where it can be read
  Approval after;
  Drawing drawing;                       // the new picture
  std::optional<Comparison> comparison;  // old golden against new picture, where sizes agree
  std::vector<SuiteCheck> numbers;       // old and new beside each other
  std::vector<std::string> warnings;     // of its scene: what was left out
  std::vector<std::string> skipped;      // setups that can't be drawn here, whose counters stay
};

/// Draws the cases that `names` fit, on all of their setups, and says what accepting them would
/// change. Throws UsageError when a name fits none, InputError when a case can't be drawn on any
/// setup, or its setups disagree: what isn't one picture can't be accepted.
std::vector<Acceptance> to_accept(const Suite& suite, const std::vector<std::string>& names);

/// Approved pictures that are no longer cases, named by `names`. Throws UsageError for a name that
/// fits none.
std::vector<std::string> to_retire(const Suite& suite, const std::vector<std::string>& names);

/// Takes approvals and their goldens out, with an entry in the history each. Throws as accept.
void retire(Suite& suite, const std::vector<std::string>& names, const std::string& reason,
            const std::string& date);

/// Writes the goldens, then the suite, whose history gets an entry a case with `reason` and `date`
/// (UTC, YYYY-MM-DD). Throws OutputError, and InputError when the suite's file was changed since it
/// was read.
void accept(Suite& suite, const std::vector<Acceptance>& acceptances, const std::string& reason,
            const std::string& date);

}  // namespace ballotcast::detail
