// Finds the types behind table rows of layouts. dispatch_cast.hpp does so for pipelines and
// strategies, which fewer files need.
#pragma once

#include "bvh/layouts/table.hpp"

namespace ballotcast::detail {

/// Calls visit(TypeTag<Layout>) with the type behind the row `layout`.
template <class Visit>
void dispatch_layout(const LayoutInfo* layout, Visit&& visit) {
  dispatch_row(Layouts{}, layout, visit);
}

}  // namespace ballotcast::detail
