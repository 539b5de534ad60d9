// The contract between kernels and the machines that run them. Read this file first.
//
// A kernel with collectives is a struct:
//
//   struct Kernel {
//     struct Shared { ... };                        // one per block, uninitialised
//     template <class Lane>
//     BC_DEVICE static void run(Lane& lane, Shared& shared, views...);
//   };
//
// Its `run` is called once per lane of a grid of blocks. A block has 32 to 1024 lanes, a multiple
// of 32. A kernel without collectives is a struct with `BC_HD static void item(u32 index,
// views...)`, which is called once per index.
//
// What a Lane offers:
//
//   thread()      index in the block          lane()        index in the warp, 0..31
//   block()       index of the block          warp()        index of the warp in the block
//   block_size()  lanes per block             grid_size()   lanes in the grid
//   id()          index in the grid           lanes_below() mask of the warp's lower lanes
//
//   Collectives. Every lane of the warp or block must reach them, together:
//   sync_warp()   ballot(p)   any(p)   all(p)   reduce_add(v)   reduce_or(v)
//   reduce_min(v)   reduce_max(v)                    of signed numbers
//   shuffle(v, lane, width)   shuffle_up(v, n, width)   shuffle_down(v, n, width)
//   shuffle_xor(v, mask, width)
//       As in CUDA. `width` is 1, 2, 4 .. 32. shuffle, shuffle_up and shuffle_down stay inside the
//       segment of `width` lanes; shuffle_xor also reaches earlier segments. A lane whose source
//       lane does not exist gets its own v.
//   sync_block()  block_or(p)   block_count(p)
//       Each of the three is also a barrier of the block.
//
//   Collectives of some lanes of a warp. `members` is their mask and includes the caller. Every
//   member must call, with the same mask, but each may call from another place in the code. Other
//   lanes have no effect:
//   sync_among(members)   ballot_among(members, p)   any_among(members, p)   all_among(members, p)
//
// No collective:
//   call(f, args...)
//       f(args...), which uses no lane. Kernels may share its code on a machine that measures no
//       time, so that it is compiled once.
//
// Global memory, with relaxed order:
//   fetch_add(u32* or u64*, u32)    returns the value before the addition
//   fetch_add_same(u32*, u32)       the same. All lanes of a warp that call it must pass the same
//                                   address, so a compiler may merge their atomics into one.
//   fetch_max(u32*, u32), fetch_max(u64*, u64)
//                                   stores the larger value; returns the one before
//   fetch_or(u32*, u32)             sets bits; returns the value before
//   exchange(u32*, u32)             stores a value and returns the one before
//   load(const u32*)   store(u32*, u32)
//   ticks()                         a clock. No result may depend on it
//   fence()                         what this lane stored before it is there for every lane that
//                                   reads, after a fence of its own, what this lane stores after it
//
// Rules on all machines:
// - No lane returns before its last collective. A lane that has nothing to do, because its index is
//   beyond the last ray, votes "no".
// - No result may depend on which lanes happen to be converged.
// - Blocks run in any order, at the same time or one after another. No block may wait for another.
//
// There are two machines, each with its own kind of lane. A CudaLane (backends/cuda) is a thread of
// a GPU. An EmulatedLane (backends/emulated) is a fiber on a CPU thread. CountingLane
// (counting.hpp) wraps either of them. It needs one more member, issues_merged_atomic(): true for
// the one lane that issues the merged atomic of a fetch_add_same.
//
// Emulation cannot show three things: missing memory fences (all lanes of a block share one
// thread), lanes that wait for each other through memory (they would wait for ever), and time.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr u32 kWarpSize = 32;
inline constexpr u32 kLargestBlock = 1024;
inline constexpr u32 kMostWarps = kLargestBlock / kWarpSize;

}  // namespace ballotcast::detail
