// Writes the limits with which a comparison would pass, as text to paste.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/suite/cases.hpp"

namespace ballotcast::detail {

/// Options of `ballotcast compare` with which the comparison of these pictures passes. They contain
/// the limits that were set, with those that did not hold widened. If none were set, the options
/// limit the largest difference, the fraction of differing pixels, and FLIP; for linear pictures,
/// the largest relative differences. Returns "" if no limit can help, because the sizes differ or a
/// number is not defined. `linear` is null for pictures that are not linear.
std::string needed_options(const Comparison& comparison, const std::vector<JudgedLimit>& limits,
                           const LinearComparison* linear);

/// The key "tolerance" of a case of a suite with which the comparison passes: `now` with its ranges
/// widened. If the case has no tolerance, a range for "max_error".
std::string needed_tolerance(const Comparison& comparison, const std::optional<Tolerance>& now);

}  // namespace ballotcast::detail
