// Queues and counts for your own kernels. A lane is a thread of a grid. A lane that has an item
// gets a slot: an index into a queue. docs/atomics.md has the cost of each strategy.
//
// A queue in the order of lanes is the same at each run. The lanes note whether they want a slot:
// each warp stores one bit per lane. Two more kernels then make the queue from these bits:
//
//   __global__ void decide(const float* values, std::uint32_t* noted, unsigned count) {
//     const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//     ballotcast::slots::note(noted, i < count && values[i] > 0.5f);
//   }
//   ...
//   using ballotcast::slots::Later;
//   const Later later(count);
//   // noted: later.noted_bytes() of device memory; scratch: later.scratch_bytes()
//   decide<<<blocks, 256>>>(values, noted, count);
//   later.make_queue(noted, queue, queued, scratch);
//
// note_bin() and Bins make several queues ("bins"), each in the order of lanes. reserve() gives
// slots in any order, in the kernel itself. count() only counts lanes.
//
// A kernel that also runs on the CPU (lanes.hpp) passes its Lane as the first argument:
//
//   slots::note(lane, noted, i < count && values[i] > 0.5f);
//   ...
//   lanes::emulate<Decide>({blocks, 256}, values, noted, count);
//   later.emulate_queue(noted, queue, queued, scratch);
//
// This header needs C++17. Compilers other than nvcc have only the functions for emulated lanes:
// those that take a Lane, and those whose names begin with "emulate".
//
// A block must have 32 to 1024 threads, a multiple of 32, and blocks and grids must have one
// dimension. In a program that is compiled without NDEBUG, kernels assert this on the GPU.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ballotcast/error.hpp"
#include "ballotcast/lanes.hpp"
#include "ballotcast/slots_core.hpp"

namespace ballotcast::slots {

/// The strategies for the template argument `Way` of count() and reserve(). docs/atomics.md has
/// their costs. All except BlockScan can count. BlockScan, BlockVote, WarpBallot and Naive can
/// reserve slots. A block needs a `typename Way::Shared` in shared memory: a variable
/// `__shared__ typename Way::Shared shared;`, or a member of the kernel's own `Shared` if the
/// kernel has a Lane.
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

/// The counter at an address, in the form that strategies take. The asm hides the value of `never`
/// from the compiler, which could otherwise merge the atomics of strategy Naive.
BALLOTCAST_HD inline CounterView counter_at(std::uint32_t* address) {
  std::uint32_t never = 0xffffffffu;
  asm volatile("" : "+r"(never));
  return {address, never};
}

#if defined(__CUDACC__)
__device__ inline void assert_shape() {
  assert(blockDim.y == 1u && blockDim.z == 1u && gridDim.y == 1u && gridDim.z == 1u &&
         "ballotcast::slots: blocks and grids must have one dimension");
  assert(blockDim.x % kWarpSize == 0u &&
         "ballotcast::slots: the block size must be a multiple of 32");
}
__device__ inline void assert_bin([[maybe_unused]] bool exists) {
  assert(exists && "ballotcast::slots: a bin must be less than kBins, or kNoBin");
}
#endif

/// On a GPU, asserts that the shape of the launch is valid. On a host, does nothing, because
/// lanes::emulate() has checked the shape.
BALLOTCAST_HD inline void require_shape() {
  BALLOTCAST_CORE_BY_MACHINE(assert_shape(), static_cast<void>(0));
}

/// Throws the error for a lane that notes a bin which does not exist.
inline void refuse_bin(std::uint32_t lane, std::uint32_t bin, std::uint32_t bins) {
  throw UsageError("ballotcast::slots: lane " + std::to_string(lane) + " notes bin " +
                   std::to_string(bin) + "; there are " + std::to_string(bins) + " bins");
}

/// Runs the kernels that make queues on emulated lanes.
struct OnEmulatedLanes {
  std::uint64_t order;  // as Grid::order

  template <class Kernel, class... Views>
  void launch(const char*, unsigned blocks, unsigned block_size, const Views&... views) const {
    lanes::emulate<Kernel>({blocks, block_size, order}, views...);
  }
};

/// The reason why no queue can be made of `lanes` lanes, or "". `ids` may be null; `queue` may be
/// null if no lane wants a slot.
inline std::string why_no_queue(std::uint64_t lanes, const std::uint32_t* ids,
                                const std::uint32_t* queue) {
  if (ids != nullptr && ids == queue)
    return "the new queue and the earlier one are the same memory";
  if (lanes > BallotTiles::kMostLanes)
    return std::to_string(lanes) + " lanes; at most " + std::to_string(BallotTiles::kMostLanes) +
           " have numbers";
  return "";
}

/// Throws UsageError if no queue can be made; see why_no_queue.
inline void require_queue(std::uint64_t lanes, const std::uint32_t* ids,
                          const std::uint32_t* queue) {
  const std::string why = why_no_queue(lanes, ids, queue);
  if (!why.empty()) throw UsageError("ballotcast::slots: " + why);
}

#if defined(__CUDACC__)
template <class Kernel, class... Views>
__global__ void __launch_bounds__(Kernel::kBlockSize, 1) run_step(Views... views) {
  lanes::Lane lane;
  __shared__ typename Kernel::Shared shared;
  Kernel::run(lane, shared, views...);
}

/// Launches the kernels that make queues into a stream.
struct IntoStream {
  cudaStream_t stream;

  template <class Kernel, class... Views>
  void launch(const char*, unsigned blocks, unsigned block_size, const Views&... views) const {
    run_step<Kernel, Views...><<<blocks, block_size, 0, stream>>>(views...);
  }
};
#endif

}  // namespace detail

/// The size of the counter of count(), in bytes. All bytes must be 0 before the launch. With
/// Sharded and WarpShards, the result is the sum of all words of the counter; with the other
/// strategies it is the first word.
inline constexpr std::size_t kCounterBytes = detail::kCounterWords * sizeof(std::uint32_t);

/// Counts the lanes of the grid for which `yes` is true. `counter`: kCounterBytes of device memory.
/// Exceptions: BlockVote counts the blocks in which `yes` is true for any lane, and FlagStore
/// stores 1 if `yes` is true for any lane of the grid. All lanes of a block must call this
/// together, once per launch. Lanes without an item pass false.
template <class Way = WarpSlots>
BALLOTCAST_HD inline void count(lanes::Lane& lane, typename Way::Shared& shared,
                                std::uint32_t* counter, bool yes) {
  static_assert(Way::info.use != detail::Use::reserve,
                "this strategy can't count: use WarpSlots, for example");
  detail::require_shape();
  Way::report(lane, shared, detail::counter_at(counter), yes);
}

/// Reserves a slot for each lane that wants one, and returns it. If n lanes of the grid want a
/// slot, their slots are 0 to n - 1, in an order that changes from run to run, and *counter becomes
/// n. The other lanes get an arbitrary number. All lanes of a block must call this together, once
/// per launch. `counter`: one word of device memory, which must be 0 before the launch.
template <class Way = BlockScan>
BALLOTCAST_HD inline std::uint32_t reserve(lanes::Lane& lane, typename Way::Shared& shared,
                                           std::uint32_t* counter, bool wants) {
  static_assert(Way::info.use != detail::Use::report,
                "this strategy can't reserve: use BlockScan, BlockVote, WarpBallot or Naive");
  detail::require_shape();
  return Way::reserve(lane, shared, detail::counter_at(counter), wants);
}

/// Notes whether the lane wants a slot: each warp stores one bit per lane in `noted`, from which
/// Later makes a queue. `noted`: Later::noted_bytes() of memory. All 32 lanes of a warp must call
/// this together, once per launch; lanes without an item pass false. Every warp of the grid must
/// call it, because the bits of other warps keep their previous values.
BALLOTCAST_HD inline void note(lanes::Lane& lane, std::uint32_t* noted, bool wants) {
  detail::require_shape();
  detail::note_lane(lane, noted, wants);
}

/// Notes whether item `item` wants a slot, for kernels whose lanes process several items one after
/// another, for example in a loop over the grid. The 32 lanes of a warp must call this together,
/// with consecutive items, the first of which is a multiple of 32. Each group of 32 items must be
/// noted once, and no groups behind them; if the last group is not full, its other lanes pass
/// false. The queue then has the numbers of items, ascending, and the argument of Later is the
/// number of items.
BALLOTCAST_HD inline void note(lanes::Lane& lane, std::uint32_t* noted, std::uint32_t item,
                               bool wants) {
  detail::require_shape();
  detail::note_item(lane, noted, item, wants);
}

/// The argument of note_bin() for a lane without a bin.
inline constexpr std::uint32_t kNoBin = 0xffffffffu;

/// Notes the bin of the lane, 0 to kBins - 1 or kNoBin: stores it in `noted`, from which
/// Bins<kBins> makes queues. `noted`: Bins<kBins>::noted_bytes() of memory. All 32 lanes of every
/// warp of the grid must call this together, once per launch; lanes without an item pass kNoBin.
/// Throws UsageError for any other bin on emulated lanes.
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
/// Counts lanes, in a kernel that has no Lane; see above.
template <class Way = WarpSlots>
__device__ inline void count(typename Way::Shared& shared, std::uint32_t* counter, bool yes) {
  lanes::Lane lane;
  count<Way>(lane, shared, counter, yes);
}
/// Reserves a slot, in a kernel that has no Lane; see above.
template <class Way = BlockScan>
__device__ inline std::uint32_t reserve(typename Way::Shared& shared, std::uint32_t* counter,
                                        bool wants) {
  lanes::Lane lane;
  return reserve<Way>(lane, shared, counter, wants);
}
/// Notes whether the lane wants a slot, in a kernel that has no Lane; see above.
__device__ inline void note(std::uint32_t* noted, bool wants) {
  lanes::Lane lane;
  note(lane, noted, wants);
}
/// Notes whether an item wants a slot, in a kernel that has no Lane; see above.
__device__ inline void note(std::uint32_t* noted, std::uint32_t item, bool wants) {
  lanes::Lane lane;
  note(lane, noted, item, wants);
}
/// Notes the bin of the lane, in a kernel that has no Lane; see above.
template <std::uint32_t kBins>
__device__ inline void note_bin(std::uint32_t* noted, std::uint32_t bin) {
  lanes::Lane lane;
  note_bin<kBins>(lane, noted, bin);
}
#endif

/// Makes a queue of the lanes that want a slot, in the order of lanes, after the kernel that calls
/// note().
class Later {
 public:
  /// `lanes`: the number of lanes, or of items if they are noted with numbers of their own, up to
  /// 2^32 - 1024. If lanes are noted, the grid must have at least these lanes, and less than one
  /// block more.
  explicit Later(std::uint64_t lanes) : lanes_(lanes) {}

  /// The size of the memory `noted`, in bytes: one bit per lane, with room for blocks of any size.
  std::size_t noted_bytes() const {
    return detail::BallotTiles::room_for(lanes_) * sizeof(std::uint32_t);
  }
  /// The size of the memory `scratch`, in bytes: at most 16 KiB.
  std::size_t scratch_bytes() const {
    return detail::BallotTiles::most_tiles(lanes_) * sizeof(std::uint32_t);
  }

#if defined(__CUDACC__)
  /// Writes the numbers of the lanes that want a slot to `queue`, ascending, and the number of
  /// these lanes to *queued. If `ids` is not null, writes ids[lane] instead of the number of each
  /// lane: a kernel that processes an earlier queue passes this queue as `ids`. All pointers are to
  /// device memory. `queue` must have room for all lanes that want a slot, and must not be `ids`.
  /// Only enqueues work, so a CUDA graph may capture the call. Returns cudaErrorInvalidValue if
  /// there are more than 2^32 - 1024 lanes or if `queue` is `ids`; else the error of the launches,
  /// or an earlier error of the thread that was not read (see cudaGetLastError()).
  cudaError_t make_queue(const std::uint32_t* noted, std::uint32_t* queue, std::uint32_t* queued,
                         void* scratch, cudaStream_t stream = nullptr,
                         const std::uint32_t* ids = nullptr) const {
    if (!detail::why_no_queue(lanes_, ids, queue).empty()) return cudaErrorInvalidValue;
    if (lanes_ == 0u) return cudaMemsetAsync(queued, 0, sizeof *queued, stream);
    detail::queue_noted(detail::IntoStream{stream}, noted_in(noted, scratch), ids, queue, queued);
    return cudaGetLastError();
  }
#endif

  /// Makes the queue on emulated lanes. The arguments are those of make_queue() without `stream`;
  /// all pointers are to host memory. Returns when the queue is complete. `order`: as Grid::order;
  /// it does not change the queue. Throws UsageError if there are more than 2^32 - 1024 lanes, or
  /// if `queue` is `ids`.
  void emulate_queue(const std::uint32_t* noted, std::uint32_t* queue, std::uint32_t* queued,
                     void* scratch, const std::uint32_t* ids = nullptr,
                     std::uint64_t order = 0) const {
    detail::require_queue(lanes_, ids, queue);
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

/// Makes a queue for each of kBins bins (1 to 32), after the kernel that calls note_bin(). The
/// queues are a stable partition of the lanes that have a bin: they lie one behind the other, and
/// each has its lanes in ascending order.
///
///   const Bins<8> bins(count);
///   decide<<<blocks, 256>>>(noted, count);         // calls note_bin<8>(noted, material)
///   bins.make_queues(noted, queues, begins, scratch);
///   // the lanes of bin b, ascending: queues[begins[b]] to queues[begins[b + 1] - 1]
template <std::uint32_t kBins>
class Bins {
 public:
  /// `lanes`: the number of lanes that can have items, up to 2^32 - 1024. The grid must have at
  /// least these lanes, and less than one block more.
  explicit Bins(std::uint64_t lanes) : lanes_(lanes) {}

  /// The size of the memory `noted`, in bytes: per lane as many bits as kBins + 1 values need (1 to
  /// 6), with room for blocks of any size.
  std::size_t noted_bytes() const { return Noted::words_for(lanes_) * sizeof(std::uint32_t); }
  /// The size of the memory `scratch`, in bytes: at most 513 KiB.
  std::size_t scratch_bytes() const { return Noted::scratch_for(lanes_) * sizeof(std::uint32_t); }

#if defined(__CUDACC__)
  /// Writes the numbers of the lanes to `queues`, bin after bin, ascending in each bin. `begins`
  /// has kBins + 1 words: begins[b] becomes the index in `queues` where bin b begins, and
  /// begins[kBins] the number of lanes that have a bin. For `ids`, the memory, CUDA graphs and the
  /// result, see Later::make_queue().
  cudaError_t make_queues(const std::uint32_t* noted, std::uint32_t* queues, std::uint32_t* begins,
                          void* scratch, cudaStream_t stream = nullptr,
                          const std::uint32_t* ids = nullptr) const {
    if (!detail::why_no_queue(lanes_, ids, queues).empty()) return cudaErrorInvalidValue;
    if (lanes_ == 0u) return cudaMemsetAsync(begins, 0, (kBins + 1u) * sizeof *begins, stream);
    detail::queue_bins<kBins>(detail::IntoStream{stream}, noted_in(noted, scratch), ids, queues,
                              begins);
    return cudaGetLastError();
  }
#endif

  /// Makes the queues on emulated lanes. The arguments are those of make_queues() without `stream`;
  /// all pointers are to host memory. Returns when the queues are complete. For `order` and errors,
  /// see Later::emulate_queue().
  void emulate_queues(const std::uint32_t* noted, std::uint32_t* queues, std::uint32_t* begins,
                      void* scratch, const std::uint32_t* ids = nullptr,
                      std::uint64_t order = 0) const {
    detail::require_queue(lanes_, ids, queues);
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
