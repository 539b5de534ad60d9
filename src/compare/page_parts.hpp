// What every page of compared pictures says about a pair.
#pragma once

#include <string>

#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

/// A number for a page: whole ones as they are, others with four digits behind the point.
std::string page_number(double value);

/// Adds the comparison's numbers, its worst pixel and, where the pictures differ, pictures of the
/// difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
