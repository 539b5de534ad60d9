// Negative controls: wrong results that a suite must notice, tried every time it runs. A test that
// can't fail is none.
#pragma once

#include <string>
#include <vector>

#include "compare/suite/judgement.hpp"

namespace ballotcast {

/// What a control showed.
struct ControlResult {
  std::string name;
  bool caught = false;
  std::string why;  // what the judge said, or why there is no such control for this case
  bool tried = true;
};

/// Spoils the drawing of a case that came out the same, in each way there is, and has it judged.
/// For commands only pictures can be spoilt.
std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, Studio& studio);

}  // namespace ballotcast
