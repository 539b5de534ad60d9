// Slots for the lanes of your own kernels: queues, and counts, by the ways whose cost
// `ballotcast bench atomics` measures.
//
// In the order of lanes, the same at each run (`later`): the kernel notes which lanes want a slot,
// and a second step makes the queue.
//
//   __global__ void decide(const float* values, std::uint32_t* noted, unsigned count) {
//     const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//     ballotcast::slots::note(noted, i < count && values[i] > 0.5f);
//   }
//   ...
//   using ballotcast::slots::Later;
//   const Later later(count);                       // cudaMalloc what it needs, once
//   decide<<<blocks, 256>>>(values, noted, count);  // noted: later.noted_bytes()
//   later.make_queue(noted, queue, queued, scratch, stream);
//
// In any order, in the kernel itself: reserve(). Only numbers: count(). For nvcc, C++17.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ballotcast/slots_core.hpp"

namespace ballotcast::slots {

/// Ways to count (all but BlockScan) and to reserve slots (BlockScan, BlockVote, WarpBallot,
/// Naive); docs/atomics.md says what each costs. A block of a kernel that uses one has
/// `__shared__ typename Way::Shared shared;`.
using detail::BlockCount;
using detail::BlockScan;
using detail::BlockVote;
using detail::FlagStore;
using detail::Naive;
using detail::Sharded;
using detail::WarpBallot;
using detail::WarpShards;
using detail::WarpSlots;

namespace detail {

/// The counter at an address. No compiler knows its `never`, so none may merge the atomics of
/// Naive.
__device__ inline CounterView counter_at(std::uint32_t* address) {
  std::uint32_t never = 0xffffffffu;
  asm volatile("" : "+r"(never));
  return {address, never};
}

}  // namespace detail

/// The words of a counter of `count`: with Sharded and WarpShards they are to be added up, else
/// only the first counts. To be set to 0 before the launch.
inline constexpr std::size_t kCounterBytes = detail::kCounterWords * sizeof(std::uint32_t);

/// Counts the lanes of the grid for which `yes` is true, in `counter` (kCounterBytes; BlockVote
/// counts blocks that have such a lane). All lanes of the block must call this, once per launch.
/// Blocks have 32 to 1024 threads in one dimension, a multiple of 32.
template <class Way = WarpSlots>
__device__ inline void count(typename Way::Shared& shared, std::uint32_t* counter, bool yes) {
  detail::CudaLane lane;
  Way::report(lane, shared, detail::counter_at(counter), yes);
}

/// A slot for each lane that wants one: if n lanes of the grid do, their slots are 0 to n - 1, in
/// an order that changes from run to run, and *counter becomes n. Others get an arbitrary number.
/// As with count(), all lanes of the block must call this, and *counter must be 0 before.
template <class Way = BlockScan>
__device__ inline std::uint32_t reserve(typename Way::Shared& shared, std::uint32_t* counter,
                                        bool wants) {
  detail::CudaLane lane;
  return Way::reserve(lane, shared, detail::counter_at(counter), wants);
}

/// Notes whether the lane wants a slot, for Later. All 32 lanes of a warp must call this together,
/// in a grid of one dimension whose blocks have a multiple of 32 threads. Lanes beyond the last
/// item pass false.
__device__ inline void note(std::uint32_t* noted, bool wants) {
  detail::CudaLane lane;
  detail::note_lane(lane, noted, wants);
}

/// Makes queues of lanes that were noted, in the order of lanes.
class Later {
 public:
  /// For a grid of this many lanes, rounded up to whole blocks; below 2^32.
  explicit Later(std::uint64_t lanes) : lanes_(lanes) {}

  /// Bytes of device memory for note(): a bit per lane of whole blocks.
  std::size_t noted_bytes() const {
    return detail::NotedLanes::words_for(lanes_) * sizeof(std::uint32_t);
  }
  /// Bytes of device memory for make_queue(): at most 16 KiB.
  std::size_t scratch_bytes() const {
    return detail::NotedLanes::tiles_for(lanes_) * sizeof(std::uint32_t);
  }

  /// Writes the numbers of the lanes that were noted to `queue`, ascending, and how many they are
  /// to *queued. All are in device memory; `queue` has room for as many as can be noted. Only
  /// enqueued, so it may be captured in a graph. Returns what launches return.
  cudaError_t make_queue(const std::uint32_t* noted, std::uint32_t* queue, std::uint32_t* queued,
                         void* scratch, cudaStream_t stream = nullptr) const {
    const auto lanes = detail::NotedLanes::of(noted, lanes_, static_cast<std::uint32_t*>(scratch));
    if (lanes.tiles == 0u) return cudaMemsetAsync(queued, 0, sizeof *queued, stream);
    constexpr unsigned kBlock = detail::NotedLanes::kBlockSize;
    detail::run_kernel<detail::CountTiles><<<lanes.tiles, kBlock, 0, stream>>>(lanes);
    detail::run_kernel<detail::StoreLanes>
        <<<lanes.tiles, kBlock, 0, stream>>>(lanes, queue, queued);
    return cudaGetLastError();
  }

 private:
  std::uint64_t lanes_;
};

}  // namespace ballotcast::slots
