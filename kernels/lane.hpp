// The contract between kernels and the machines that run them. A page to read first.
//
// A kernel with collectives is a struct
//
//   struct Kernel {
//     struct Shared { ... };                        // one a block, uninitialised
//     template <class Lane>
//     BC_DEVICE static void run(Lane& lane, Shared& shared, views...);
//   };
//
// and runs once a lane of a grid of blocks. A block has 32 to 1024 lanes, a multiple of 32. A
// kernel with none is a struct with `BC_HD static void item(u32 index, views...)` and runs once an
// index.
//
// What a Lane offers:
//
//   thread()      index in the block          lane()        index in the warp, 0..31
//   block()       index of the block          warp()        index of the warp in the block
//   block_size()  lanes a block               grid_size()   lanes in all
//   id()          index in the grid           lanes_below() mask of the warp's lower lanes
//
//   collectives, which every lane of the warp or block must reach, together:
//   sync_warp()   ballot(p)   any(p)   all(p)   reduce_add(v)
//   shuffle(v, lane, width)   shuffle_up(v, n, width)   shuffle_down(v, n, width)
//   shuffle_xor(v, mask, width)      (as CUDA's: width 1, 2, 4 .. 32; up, down and idx stay in the
//                                     segment of `width` lanes, xor reaches earlier ones, too;
//                                     where there is no such lane, one gets its own v)
//   sync_block()  block_or(p)   block_count(p)      (each is a barrier of the block, too)
//
//   collectives of some lanes of a warp, `members`, a mask that names the caller, too. All of them
//   must call, each from any place in the code, with the same mask; other lanes don't count:
//   sync_among(members)   ballot_among(members, p)   any_among(members, p)   all_among(members, p)
//
//   global memory, relaxed:
//   fetch_add(u32* or u64*, u32) -> the value before
//   fetch_add_same(u32*, u32)       the same, where all lanes of a warp that call it have the same
//                                   address: a compiler may make one atomic of theirs
//   load(const u32*)   store(u32*, u32)
//
// Rules that hold on both machines:
//   - No lane returns before its last collective: a lane out of range carries "no" to the vote.
//   - Nothing rests on which lanes happen to be converged.
//   - Blocks run in any order, at the same time or one after another; none may wait for another.
//
// The machines are CudaLane (backends/cuda), whose members are one intrinsic each, and EmulatedLane
// (backends/emulated), a fiber. CountingLane (counting.hpp) decorates either; for its sake a lane
// also has issues_merged_atomic(): is this the lane that issues the atomic of a fetch_add_same for
// all?
//
// What emulation can't show: missing memory fences (its lanes of a block share one thread), lanes
// that spin on memory (they'd spin for ever), and time.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr u32 kWarpSize = 32;
inline constexpr u32 kLargestBlock = 1024;
inline constexpr u32 kMostWarps = kLargestBlock / kWarpSize;

}  // namespace ballotcast::detail
