// From table rows to types, for layouts and shadings, and work in parts. dispatch_cast.hpp has the
// types of a cast, which fewer files need.
#pragma once

#include "backends/backend.hpp"
#include "bvh/layouts/table.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/shadings/table.hpp"

namespace ballotcast::detail {

/// Calls visit(TypeTag<Layout>) for the layout of an encoded tree.
template <class Visit>
void dispatch_layout(const LayoutInfo* layout, Visit&& visit) {
  dispatch_row(Layouts{}, layout, visit);
}

/// Calls visit(TypeTag<Shading>).
template <class Visit>
void dispatch_shading(const ShadingInfo* shading, Visit&& visit) {
  dispatch_row(Shadings{}, shading, visit);
}

/// Calls work(first, count) for `count` rays in parts of `at_once` rays.
template <class Work>
void in_parts(u64 count, u32 at_once, Work work) {
  for (u64 first = 0; first < count; first += at_once) {
    const u64 rest = count - first;
    work(first, static_cast<u32>(rest < at_once ? rest : at_once));
  }
}

/// The sum of the counts that cast_some(first, count) returns for each part. The parts, and so the
/// counters, are the same on every machine.
template <class CastSome>
CastCounts cast_in_parts(u64 count, u32 at_once, CastSome cast_some) {
  CastCounts counts;
  in_parts(count, at_once, [&](u64 first, u32 part) { counts.add(cast_some(first, part)); });
  return counts;
}

}  // namespace ballotcast::detail
