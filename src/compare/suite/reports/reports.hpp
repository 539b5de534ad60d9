// Reports about the run of a suite, for people and for programs.
#pragma once

#include <string>

#include "compare/page.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// For a terminal of 80 columns: failures and their reasons, skipped cases, controls, a last line.
std::string text_report(const Suite& suite, const SuiteRun& run);

/// Everything as JSON, with units in the keys.
std::string json_report(const Suite& suite, const SuiteRun& run);

/// JUnit XML for CI services: one testcase per case and setup, and one per control.
std::string junit_report(const Suite& suite, const SuiteRun& run);

/// What a page shows: one entry for a case that is the same on all setups, otherwise one per
/// result.
PagePictures page_of(const Suite& suite, const SuiteRun& run);

/// Old and new values side by side, for a terminal of 80 columns.
std::string text_report(const Acceptance& acceptance);

/// A page with old and new pictures side by side. `reason`: why the new ones are approved; "": they
/// are not approved yet.
PagePictures page_of(const Suite& suite, const std::vector<Acceptance>& acceptances,
                     const std::string& reason);

}  // namespace ballotcast::detail
