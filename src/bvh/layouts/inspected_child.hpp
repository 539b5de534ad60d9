// What a layout says about a child of a node, for people to read; see render/explain.hpp. Each
// layout has `InspectedChild inspect(const Node&, u32 side, const Slabs&, const TreeShape&)` in its
// inspect.hpp.
#pragma once

#include "math/aabb.hpp"

namespace ballotcast::detail {

struct InspectedChild {
  u32 reference;
  Aabb box;     // as the layout stores it; may be larger than in the tree
  float entry;  // distance at which the ray enters the box, if it does
};

}  // namespace ballotcast::detail
