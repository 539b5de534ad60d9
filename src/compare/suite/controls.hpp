// Negative controls: deliberately wrong results that a suite must notice. They are tried in every
// run, because a test that can't fail proves nothing.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"

namespace ballotcast::detail {

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
