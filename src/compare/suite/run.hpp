// Running a suite: every case on every setup, judged; then the negative controls.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/suite/controls.hpp"
#include "compare/suite/judgement.hpp"

namespace ballotcast::detail {

/// Which of a suite's cases are run, and where.
struct SuiteRequest {
  std::vector<std::string> only;     // names or patterns with * and ?; none: all
  std::vector<std::string> devices;  // instead of the cases' own; none: theirs
  std::vector<std::string> require;  // devices whose absence is a failure
  u32 jobs = 1;                      // scenes worked on at once
  std::function<void(u64 done, u64 total)> progress;
};

/// What became of a case on a setup.
struct SuiteResult {
  const SuiteCase* suite_case = nullptr;
  Setup setup;
  CaseJudgement judgement;
  Approved approved;  // kept where the result isn't the same
  Drawing drawing;    // likewise; its hits are not kept
  double milliseconds = 0.0;

  /// "cornell/lit on cpu, queue, naive, bvh2, block 64"
  std::string name() const;
};

/// What became of a suite.
struct SuiteRun {
  std::vector<SuiteResult> results;             // in the order of the suite
  std::vector<ControlResult> controls;          // none where no case came out the same
  std::string controls_on;                      // the case that was spoilt
  std::vector<std::string> complaints;          // what fails the run beyond its cases and controls
  std::vector<std::string> warnings;            // of the scenes, a line each
  std::map<std::string, std::string> machines;  // what the devices are
  double milliseconds = 0.0;

  std::size_t count(CaseVerdict verdict) const;
  std::size_t count(CaseOutcome outcome) const;
  /// Complaints, and one for each control that wasn't noticed.
  std::vector<std::string> all_complaints() const;
  /// Is every case that could run as it should be, was there one, and was every control caught?
  bool passed() const;
};

/// Does `pattern`, in which * stands for anything and ? for one character, fit all of `name`?
bool fits(std::string_view pattern, std::string_view name);

/// The cases that `only` names, in the suite's order. Throws UsageError for a pattern that fits
/// none, naming the nearest.
std::vector<const SuiteCase*> chosen_cases(const Suite& suite,
                                           const std::vector<std::string>& only);

/// Runs a suite. A case that can't be drawn is a result like others; what can't go on throws.
SuiteRun run_suite(const Suite& suite, const SuiteRequest& request);

}  // namespace ballotcast::detail
