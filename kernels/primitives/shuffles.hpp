// Shuffles: the instruction, and replacements through shared memory as they were written before
// Kepler (2012) introduced the instruction.
//
//   ShuffleKinds    idx, up, down, xor: which lane a value comes from
//   ShuffleForms    native, shared-warp, shared-block: how the value gets to the other lane
//   ShuffleKernel   many rounds of shuffles
#pragma once

#include "kernels/lane.hpp"
#include "kernels/primitives/primitive.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// The kinds of shuffle. `width` is the size of a segment of lanes: 1, 2, 4 .. 32. `argument(lane,
/// round)` is the second operand of the shuffle, 0..31; in 32 rounds it takes all values. `source`
/// returns the lane whose value `lane` gets. `native` is the shuffle by the GPU's instruction.
struct ShuffleIdx {
  static constexpr PrimitiveInfo info{"idx", "from lane n of the segment"};
  BC_HD static u32 argument(u32 lane, u32 round) { return (7u * lane + round) % kWarpSize; }
  BC_HD static u32 source(u32 lane, u32 n, u32 width) {
    return (lane & ~(width - 1u)) | (n & (width - 1u));
  }
  template <class Lane>
  BC_DEVICE static u32 native(Lane& lane, u32 value, u32 n, u32 width) {
    return lane.shuffle(value, n, width);
  }
};

struct ShuffleUp {
  static constexpr PrimitiveInfo info{"up", "from the lane n below"};
  BC_HD static u32 argument(u32, u32 round) { return round % kWarpSize; }
  BC_HD static u32 source(u32 lane, u32 n, u32 width) {
    return (lane & (width - 1u)) >= n ? lane - n : lane;
  }
  template <class Lane>
  BC_DEVICE static u32 native(Lane& lane, u32 value, u32 n, u32 width) {
    return lane.shuffle_up(value, n, width);
  }
};

struct ShuffleDown {
  static constexpr PrimitiveInfo info{"down", "from the lane n above"};
  BC_HD static u32 argument(u32, u32 round) { return round % kWarpSize; }
  BC_HD static u32 source(u32 lane, u32 n, u32 width) {
    return (lane & (width - 1u)) + n < width ? lane + n : lane;
  }
  template <class Lane>
  BC_DEVICE static u32 native(Lane& lane, u32 value, u32 n, u32 width) {
    return lane.shuffle_down(value, n, width);
  }
};

struct ShuffleXor {
  static constexpr PrimitiveInfo info{"xor", "from the lane whose index differs in the bits of n"};
  BC_HD static u32 argument(u32, u32 round) { return round % kWarpSize; }
  BC_HD static u32 source(u32 lane, u32 n, u32 width) {
    return (lane ^ n) <= (lane | (width - 1u)) ? lane ^ n : lane;
  }
  template <class Lane>
  BC_DEVICE static u32 native(Lane& lane, u32 value, u32 n, u32 width) {
    return lane.shuffle_xor(value, n, width);
  }
};

using ShuffleKinds = TypeList<ShuffleIdx, ShuffleUp, ShuffleDown, ShuffleXor>;

/// The shuffle by the GPU's instruction.
struct NativeShuffle {
  static constexpr PrimitiveInfo info{"native", "one instruction"};
  struct Shared {};
  template <class Kind, class Lane>
  BC_DEVICE static u32 take(Lane& lane, Shared&, u32 value, u32 n, u32 width) {
    return Kind::native(lane, value, n, width);
  }
};

/// The shuffle by a store and a load in shared memory, each followed by a barrier of the warp. The
/// second barrier makes the stores of the next round wait for the loads of this round.
struct SharedWarpShuffle {
  static constexpr PrimitiveInfo info{"shared-warp", "shared memory and two barriers of the warp"};
  struct Shared {
    u32 values[kLargestBlock];
  };
  template <class Kind, class Lane>
  BC_DEVICE static u32 take(Lane& lane, Shared& shared, u32 value, u32 n, u32 width) {
    shared.values[lane.thread()] = value;
    lane.sync_warp();
    const u32 first = lane.thread() - lane.lane();
    const u32 got = shared.values[first + Kind::source(lane.lane(), n, width)];
    lane.sync_warp();
    return got;
  }
};

/// SharedWarpShuffle with barriers of the block instead of the warp.
struct SharedBlockShuffle {
  static constexpr PrimitiveInfo info{"shared-block",
                                      "shared memory and two barriers of the block"};
  using Shared = SharedWarpShuffle::Shared;
  template <class Kind, class Lane>
  BC_DEVICE static u32 take(Lane& lane, Shared& shared, u32 value, u32 n, u32 width) {
    shared.values[lane.thread()] = value;
    lane.sync_block();
    const u32 first = lane.thread() - lane.lane();
    const u32 got = shared.values[first + Kind::source(lane.lane(), n, width)];
    lane.sync_block();
    return got;
  }
};

using ShuffleForms = TypeList<NativeShuffle, SharedWarpShuffle, SharedBlockShuffle>;

/// In each of `rounds` rounds, the lanes shuffle their values, and each lane mixes the value that
/// it received into its own. Writes the final value of lane `id` to out[id].
template <class Form, class Kind>
struct ShuffleKernel {
  using Shared = typename Form::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, u32 width, u32 rounds, u32* out) {
    u32 value = start_value(lane.id());
    for (u32 round = 0; round < rounds; ++round) {
      const u32 n = Kind::argument(lane.lane(), round);
      value = next_value(value, Form::template take<Kind>(lane, shared, value, n, width));
    }
    out[lane.id()] = value;
  }
};

}  // namespace ballotcast::detail
