// What a layout can say of a node's child, for people to read: see render/explain.hpp. Each layout
// has `InspectedChild inspect(const Node&, u32 side, const Slabs&, const TreeShape&)` in its
// inspect.hpp.
#pragma once

#include "math/aabb.hpp"

namespace ballotcast::detail {

struct InspectedChild {
  u32 reference;
  Aabb box;     // as the layout holds it, which may be larger than the tree's
  float entry;  // the distance at which the ray enters it, if it does
};

}  // namespace ballotcast::detail
