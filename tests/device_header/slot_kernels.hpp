// Kernels of a user's program that call the functions of slots.hpp, on emulated lanes and on a GPU.
#pragma once

#include "ballotcast/slots.hpp"

namespace own {

namespace lanes = ballotcast::lanes;
namespace slots = ballotcast::slots;

// Notes which values are larger than 0.5: the example of docs/kernels.md.
struct Find {
  struct Shared {};
  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared&, const float* values, unsigned count,
                                std::uint32_t* noted) {
    slots::note(lane, noted, lane.id() < count && values[lane.id()] > 0.5f);
  }
};

/// As Find, but each warp takes the next 32 items after it has finished 32.
struct FindInLoop {
  struct Shared {};
  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared&, const float* values, unsigned count,
                                std::uint32_t* noted) {
    const std::uint32_t lanes = lane.grid_size();
    for (std::uint64_t i = lane.id(); i - lane.lane() < count; i += lanes)
      slots::note(lane, noted, static_cast<std::uint32_t>(i), i < count && values[i] > 0.5f);
  }
};

/// Counts the lanes below `count` whose `wants` is not 0.
template <class Way>
struct Count {
  using Shared = typename Way::Shared;
  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared& shared, const std::uint8_t* wants,
                                std::uint32_t count, std::uint32_t* counter) {
    slots::count<Way>(lane, shared, counter, lane.id() < count && wants[lane.id()] != 0u);
  }
};

/// Puts the lanes below `count` whose `wants` is not 0 into a queue, in any order.
template <class Way>
struct Reserve {
  using Shared = typename Way::Shared;
  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared& shared, const std::uint8_t* wants,
                                std::uint32_t count, std::uint32_t* queued, std::uint32_t* queue) {
    const bool wanted = lane.id() < count && wants[lane.id()] != 0u;
    const std::uint32_t slot = slots::reserve<Way>(lane, shared, queued, wanted);
    if (wanted) queue[slot] = lane.id();
  }
};

/// Notes the bins of the lanes below `count`.
template <std::uint32_t kBins>
struct FindBins {
  struct Shared {};
  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared&, const std::uint32_t* bins,
                                std::uint32_t count, std::uint32_t* noted) {
    slots::note_bin<kBins>(lane, noted, lane.id() < count ? bins[lane.id()] : slots::kNoBin);
  }
};

}  // namespace own
