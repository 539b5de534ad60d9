// Where the atomic stands: in the loop in which rays meet leaves, lanes leaving it one by one, or
// after it. All count leaves; each is one struct and one row in the table at the end.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// How many steps ray i takes: `view.steps` on average, between half and one and a half of that.
BC_HD inline u32 steps_of(const SyntheticView& view, u32 i) {
  return view.steps / 2u + mix_bits(i) % (view.steps + 1u);
}

/// Does ray i meet a leaf in this step? One in eight does.
BC_HD inline bool meets_leaf(u32 i, u32 step) {
  return mix_bits(i * 0x9e3779b9u + step) % 8u == 0u;
}

/// A row of the table of placements.
struct PlacementInfo {
  std::string_view name;
  Counts counts;  // rays: leaves met; blocks: those in which some ray met one
  std::string_view summary;
};

/// Each lane walks its steps: on_leaf() for each leaf it meets.
template <class Lane, class OnLeaf>
BC_DEVICE void walk_steps(Lane& lane, const SyntheticView& view, OnLeaf on_leaf) {
  const u32 i = lane.id();
  if (i >= view.count) return;
  const u32 steps = steps_of(view, i);
  for (u32 step = 0; step < steps; ++step)
    if (meets_leaf(i, step)) on_leaf();
}

/// One atomic a leaf, made by its lane.
struct NaiveInLoop {
  static constexpr PlacementInfo info{"naive-in-loop", Counts::rays, "one atomic a leaf"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    walk_steps(lane, view,
               [&] { lane.fetch_add(counter.value + (lane.id() >= counter.never ? 1u : 0u), 1u); });
  }
};

/// One atomic for the lanes that happen to meet a leaf together.
struct CompilerInLoop {
  static constexpr PlacementInfo info{
      "compiler-in-loop", Counts::rays,
      "plain atomicAdd: one for the lanes that meet leaves together"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    walk_steps(lane, view, [&] { lane.fetch_add_same(counter.value, 1u); });
  }
};

/// A flag in shared memory, set in the loop.
struct FlagInLoop {
  static constexpr PlacementInfo info{"flag-in-loop", Counts::blocks,
                                      "a shared flag set in the loop, one atomic a block after it"};
  struct Shared {
    u32 flag;
  };
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, CounterView counter) {
    if (lane.thread() == 0u) shared.flag = 0u;
    lane.sync_block();
    volatile u32& flag = shared.flag;  // each leaf sets it, as the published code does
    walk_steps(lane, view, [&] { flag = 1u; });
    lane.sync_block();
    if (lane.thread() == 0u && shared.flag != 0u) lane.fetch_add(counter.value, 1u);
  }
};

/// Each lane counts for itself.
template <class Lane>
BC_DEVICE u32 count_leaves(Lane& lane, const SyntheticView& view) {
  u32 leaves = 0;
  walk_steps(lane, view, [&] { ++leaves; });
  return leaves;
}

/// One atomic a lane, with all of its leaves.
struct NaiveAfterLoop {
  static constexpr PlacementInfo info{"naive-after-loop", Counts::rays,
                                      "counted by the lane, one atomic a lane"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    const u32 leaves = count_leaves(lane, view);
    if (leaves != 0u)
      lane.fetch_add(counter.value + (lane.id() >= counter.never ? 1u : 0u), leaves);
  }
};

/// One atomic a warp, with all of its leaves.
struct WarpAfterLoop {
  static constexpr PlacementInfo info{"warp-after-loop", Counts::rays,
                                      "counted by the lane, added up by the warp"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    const u32 leaves = lane.reduce_add(count_leaves(lane, view));
    if (leaves != 0u && lane.lane() == 0u) lane.fetch_add(counter.value, leaves);
  }
};

/// One atomic a block, with all of its leaves.
struct BlockAfterLoop {
  static constexpr PlacementInfo info{"block-after-loop", Counts::rays,
                                      "counted by the lane, added up by the block"};
  struct Shared {
    u32 leaves[kMostWarps];
  };
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, CounterView counter) {
    const u32 of_warp = lane.reduce_add(count_leaves(lane, view));
    if (lane.lane() == 0u) shared.leaves[lane.warp()] = of_warp;
    lane.sync_block();
    if (lane.warp() != 0u) return;
    const bool mine = lane.lane() < lane.block_size() / kWarpSize;
    const u32 leaves = lane.reduce_add(mine ? shared.leaves[lane.lane()] : 0u);
    if (leaves != 0u && lane.lane() == 0u) lane.fetch_add(counter.value, leaves);
  }
};

/// Nothing is told to anyone: the floor.
struct NothingAfterLoop {
  static constexpr PlacementInfo info{"none", Counts::nothing,
                                      "counted by the lane, told to nobody"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    // No lane has that many; asking keeps the compiler from dropping the loop.
    if (count_leaves(lane, view) == 0xffffffffu) lane.store(counter.value, 1u);
  }
};

using Placements = TypeList<NothingAfterLoop, BlockAfterLoop, WarpAfterLoop, FlagInLoop,
                            CompilerInLoop, NaiveAfterLoop, NaiveInLoop>;

}  // namespace ballotcast::detail
