// What the test of a box finds out.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Where the ray, or the first ray of a group, may enter a box, as the bits of a float that is not
/// negative; and whether any ray may enter it up to the limit that was asked for.
struct BoxEntry {
  i32 entry;
  bool enters;
};

}  // namespace ballotcast::detail
