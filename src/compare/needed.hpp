// The limits that would be needed so that a comparison does not fail, as text to paste.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/suite/cases.hpp"

namespace ballotcast::detail {

/// Options of `ballotcast compare` with which these pictures are within limits: the limits that
/// were set, those that broke widened; if none were, the largest difference, the share of pixels
/// and FLIP, or of linear pictures the largest relative differences. "" if no limit can help: the
/// sizes differ, or a number is not defined. `linear` is null for other pictures.
std::string needed_options(const Comparison& comparison, const std::vector<JudgedLimit>& limits,
                           const LinearComparison* linear);

/// The same as the key of a case in a suite: the ranges of its tolerance, widened; if it has none,
/// "max_error".
std::string needed_tolerance(const Comparison& comparison, const std::optional<Tolerance>& now);

}  // namespace ballotcast::detail
