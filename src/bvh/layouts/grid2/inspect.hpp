// Children of grid2's nodes, for people to read.
#pragma once

#include "bvh/layouts/grid2/boxes.hpp"
#include "bvh/layouts/grid2/walk.hpp"
#include "bvh/layouts/inspected_child.hpp"

namespace ballotcast::detail::grid2 {

inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs, const TreeShape& shape) {
  const Child& c = n.child[side];
  const float entry = float_of(static_cast<u32>(span_of(c, slabs).entry)) - slabs.shift;
  return {c.reference, box_of(c, shape), entry};
}

}  // namespace ballotcast::detail::grid2
