// What a suite's run says, to people and to programs.
#pragma once

#include <string>

#include "compare/page.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// For a terminal of 80 columns: what failed and why, what was skipped, the controls, a last line.
std::string text_report(const Suite& suite, const SuiteRun& run);

/// Everything, with units in its keys.
std::string json_report(const Suite& suite, const SuiteRun& run);

/// JUnit's XML, as CI services read it: a testcase a case and setup, and one a control.
std::string junit_report(const Suite& suite, const SuiteRun& run);

/// What there is to look at: cases that came out the same on all setups once, others each.
PagePictures page_of(const Suite& suite, const SuiteRun& run);

/// Old and new beside each other, for a terminal of 80 columns.
std::string text_report(const Acceptance& acceptance);

/// Old and new beside each other, to look at. `reason`: why they are approved; "": they are to be.
PagePictures page_of(const Suite& suite, const std::vector<Acceptance>& acceptances,
                     const std::string& reason);

}  // namespace ballotcast::detail
