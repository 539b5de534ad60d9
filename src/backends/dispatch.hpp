// Finds the types behind table rows of layouts, and divides work into parts. dispatch_cast.hpp does
// the same for pipelines and strategies, which fewer files need.
#pragma once

#include "backends/backend.hpp"
#include "bvh/layouts/table.hpp"
#include "kernels/frame_settings.hpp"

namespace ballotcast::detail {

/// Calls visit(TypeTag<Layout>) with the type behind the row `layout`.
template <class Visit>
void dispatch_layout(const LayoutInfo* layout, Visit&& visit) {
  dispatch_row(Layouts{}, layout, visit);
}

/// Divides `count` rays into parts of `at_once` rays; the last part may be smaller. Calls
/// work(index of its first ray, number of its rays) for each part.
template <class Work>
void in_parts(u64 count, u32 at_once, Work work) {
  for (u64 first = 0; first < count; first += at_once) {
    const u64 rest = count - first;
    work(first, static_cast<u32>(rest < at_once ? rest : at_once));
  }
}

/// Calls cast_some for each part, as in_parts does, and returns the sum of their counts. The parts
/// are the same on every machine, and so are the counts.
template <class CastSome>
CastCounts cast_in_parts(u64 count, u32 at_once, CastSome cast_some) {
  CastCounts counts;
  in_parts(count, at_once, [&](u64 first, u32 part) { counts.add(cast_some(first, part)); });
  return counts;
}

}  // namespace ballotcast::detail
