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
  bool noticed = false;  // true if the intended check failed, and so the case failed
  std::string why;       // what the judge said, or why this control does not exist for the case
  bool tried = true;
};

/// Draws a case that passed once more, spoils the drawing in each available way, and judges it
/// without any tolerance. The first control is the unspoilt drawing, which must pass. For commands
/// only pictures can be spoilt. Throws the same errors as CaseRenderer::draw.
std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, CaseRenderer& renderer_of_cases);

}  // namespace ballotcast::detail
