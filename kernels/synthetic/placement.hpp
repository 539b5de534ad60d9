// An experiment: does it matter where in a kernel the atomic is? These kernels issue the atomic
// inside the loop in which rays meet leaves, or after the loop, which lanes leave at different
// times. Each kernel is one struct here and one row in the table at the end.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// The number of steps of ray i: pseudo-random, between 0.5 and 1.5 times `view.steps`.
BC_HD inline u32 steps_of(const SyntheticView& view, u32 i) {
  return view.steps / 2u + mix_bits(i) % (view.steps + 1u);
}

/// True if ray i meets a leaf in this step. This is pseudo-random, with a probability of 1/8.
BC_HD inline bool meets_leaf(u32 i, u32 step) {
  return mix_bits(i * 0x9e3779b9u + step) % 8u == 0u;
}

/// A row of the table of placements.
struct PlacementInfo {
  std::string_view name;
  CounterMeaning
      counter;  // rays: number of leaves met; blocks: number of blocks in which some ray met one
  std::string_view summary;
};

/// Takes the steps of the lane's ray, and calls on_leaf() for each leaf that the ray meets.
template <class Lane, class OnLeaf>
BC_DEVICE void walk_steps(Lane& lane, const SyntheticView& view, OnLeaf on_leaf) {
  const u32 i = lane.id();
  if (i >= view.count) return;
  const u32 steps = steps_of(view, i);
  for (u32 step = 0; step < steps; ++step)
    if (meets_leaf(i, step)) on_leaf();
}

/// Issues one atomic per leaf, by the lane that met it.
struct NaiveInLoop {
  static constexpr PlacementInfo info{"naive-in-loop", CounterMeaning::rays, "one atomic per leaf"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    walk_steps(lane, view,
               [&] { lane.fetch_add(counter.value + (lane.id() >= counter.never ? 1u : 0u), 1u); });
  }
};

/// Issues one atomic per group of lanes that happen to meet a leaf together.
struct CompilerInLoop {
  static constexpr PlacementInfo info{
      "compiler-in-loop", CounterMeaning::rays,
      "plain atomicAdd: one per group of lanes that meet a leaf together"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    walk_steps(lane, view, [&] { lane.fetch_add_same(counter.value, 1u); });
  }
};

/// Sets one flag per block in shared memory, inside the loop.
struct FlagInLoop {
  static constexpr PlacementInfo info{
      "flag-in-loop", CounterMeaning::blocks,
      "a shared flag set in the loop, one atomic per block after it"};
  struct Shared {
    u32 flag;
  };
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, CounterView counter) {
    if (lane.thread() == 0u) shared.flag = 0u;
    lane.sync_block();
    volatile u32& flag = shared.flag;  // every leaf stores to it, as in the published code
    walk_steps(lane, view, [&] { flag = 1u; });
    lane.sync_block();
    if (lane.thread() == 0u && shared.flag != 0u) lane.fetch_add(counter.value, 1u);
  }
};

/// Takes the steps of the lane's ray. Returns the number of leaves that the ray met.
template <class Lane>
BC_DEVICE u32 count_leaves(Lane& lane, const SyntheticView& view) {
  u32 leaves = 0;
  walk_steps(lane, view, [&] { ++leaves; });
  return leaves;
}

/// Issues one atomic per lane that met a leaf, after the loop.
struct NaiveAfterLoop {
  static constexpr PlacementInfo info{"naive-after-loop", CounterMeaning::rays,
                                      "counted per lane, one atomic per lane"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    const u32 leaves = count_leaves(lane, view);
    if (leaves != 0u)
      lane.fetch_add(counter.value + (lane.id() >= counter.never ? 1u : 0u), leaves);
  }
};

/// Issues one atomic per warp, after the loop.
struct WarpAfterLoop {
  static constexpr PlacementInfo info{"warp-after-loop", CounterMeaning::rays,
                                      "counted per lane, summed per warp"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    const u32 leaves = lane.reduce_add(count_leaves(lane, view));
    if (leaves != 0u && lane.lane() == 0u) lane.fetch_add(counter.value, leaves);
  }
};

/// Issues one atomic per block, after the loop.
struct BlockAfterLoop {
  static constexpr PlacementInfo info{"block-after-loop", CounterMeaning::rays,
                                      "counted per lane, summed per block"};
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

/// Reports nothing: the lower bound with which the other kernels are compared.
struct NothingAfterLoop {
  static constexpr PlacementInfo info{"none", CounterMeaning::nothing,
                                      "counted per lane, not reported (the floor)"};
  struct Shared {};
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, CounterView counter) {
    // No ray ever meets that many leaves. The test keeps the compiler from removing the loop.
    if (count_leaves(lane, view) == 0xffffffffu) lane.store(counter.value, 1u);
  }
};

using Placements = TypeList<NothingAfterLoop, BlockAfterLoop, WarpAfterLoop, FlagInLoop,
                            CompilerInLoop, NaiveAfterLoop, NaiveInLoop>;

}  // namespace ballotcast::detail
