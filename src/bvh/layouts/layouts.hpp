// The table of layouts.
#pragma once

#include "bvh/layouts/bvh2/layout.hpp"
#include "bvh/layouts/grid2/layout.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using Layouts = TypeList<bvh2::Layout, grid2::Layout>;

/// The layout that `auto` selects in most cases. Its boxes are rounded. If the estimated cost of a
/// traversal with rounded boxes is more than kMostCoarse times the cost with the reference layout,
/// `auto` selects the reference layout: then larger boxes cost more than smaller nodes save.
using AutoLayout = grid2::Layout;
inline constexpr double kMostCoarse = 1.3;

}  // namespace ballotcast::detail
