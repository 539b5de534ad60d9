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
// itself: reserve(). Only numbers: count().
//
// Kernels that run on a GPU and, lane by lane, on the CPU (lanes.hpp) pass their Lane first:
//
//   slots::note(lane, noted, i < count && values[i] > 0.5f);
//   ...
//   lanes::emulate<Decide>({blocks, 256}, values, noted, count);
//   later.emulate_queue(noted, queue, queued, scratch);
//
// With nvcc as C++17 or later. Other compilers have what takes a Lane, for the CPU.
//
// Blocks have 32 to 1024 threads, a multiple of 32, and blocks and grids have one dimension. A
// program that is compiled without NDEBUG asserts this on the GPU.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ballotcast/error.hpp"
#include "ballotcast/lanes.hpp"
#include "ballotcast/slots_core.hpp"

namespace ballotcast::slots {

/// Ways to count (all but BlockScan) and to reserve slots (BlockScan, BlockVote, WarpBallot,
/// Naive); docs/atomics.md says what each costs. A block of a kernel that uses one has
/// `__shared__ typename Way::Shared shared;`, or as a member of its `Shared` if it has a Lane.
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
BALLOTCAST_HD inline CounterView counter_at(std::uint32_t* address) {
  std::uint32_t never = 0xffffffffu;
  asm volatile("" : "+r"(never));
  return {address, never};
}

#if defined(__CUDACC__)
__device__ inline void assert_shape() {
  assert(blockDim.y == 1u && blockDim.z == 1u && gridDim.y == 1u && gridDim.z == 1u &&
         "ballotcast::slots: blocks and grids have one dimension");
  assert(blockDim.x % kWarpSize == 0u && "ballotcast::slots: blocks have a multiple of 32 threads");
}
__device__ inline void assert_bin([[maybe_unused]] bool exists) {
  assert(exists && "ballotcast::slots: there is no such bin");
}
#endif

/// Asserts on a GPU what lanes::emulate() throws elsewhere.
BALLOTCAST_HD inline void require_shape() {
  BALLOTCAST_CORE_BY_MACHINE(assert_shape(), static_cast<void>(0));
}

inline void refuse_bin(std::uint32_t lane, std::uint32_t bin, std::uint32_t bins) {
  throw UsageError("ballotcast::slots: lane " + std::to_string(lane) + " notes bin " +
                   std::to_string(bin) + "; there are " + std::to_string(bins) + " bins");
}

/// Runs the kernels of a second step on emulated lanes.
struct OnEmulatedLanes {
  std::uint64_t order;

  template <class Kernel, class... Views>
  void launch(const char*, unsigned blocks, unsigned block_size, const Views&... views) const {
    lanes::emulate<Kernel>({blocks, block_size, order}, views...);
  }
};

inline void require_lanes(std::uint64_t lanes) {
  if (lanes > BallotTiles::kMostLanes)
    throw UsageError("ballotcast::slots: " + std::to_string(lanes) + " lanes; at most " +
                     std::to_string(BallotTiles::kMostLanes) + " have numbers");
}

#if defined(__CUDACC__)
template <class Kernel, class... Views>
__global__ void __launch_bounds__(Kernel::kBlockSize, 1) run_step(Views... views) {
  lanes::Lane lane;
  __shared__ typename Kernel::Shared shared;
  Kernel::run(lane, shared, views...);
}

/// Launches the kernels of a second step into a stream.
struct IntoStream {
  cudaStream_t stream;

  template <class Kernel, class... Views>
  void launch(const char*, unsigned blocks, unsigned block_size, const Views&... views) const {
    run_step<Kernel, Views...><<<blocks, block_size, 0, stream>>>(views...);
  }
};
#endif

}  // namespace detail

/// The bytes of a counter of count(), all of which must be 0 before the launch. With Sharded and
/// WarpShards the words are to be added up afterwards; else the first one is the sum.
inline constexpr std::size_t kCounterBytes = detail::kCounterWords * sizeof(std::uint32_t);

/// Counts the lanes of the grid for which `yes` is true, in `counter` (kCounterBytes). BlockVote
/// counts blocks that have such a lane, and FlagStore stores 1 if there is any. All lanes of the
/// block must call this together, once per launch, also those without an item.
template <class Way = WarpSlots>
BALLOTCAST_HD inline void count(lanes::Lane& lane, typename Way::Shared& shared,
                                std::uint32_t* counter, bool yes) {
  static_assert(Way::info.use != detail::Use::reserve,
                "this way only reserves slots: count with WarpSlots or another one");
  detail::require_shape();
  Way::report(lane, shared, detail::counter_at(counter), yes);
}

/// A slot for each lane that wants one: if n lanes of the grid do, their slots are 0 to n - 1, in
/// an order that changes from run to run, and *counter becomes n. Others get an arbitrary number.
/// As with count(), all lanes of the block must call this, and *counter must be 0 before.
template <class Way = BlockScan>
BALLOTCAST_HD inline std::uint32_t reserve(lanes::Lane& lane, typename Way::Shared& shared,
                                           std::uint32_t* counter, bool wants) {
  static_assert(Way::info.use != detail::Use::report,
                "this way only counts: reserve with BlockScan, BlockVote, WarpBallot or Naive");
  detail::require_shape();
  return Way::reserve(lane, shared, detail::counter_at(counter), wants);
}

/// Notes whether the lane wants a slot, for Later. All 32 lanes of a warp must call this together,
/// once per launch; lanes without an item pass false. Every warp of the grid must: what one does
/// not note is what was there before.
BALLOTCAST_HD inline void note(lanes::Lane& lane, std::uint32_t* noted, bool wants) {
  detail::require_shape();
  detail::note_lane(lane, noted, wants);
}

/// What a lane without a bin passes to note_bin().
inline constexpr std::uint32_t kNoBin = 0xffffffffu;

/// Notes the bin of the lane, 0 to kBins - 1, or kNoBin, for Bins<kBins>. It asks of its callers
/// what note() does; lanes without an item pass kNoBin. Another bin throws UsageError where lanes
/// are emulated.
template <std::uint32_t kBins>
BALLOTCAST_HD inline void note_bin(lanes::Lane& lane, std::uint32_t* noted, std::uint32_t bin) {
  detail::require_shape();
  const bool exists = bin < kBins || bin == kNoBin;
  if (!exists)
    BALLOTCAST_CORE_BY_MACHINE(detail::assert_bin(exists),
                               detail::refuse_bin(lane.id(), bin, kBins));
  detail::note_bin<kBins>(lane, noted, bin);
}

#if defined(__CUDACC__)
/// The same in a kernel that has no Lane.
template <class Way = WarpSlots>
__device__ inline void count(typename Way::Shared& shared, std::uint32_t* counter, bool yes) {
  lanes::Lane lane;
  count<Way>(lane, shared, counter, yes);
}
/// The same in a kernel that has no Lane.
template <class Way = BlockScan>
__device__ inline std::uint32_t reserve(typename Way::Shared& shared, std::uint32_t* counter,
                                        bool wants) {
  lanes::Lane lane;
  return reserve<Way>(lane, shared, counter, wants);
}
/// The same in a kernel that has no Lane.
__device__ inline void note(std::uint32_t* noted, bool wants) {
  lanes::Lane lane;
  note(lane, noted, wants);
}
/// The same in a kernel that has no Lane.
template <std::uint32_t kBins>
__device__ inline void note_bin(std::uint32_t* noted, std::uint32_t bin) {
  lanes::Lane lane;
  note_bin<kBins>(lane, noted, bin);
}
#endif

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

#if defined(__CUDACC__)
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
    detail::queue_noted(detail::IntoStream{stream}, noted_in(noted, scratch), ids, queue, queued);
    return cudaGetLastError();
  }
#endif

  /// The same for what emulated lanes have noted, on emulated lanes: all are in host memory, and
  /// it is done when this returns. `order`: as Grid::order; it does not change the queue. Throws
  /// UsageError if there are too many lanes.
  void emulate_queue(const std::uint32_t* noted, std::uint32_t* queue, std::uint32_t* queued,
                     void* scratch, const std::uint32_t* ids = nullptr,
                     std::uint64_t order = 0) const {
    detail::require_lanes(lanes_);
    *queued = 0u;
    if (lanes_ == 0u) return;
    detail::queue_noted(detail::OnEmulatedLanes{order}, noted_in(noted, scratch), ids, queue,
                        queued);
  }

 private:
  detail::NotedLanes noted_in(const std::uint32_t* noted, void* scratch) const {
    return {detail::BallotTiles::of(lanes_), noted, static_cast<std::uint32_t*>(scratch)};
  }

  std::uint64_t lanes_;
};

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

#if defined(__CUDACC__)
  /// Writes the numbers of the lanes of each bin to `queues`, ascending, bin after bin, and where
  /// each bin begins to `begins`, which has kBins + 1 numbers: the last is how many lanes have a
  /// bin. All else is as in Later::make_queue().
  cudaError_t make_queues(const std::uint32_t* noted, std::uint32_t* queues, std::uint32_t* begins,
                          void* scratch, cudaStream_t stream = nullptr,
                          const std::uint32_t* ids = nullptr) const {
    if (lanes_ > detail::BallotTiles::kMostLanes) return cudaErrorInvalidValue;
    if (lanes_ == 0u) return cudaMemsetAsync(begins, 0, (kBins + 1u) * sizeof *begins, stream);
    detail::queue_bins<kBins>(detail::IntoStream{stream}, noted_in(noted, scratch), ids, queues,
                              begins);
    return cudaGetLastError();
  }
#endif

  /// The same on emulated lanes, as Later::emulate_queue().
  void emulate_queues(const std::uint32_t* noted, std::uint32_t* queues, std::uint32_t* begins,
                      void* scratch, const std::uint32_t* ids = nullptr,
                      std::uint64_t order = 0) const {
    detail::require_lanes(lanes_);
    for (std::uint32_t b = 0; b <= kBins; ++b) begins[b] = 0u;
    if (lanes_ == 0u) return;
    detail::queue_bins<kBins>(detail::OnEmulatedLanes{order}, noted_in(noted, scratch), ids, queues,
                              begins);
  }

 private:
  using Noted = detail::NotedBins<kBins>;
  Noted noted_in(const std::uint32_t* noted, void* scratch) const {
    return Noted::of(noted, lanes_, static_cast<std::uint32_t*>(scratch));
  }

  std::uint64_t lanes_;
};

}  // namespace ballotcast::slots
