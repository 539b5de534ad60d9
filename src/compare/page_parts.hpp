// Makes what all pages about pairs of pictures have: numbers, limits and pictures of differences.
#pragma once

#include <string>

#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

/// A number for a page: integers without decimals, others with four decimals.
std::string page_number(double value);

/// Adds a limit, and the value that it limits, to the page's row for `measure` ("max error",
/// "different_percent", "flip"). Adds the row if there is none. `kept` is true if the limit holds.
void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept);

/// Adds the numbers of a comparison and its worst pixel. If the pictures differ, also adds pictures
/// of the difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
