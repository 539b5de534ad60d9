// Runs a suite: draws and judges every case on every setup, then tries the negative controls.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"

namespace ballotcast::detail {

/// Which cases of a suite to run, and on which devices.
struct SuiteRequest {
  std::vector<std::string> only;  // names of cases, or patterns with * and ?; if empty, all cases
  // The devices to use instead of those of the cases; if empty, those of the cases.
  std::vector<std::string> devices;
  std::vector<std::string> require;  // devices that must be available
  u32 jobs = 1;                      // number of scenes that are drawn at the same time
  std::function<void(u64 done, u64 total)> progress;
};

/// The result of a case on a setup.
struct SuiteResult {
  const SuiteCase* suite_case = nullptr;
  Setup setup;
  CaseJudgement judgement;
  Approved approved;  // what is approved; empty if the verdict is `same`
  Drawing drawing;    // what was drawn, without hits; empty if the verdict is `same`
  double milliseconds = 0.0;

  /// The name of the result: "cornell/lit on cpu, queue, naive, bvh2, block 64".
  std::string name() const;
};

/// The results of running a suite.
struct SuiteRun {
  std::vector<SuiteResult> results;     // results of cases and setups, in the order of the suite
  std::vector<ControlResult> controls;  // results of the controls; empty if no case passed
  std::string controls_on;              // name of the case whose picture the controls spoil
  std::vector<std::string> errors;      // other reasons why the run failed
  std::vector<std::string> warnings;    // warnings about the scenes, one line each
  std::map<std::string, std::string> machines;  // descriptions of the devices, by name
  double milliseconds = 0.0;

  std::size_t count(CaseVerdict verdict) const;
  std::size_t count(CaseOutcome outcome) const;
  /// The members of `errors`, and one more error for each control that was not noticed.
  std::vector<std::string> all_errors() const;
  /// True if no case failed and there are no errors. If no case could be drawn on this computer,
  /// that is an error, too.
  bool passed() const;
};

/// True if `pattern` matches all of `name`. A * in the pattern stands for any text, a ? for one
/// character.
bool fits(std::string_view pattern, std::string_view name);

/// The cases that match `only`, in the order of the suite. Throws UsageError for a pattern without
/// a match; the message names the most similar case.
std::vector<const SuiteCase*> chosen_cases(const Suite& suite,
                                           const std::vector<std::string>& only);

/// Runs a suite. For a case that can't be drawn, the result says so. Throws only for errors that
/// prevent the whole run.
SuiteRun run_suite(const Suite& suite, const SuiteRequest& request);

}  // namespace ballotcast::detail
