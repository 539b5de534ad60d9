// Compares two pictures that were brought to one form, and judges the comparison by limits. The
// types are public.
#pragma once

#include <vector>

#include "ballotcast/compare.hpp"
#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// Compares two pictures of one form. The public compare() makes the pair and calls this.
Comparison compare_pair(const PicturePair& pair);

/// The outcome for pictures that are the same or not, with these limits.
OutcomeInfo outcome_of(bool same, const std::vector<JudgedLimit>& limits);

}  // namespace ballotcast::detail
