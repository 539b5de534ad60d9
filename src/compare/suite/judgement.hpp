// Judges a drawing by what was approved. A test that can't fail proves nothing. So every run also
// judges negative controls: drawings that are wrong on purpose, and must be noticed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/suite/case_renderer.hpp"

namespace ballotcast::detail {

/// The verdict about a case on a setup.
enum class CaseVerdict {
  same,
  within_limits,
  different,
  not_needed,
  unapproved,
  inputs_changed,
  golden_changed,
  failed,
  skipped,
};

/// What a verdict counts as in the suite.
enum class CaseOutcome { ok, failed, skipped };

/// A row of the table of verdicts.
struct CaseVerdictInfo {
  CaseVerdict verdict;
  std::string_view words;
  CaseOutcome outcome;
  std::string_view summary;
};

/// The table of verdicts, in the order of the enumeration.
std::span<const CaseVerdictInfo> case_verdicts();

/// The row of a verdict in the table.
const CaseVerdictInfo& info_of(CaseVerdict verdict);

/// Something that must be equal, with both values.
struct SuiteCheck {
  std::string name;
  std::string expected;
  std::string got;
  bool same() const { return expected == got; }
};

/// A measure, and the range that it must lie in.
struct JudgedRange {
  ToleranceRange range;
  double value = 0.0;
  bool kept() const { return value >= range.low && value <= range.high; }  // false for NaN
};

struct CaseJudgement {
  CaseVerdict verdict = CaseVerdict::same;
  std::string why;  // one or more sentences; "" if everything is equal
  std::vector<SuiteCheck> checks;
  std::optional<Comparison> comparison;  // with the golden, if it can be read
  std::vector<JudgedRange> ranges;
  /// The tolerance with which the case would pass, as its key in the suite; "" if it passes, or if
  /// no tolerance can help.
  std::string needed;
};

/// What a drawing is compared with.
struct Approved {
  const Approval* approval = nullptr;  // null: nothing was accepted yet
  SampledImage golden;                 // as it is on disk now; has no samples if it can't be read
  std::string golden_why;              // the reason why it can't be read
  CompareOptions how;                  // what is ignored
  std::map<std::string, std::string> files;  // hashes of the case's files as they are now
};

/// What is approved for `c`, together with what is on disk.
Approved approved_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases);

/// Judges a drawing. The case's inputs and golden, and the hits and counters of the drawing must be
/// exactly as approved. So must its pixels, unless the case has a tolerance. A tolerance that is
/// not needed is a failure, too.
CaseJudgement judge(const SuiteCase& c, const Setup& setup, const Approved& approved,
                    const Drawing& drawing);

/// The result of one control.
struct ControlResult {
  std::string name;
  bool noticed = false;  // true if the case failed, in the check that the control is meant for
  std::string why;       // what the judge said, or why this control does not exist for the case
  bool tried = true;     // false if this control does not exist for the case
};

/// `c` must be a case that has passed. Draws it once more, spoils the drawing in several ways, and
/// judges each result without the tolerance. The first control is the unspoilt drawing: it must
/// pass, and `noticed` is true if it does. For commands only pictures can be spoilt. Throws the
/// same errors as CaseRenderer::draw.
std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, CaseRenderer& renderer_of_cases);

}  // namespace ballotcast::detail
