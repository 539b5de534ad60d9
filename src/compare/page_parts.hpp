// The parts of a page about a pair of pictures that several pages share.
#pragma once

#include <string>

#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

/// A number for a page: integers without decimals, others with four decimals.
std::string page_number(double value);

/// Sets the limit of the number for `measure` ("max error", "different_percent", "flip"), and puts
/// `value` into its row. Adds a row if the page has none for it.
void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept);

/// Adds the numbers of a comparison and its worst pixel. If the pictures differ, also adds pictures
/// of the difference: amplified to the full range, and the FLIP map.
void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison);

}  // namespace ballotcast::detail
