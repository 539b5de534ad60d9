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
// In several queues, each in the order of lanes: note_bin() and Bins. In any order, in the kernel
// itself: reserve(). Only numbers: count(). For nvcc, C++17.
//
// Blocks have 32 to 1024 threads, a multiple of 32, and blocks and grids have one dimension. A
// program that is compiled without NDEBUG asserts this on the GPU.
#pragma once

#include <cassert>
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

__device__ inline void require_shape() {
  assert(blockDim.y == 1u && blockDim.z == 1u && gridDim.y == 1u && gridDim.z == 1u &&
         "ballotcast::slots: blocks and grids have one dimension");
  assert(blockDim.x % kWarpSize == 0u && "ballotcast::slots: blocks have a multiple of 32 threads");
}

}  // namespace detail

/// The bytes of a counter of count(), all of which must be 0 before the launch. With Sharded and
/// WarpShards the words are to be added up afterwards; else the first one is the sum.
inline constexpr std::size_t kCounterBytes = detail::kCounterWords * sizeof(std::uint32_t);

/// Counts the lanes of the grid for which `yes` is true, in `counter` (kCounterBytes). BlockVote
/// counts blocks that have such a lane, and FlagStore stores 1 if there is any. All lanes of the
/// block must call this together, once per launch, also those without an item.
template <class Way = WarpSlots>
__device__ inline void count(typename Way::Shared& shared, std::uint32_t* counter, bool yes) {
  static_assert(Way::info.use != detail::Use::reserve,
                "this way only reserves slots: count with WarpSlots or another one");
  detail::require_shape();
  detail::CudaLane lane;
  Way::report(lane, shared, detail::counter_at(counter), yes);
}

/// A slot for each lane that wants one: if n lanes of the grid do, their slots are 0 to n - 1, in
/// an order that changes from run to run, and *counter becomes n. Others get an arbitrary number.
/// As with count(), all lanes of the block must call this, and *counter must be 0 before.
template <class Way = BlockScan>
__device__ inline std::uint32_t reserve(typename Way::Shared& shared, std::uint32_t* counter,
                                        bool wants) {
  static_assert(Way::info.use != detail::Use::report,
                "this way only counts: reserve with BlockScan, BlockVote, WarpBallot or Naive");
  detail::require_shape();
  detail::CudaLane lane;
  return Way::reserve(lane, shared, detail::counter_at(counter), wants);
}

/// Notes whether the lane wants a slot, for Later. All 32 lanes of a warp must call this together,
/// once per launch; lanes without an item pass false. Every warp of the grid must: what one does
/// not note is what was there before.
__device__ inline void note(std::uint32_t* noted, bool wants) {
  detail::require_shape();
  detail::CudaLane lane;
  detail::note_lane(lane, noted, wants);
}

namespace detail {

/// Launches the kernels of a second step into a stream.
struct IntoStream {
  cudaStream_t stream;

  template <class Kernel, class... Views>
  void launch(const char*, unsigned blocks, unsigned block_size, const Views&... views) const {
    run_kernel<Kernel, Views...><<<blocks, block_size, 0, stream>>>(views...);
  }
};

}  // namespace detail

/// Makes queues of lanes that were noted, in the order of lanes.
class Later {
 public:
  /// For a grid of this many lanes, rounded up to whole blocks; at most 2^32 - 1024.
  explicit Later(std::uint64_t lanes) : lanes_(lanes) {}

  /// Bytes of device memory for note(): a bit per lane of whole blocks.
  std::size_t noted_bytes() const {
    return detail::BallotTiles::room_for(lanes_) * sizeof(std::uint32_t);
  }
  /// Bytes of device memory for make_queue(): at most 16 KiB.
  std::size_t scratch_bytes() const {
    return detail::BallotTiles::most_tiles(lanes_) * sizeof(std::uint32_t);
  }

  /// Writes the numbers of the lanes that were noted to `queue`, ascending, and how many they are
  /// to *queued. If lanes work through an earlier queue, `ids` may be that queue: then what stands
  /// there at the place of a lane is written, and not the lane's number. All are in device memory;
  /// `queue` has room for as many as can be noted, and is not `ids`. Only enqueued, so it may be
  /// captured in a graph. Returns what launches return; cudaErrorInvalidValue if there are too
  /// many lanes.
  cudaError_t make_queue(const std::uint32_t* noted, std::uint32_t* queue, std::uint32_t* queued,
                         void* scratch, cudaStream_t stream = nullptr,
                         const std::uint32_t* ids = nullptr) const {
    if (lanes_ > detail::BallotTiles::kMostLanes) return cudaErrorInvalidValue;
    if (lanes_ == 0u) return cudaMemsetAsync(queued, 0, sizeof *queued, stream);
    const detail::NotedLanes lanes{detail::BallotTiles::of(lanes_), noted,
                                   static_cast<std::uint32_t*>(scratch)};
    detail::queue_noted(detail::IntoStream{stream}, lanes, ids, queue, queued);
    return cudaGetLastError();
  }

 private:
  std::uint64_t lanes_;
};

/// What a lane without a bin passes to note_bin().
inline constexpr std::uint32_t kNoBin = 0xffffffffu;

/// Notes the bin of the lane, 0 to kBins - 1, or kNoBin, for Bins<kBins>. It asks of its callers
/// what note() does; lanes without an item pass kNoBin.
template <std::uint32_t kBins>
__device__ inline void note_bin(std::uint32_t* noted, std::uint32_t bin) {
  detail::require_shape();
  assert((bin < kBins || bin == kNoBin) && "ballotcast::slots: there is no such bin");
  detail::CudaLane lane;
  detail::note_bin<kBins>(lane, noted, bin);
}

/// Makes a queue for each of kBins bins, 1 to 32 of them: a stable partition of the lanes that were
/// noted.
///
///   const Bins<8> bins(count);
///   decide<<<blocks, 256>>>(noted, count);         // note_bin<8>(noted, material)
///   bins.make_queues(noted, queues, begins, scratch, stream);
///   // the lanes of bin b, ascending: queues[begins[b]] to queues[begins[b + 1] - 1]
template <std::uint32_t kBins>
class Bins {
 public:
  /// For a grid of this many lanes, rounded up to whole blocks; at most 2^32 - 1024.
  explicit Bins(std::uint64_t lanes) : lanes_(lanes) {}

  /// Bytes of device memory for note_bin(): 1 to 6 bits per lane of whole blocks.
  std::size_t noted_bytes() const { return Noted::words_for(lanes_) * sizeof(std::uint32_t); }
  /// Bytes of device memory for make_queues(): at most 513 KiB.
  std::size_t scratch_bytes() const { return Noted::scratch_for(lanes_) * sizeof(std::uint32_t); }

  /// Writes the numbers of the lanes of each bin to `queues`, ascending, bin after bin, and where
  /// each bin begins to `begins`, which has kBins + 1 numbers: the last is how many lanes have a
  /// bin. All else is as in Later::make_queue().
  cudaError_t make_queues(const std::uint32_t* noted, std::uint32_t* queues, std::uint32_t* begins,
                          void* scratch, cudaStream_t stream = nullptr,
                          const std::uint32_t* ids = nullptr) const {
    if (lanes_ > detail::BallotTiles::kMostLanes) return cudaErrorInvalidValue;
    if (lanes_ == 0u) return cudaMemsetAsync(begins, 0, (kBins + 1u) * sizeof *begins, stream);
    const Noted lanes = Noted::of(noted, lanes_, static_cast<std::uint32_t*>(scratch));
    detail::queue_bins<kBins>(detail::IntoStream{stream}, lanes, ids, queues, begins);
    return cudaGetLastError();
  }

 private:
  using Noted = detail::NotedBins<kBins>;
  std::uint64_t lanes_;
};

}  // namespace ballotcast::slots
