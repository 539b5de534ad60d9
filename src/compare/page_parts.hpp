// What every page of compared pictures says about a pair.
#pragma once

#include <string>

#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

/// A number for a page: whole ones as they are, others with four digits behind the point.
std::string page_number(double value);

/// Sets the limit of the number that `measure` means ("max error", "different_percent", "flip"),
/// whose row then tells `value`, or adds a row where there is none.
void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept);

/// Adds the comparison's numbers, its worst pixel and, where the pictures differ, pictures of the
/// difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
