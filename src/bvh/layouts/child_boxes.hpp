// The children of a node with their boxes, in plain form.
#pragma once

#include "math/aabb.hpp"

namespace ballotcast::detail {

struct ChildBoxes {
  // As the layout stores them; may be larger than in the tree. Rounding may move a side inwards, by
  // less than 2^-45 of the largest coordinate of the scene, or of 1e-30 (see grid2::Grid::around).
  // The box of a missing child is empty.
  Aabb box[2];
  u32 reference[2];
};

}  // namespace ballotcast::detail
