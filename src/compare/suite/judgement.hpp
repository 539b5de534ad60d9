// Judging a drawing by what was approved.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/suite/case_renderer.hpp"

namespace ballotcast::detail {

/// What became of a case on a setup.
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

/// Counts for the suite as?
enum class CaseOutcome { ok, failed, skipped };

/// A row of the table of verdicts.
struct CaseVerdictInfo {
  CaseVerdict verdict;
  std::string_view words;
  CaseOutcome outcome;
  std::string_view summary;
};

/// The table: a row a verdict, in the order of the enumeration.
std::span<const CaseVerdictInfo> case_verdicts();

/// The row of a verdict.
const CaseVerdictInfo& info_of(CaseVerdict verdict);

/// Something that must be the same, and what it was.
struct SuiteCheck {
  std::string name;
  std::string expected;
  std::string got;
  bool same() const { return expected == got; }
};

/// A measure and the range that it must lie in.
struct JudgedRange {
  ToleranceRange range;
  double value = 0.0;
  bool kept() const { return value >= range.low && value <= range.high; }  // NaN keeps none
};

struct CaseJudgement {
  CaseVerdict verdict = CaseVerdict::same;
  std::string why;  // one or more sentences; "" for what is simply the same
  std::vector<SuiteCheck> checks;
  std::optional<Comparison> comparison;  // with the golden, where there are two of one size
  std::vector<JudgedRange> ranges;
};

/// What a drawing is held to.
struct Approved {
  const Approval* approval = nullptr;        // null: nothing was ever accepted
  SampledImage golden;                       // as it is on disk now; no samples: it can't be read,
  std::string golden_why;                    // and this is why
  std::map<std::string, std::string> files;  // hashes of the case's files as they are now
};

/// What is approved of `c`, and what is on disk.
Approved approved_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases);

/// Judges a drawing. Everything exact is looked at first: inputs, golden, pixels, hits, counters. A
/// tolerance bounds pixels alone, and where it isn't needed that is a failure, too.
CaseJudgement judge(const SuiteCase& c, const Setup& setup, const Approved& approved,
                    const Drawing& drawing);

}  // namespace ballotcast::detail
