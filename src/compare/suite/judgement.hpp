// Judges a drawing by comparing it with what was approved. A test that can't fail proves nothing.
// So every run also judges negative controls: drawings that are wrong on purpose, and that must
// fail.
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

/// How a verdict counts in the result of the suite.
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

/// The row of the table with this verdict.
const CaseVerdictInfo& info_of(CaseVerdict verdict);

/// The Fnv1a of a picture's size, channels, depth and samples. It does not depend on the file
/// format.
std::string fingerprint(const SampledImage& image);

/// Two values that must be equal.
struct SuiteCheck {
  std::string name;
  std::string expected;
  std::string got;
  bool same() const { return expected == got; }
};

/// The value of a measure, and the range that it must lie in.
struct JudgedRange {
  ToleranceRange range;
  double value = 0.0;
  bool kept() const { return value >= range.low && value <= range.high; }  // false for NaN
};

struct CaseJudgement {
  CaseVerdict verdict = CaseVerdict::same;
  // The reason for the verdict, in one or more sentences; "" if everything is equal
  std::string why;
  std::vector<SuiteCheck> checks;
  // Comparison with the golden; absent if the golden can't be read
  std::optional<Comparison> comparison;
  std::vector<JudgedRange> ranges;
  /// The tolerance with which the case would pass, as its key in the suite. "" if the case passes,
  /// or if no tolerance can help.
  std::string needed;
};

/// What drawings of a case are compared with: its approval, and the present content of its files.
struct Approved {
  const Approval* approval = nullptr;  // null if nothing was approved yet
  SampledImage golden;     // the golden's file as it is now; without samples if it can't be read
  std::string golden_why;  // the reason why the golden can't be read
  CompareOptions options;  // pixels to ignore
  std::map<std::string, std::string> files;  // current hashes of the case's files
};

/// Reads what is approved for case `c` and what is on disk now.
Approved approved_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases);

/// Judges a drawing. The inputs and the golden of the case, and the hits and counters of the
/// drawing, must be exactly as approved. So must the pixels, unless the case has a tolerance. A
/// tolerance that is no longer needed is a failure, too.
CaseJudgement judge(const SuiteCase& c, const Setup& setup, const Approved& approved,
                    const Drawing& drawing);

/// The result of one negative control.
struct ControlResult {
  std::string name;
  bool noticed = false;  // true if the case failed in the check that the control is meant for
  std::string why;       // the reason for the judgement, or why the case can't have this control
  bool tried = true;     // false if the case can't have this control
};

/// Draws case `c`, which must have passed, once more, spoils the drawing in several ways, and
/// judges each of them without the tolerance. The first control is the unspoilt drawing, which must
/// pass; its `noticed` is true if it does. For commands, only pictures can be spoilt. Throws
/// InputError or DeviceError if the case can't be drawn again.
std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, CaseRenderer& renderer_of_cases);

}  // namespace ballotcast::detail
