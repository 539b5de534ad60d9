// What a layout stores of a child.
#pragma once

#include "bvh/layouts/reference.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The box of a child, and the reference to it.
struct EncodedChild {
  vec3 low, high;
  u32 reference;
};

}  // namespace ballotcast::detail
