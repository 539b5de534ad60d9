// Writes reports about the run of a suite, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "compare/ci_report.hpp"
#include "compare/pictures_page.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// The report for a terminal of 80 columns: failed and tolerated cases with the reasons, skipped
/// cases, controls, errors, and "passed" or "FAILED" in the last line.
std::string text_report(const Suite& suite, const SuiteRun& run);

/// Everything about the run as JSON, with units in the keys.
std::string json_report(const Suite& suite, const SuiteRun& run);

/// The results for CI services: one per case and setup, one per control, and one per error.
std::vector<CiResult> ci_results(const Suite& suite, const SuiteRun& run);

/// The results of ci_results as JUnit's XML.
std::string junit_report(const Suite& suite, const SuiteRun& run);

/// The content of a page about the run. All results of a case with the verdict `same` have one
/// entry together; every other result has an entry of its own.
PagePictures page_of(const Suite& suite, const SuiteRun& run);

/// The old and new values of an acceptance side by side, for a terminal of 80 columns.
std::string text_report(const Acceptance& acceptance);

/// The acceptances of the cases `names`, the newest first, for a terminal of 80 columns.
std::string history_report(const Suite& suite, const std::vector<std::string>& names);

/// The names of the present and former cases of a suite that match `only`; all if `only` is empty.
/// Throws UsageError for a pattern without a match.
std::vector<std::string> names_in_history(const Suite& suite, const std::vector<std::string>& only);

/// The content of a page that shows old and new pictures side by side. `reason` says why the new
/// ones were approved; "" if they are not approved yet.
PagePictures page_of(const Suite& suite, const std::vector<Acceptance>& acceptances,
                     const std::string& reason);

}  // namespace ballotcast::detail
