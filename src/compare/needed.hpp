// The limits with which a comparison would not fail, as text to paste.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/suite/cases.hpp"

namespace ballotcast::detail {

/// Options of `ballotcast compare` with which these pictures are within limits. These are the
/// limits that were set; those that did not hold are widened. If none were set, the options limit
/// the largest difference, the share of pixels and FLIP; for linear pictures, the largest relative
/// differences. Returns "" if no limit can help, because the sizes differ or a number is not
/// defined. `linear` is null for pictures that are not linear.
std::string needed_options(const Comparison& comparison, const std::vector<JudgedLimit>& limits,
                           const LinearComparison* linear);

/// The same as the key "tolerance" of a case in a suite: its ranges, widened. If the case has no
/// tolerance, a range for "max_error".
std::string needed_tolerance(const Comparison& comparison, const std::optional<Tolerance>& now);

}  // namespace ballotcast::detail
