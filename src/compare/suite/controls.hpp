// Negative controls: wrong results that a suite must notice, tried every time it runs. A test that
// can't fail is none.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"

namespace ballotcast::detail {

/// What a control showed.
struct ControlResult {
  std::string name;
  bool noticed = false;  // by the check that is there for it, and so that the case failed
  std::string why;       // what the judge said, or why there is no such control for this case
  bool tried = true;
};

/// Draws a case that came out well once more, spoils that in each way there is, and has it judged,
/// without any tolerance. The first control is that unspoilt it is the same. For commands only
/// pictures can be spoilt. Throws as CaseRenderer::draw.
std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, CaseRenderer& renderer_of_cases);

}  // namespace ballotcast::detail
