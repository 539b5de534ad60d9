// A lane that counts what it does to global memory, wrapped around either machine's lane.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast {

/// Forwards everything to `Lane`, and adds one to *atomics for each atomic operation issued.
template <class Lane>
class CountingLane : public Lane {
 public:
  BC_DEVICE CountingLane(const Lane& lane, u32* atomics) : Lane(lane), atomics_(atomics) {}

  BC_DEVICE u32 fetch_add(u32* address, u32 value) {
    Lane::fetch_add(atomics_, 1u);
    return Lane::fetch_add(address, value);
  }

 private:
  u32* atomics_;
};

}  // namespace ballotcast
