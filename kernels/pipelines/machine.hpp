// What pipelines and frames need from a machine. backends/emulated and backends/cuda have one each.
//
// A Machine offers:
//   kHasLanes          false if it can't run kernels with collectives: it has no `launch`
//   launch<Kernel>(description, blocks, block_size, views...)
//                      runs a kernel with collectives
//   launch_with_words<Kernel>(description, blocks, words, views...)
//                      runs a kernel whose Shared is u32*: `words` words of shared memory per lane.
//                      The kernel has the constants kBlockSize and kBlocksAtOnce (the number of
//                      blocks that should fit on a multiprocessor at once)
//   blocks_at_once<Kernel, Views...>(words)
//                      -> the number of the kernel's blocks that the whole machine runs at once
//   each<Kernel>(description, count, views...)
//                      runs a kernel without collectives, once per index below `count`. It may
//                      have the constant kBlocksAtOnce, for blocks of 256 lanes
//   warp_choice() -> WarpChoice*
//   warp_policy() -> WarpPolicy&   which kernel casts (warp/policy.hpp)
//   ask(WarpChoice*), answer() -> const WarpFindings*
//                      findings about everything that was launched so far. Null until they have
//                      arrived; if the host may wait, they are there at once
//   take_report() -> u32
//                      what a kernel for coherent rays has reported about them (report_of) since
//                      the last call: the last report, or kNoReport if there was none
//   may_wait() -> true if the host may wait for the machine
//   may_ask() -> false while the launches become part of a graph
//   cast_memory() -> CastMemory, read(CastProgress*) -> an up-to-date copy
//   repeat(launch, CastProgress*, sizes, body)
//                      calls body(sizes[0]) until at most sizes[1] rays are alive, then
//                      body(sizes[1]), and so on until the cast is done
//   queue(0 or 1, count) -> RayQueue             memory for `count` ray ids
//   queue(2, words) -> RayQueue                  memory for what lanes note before they are queued
//   download(to, from, count)   copies elements from the machine to the host
//   fail(what)         throws DeviceError with the text `what`
//
// Frames (kernels/frame/frame_drawer.hpp) also need:
//   make<T>(count) -> a buffer with data() and size()
//   gather(to, from, count)   copies elements to this machine; `from` may be in memory of the host,
//                             or of a machine of the same kind
//   lend(from) -> LentMemory  for another process; there, take(lent, count, use) calls use(memory)
//   wait()                    waits for everything launched so far
//   stage(name), finish_stages()   measure times: a stage lasts until the next one begins
//
// Rays on their way through parts of a scene (kernels/parts) need make, wait, each, launch,
// download, and:
//   upload(from, count) -> a buffer with a copy of host memory
//   copy_in(to, from, count)       copies from the host to memory of the machine
#pragma once

#include "kernels/pipelines/loop.hpp"

namespace ballotcast::detail {

/// The ids of live rays. Their order may depend on timing; no result depends on the order.
struct RayQueue {
  u32* ids;
  u32 capacity;
};

/// The number of blocks needed for `count` lanes.
inline u32 blocks_for(u32 count, u32 block_size) { return (count + block_size - 1) / block_size; }

}  // namespace ballotcast::detail
