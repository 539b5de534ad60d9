// Runs kernels with votes, barriers and shared memory on a GPU and, from the same source, on the
// CPU, so that you can test them without a GPU. On the CPU, the lanes (threads of a block) are
// emulated.
//
//   struct SumBlock {
//     struct Shared { std::uint32_t of_warps[32]; };  // one per block, not initialized
//     BALLOTCAST_HD static void run(lanes::Lane& lane, Shared& shared, const std::uint32_t* values,
//                                   std::uint32_t* sums) {
//       const std::uint32_t of_warp = lane.reduce_add(values[lane.id()]);
//       if (lane.lane() == 0) shared.of_warps[lane.warp()] = of_warp;
//       lane.sync_block();
//       if (lane.thread() != 0) return;
//       std::uint32_t sum = 0;
//       for (std::uint32_t w = 0; w < lane.block_size() / 32; ++w) sum += shared.of_warps[w];
//       sums[lane.block()] = sum;
//     }
//   };
//   ...
//   lanes::kernel<SumBlock><<<blocks, 128>>>(values, sums);    // with nvcc
//   lanes::emulate<SumBlock>({blocks, 128}, values, sums);     // on the CPU
//
// A block must have one dimension and 32 to 1024 lanes, a multiple of 32. No lane may return while
// other lanes of its warp or block still call collective operations. Blocks run in any order, so no
// block may wait for another.
//
// A collective operation that not all lanes reach is an error in emulation. To find results that
// depend on the order of lanes, emulate with several values of Grid::order. Emulation does not find
// missing fences, and its times say nothing about a GPU. If a lane waits in a loop until another
// lane of its block stores a word, the kernel never ends, because the CPU switches between the
// lanes of a block only at collective operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "ballotcast/api.hpp"
#if defined(__CUDACC__)
#include "ballotcast/lanes_core.hpp"
#else
#define BALLOTCAST_CORE_BY_MACHINE(on_gpu, on_host) on_host
#endif

// Calls a member of CudaLane in code for a GPU, and evaluates the second argument in code for a
// host.
#define BALLOTCAST_BY_LANE(on_gpu, on_host) \
  BALLOTCAST_CORE_BY_MACHINE(detail::CudaLane().on_gpu, on_host)

namespace ballotcast::lanes {

/// For the library: the collective operations of an emulated lane.
enum class LaneCall : std::uint32_t {
  sync,
  ballot,
  add,
  bits,
  least,
  most,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  sync_block,
  block_or,
  block_count
};
/// For the library: executes a collective operation of an emulated lane, and returns its result.
/// `other`: the mask of the lanes that take part, or the second operand of a shuffle. `width`: the
/// number of lanes in a segment of a shuffle.
BALLOTCAST_API std::uint32_t call_emulated(void* lane, LaneCall what, std::uint32_t value,
                                           std::uint32_t other, std::uint32_t width);

/// A lane: a thread of a block on a GPU, or an emulated thread. Each thread has its own Lane
/// object.
class Lane {
 public:
  /// Creates the lane of the calling thread on a GPU.
  Lane() = default;
  /// For the library: creates an emulated lane.
  Lane(void* emulated, std::uint32_t thread, std::uint32_t block, std::uint32_t block_size,
       std::uint32_t blocks)
      : emulated_(emulated),
        thread_(thread),
        block_(block),
        block_size_(block_size),
        blocks_(blocks) {}

  /// The index of the lane in its block.
  BALLOTCAST_HD std::uint32_t thread() const { return BALLOTCAST_BY_LANE(thread(), thread_); }
  /// The index of the lane's block in the grid.
  BALLOTCAST_HD std::uint32_t block() const { return BALLOTCAST_BY_LANE(block(), block_); }
  /// The number of lanes in a block.
  BALLOTCAST_HD std::uint32_t block_size() const {
    return BALLOTCAST_BY_LANE(block_size(), block_size_);
  }
  /// The number of lanes in the grid.
  BALLOTCAST_HD std::uint32_t grid_size() const {
    return BALLOTCAST_BY_LANE(grid_size(), blocks_ * block_size_);
  }
  /// The index of the lane in the grid.
  BALLOTCAST_HD std::uint32_t id() const { return block() * block_size() + thread(); }
  /// The index of the lane in its warp: 0 to 31.
  BALLOTCAST_HD std::uint32_t lane() const { return thread() % 32u; }
  /// The index of the lane's warp in the block.
  BALLOTCAST_HD std::uint32_t warp() const { return thread() / 32u; }
  /// The mask of the lanes of the warp with smaller indices than this lane.
  BALLOTCAST_HD std::uint32_t lanes_below() const { return (1u << lane()) - 1u; }

  // Collective operations of the warp: all lanes of the warp must reach them together.

  /// Waits for all lanes of the warp. What a lane has stored before this call, all lanes of the
  /// warp see after it.
  BALLOTCAST_HD void sync_warp() { sync_among(kAll); }
  /// The lanes of the warp for which `p` is true, as a bit mask.
  BALLOTCAST_HD std::uint32_t ballot(bool p) { return ballot_among(kAll, p); }
  /// True if `p` is true for any lane of the warp.
  BALLOTCAST_HD bool any(bool p) { return any_among(kAll, p); }
  /// True if `p` is true for all lanes of the warp.
  BALLOTCAST_HD bool all(bool p) { return all_among(kAll, p); }
  /// The sum of `value` over the warp.
  BALLOTCAST_HD std::uint32_t reduce_add(std::uint32_t value) {
    return BALLOTCAST_BY_LANE(reduce_add(value), call(LaneCall::add, value));
  }
  /// The bitwise or of `value` over the warp.
  BALLOTCAST_HD std::uint32_t reduce_or(std::uint32_t value) {
    return BALLOTCAST_BY_LANE(reduce_or(value), call(LaneCall::bits, value));
  }
  /// The smallest `value` in the warp.
  BALLOTCAST_HD std::int32_t reduce_min(std::int32_t value) {
    return BALLOTCAST_BY_LANE(reduce_min(value), call_signed(LaneCall::least, value));
  }
  /// The largest `value` in the warp.
  BALLOTCAST_HD std::int32_t reduce_max(std::int32_t value) {
    return BALLOTCAST_BY_LANE(reduce_max(value), call_signed(LaneCall::most, value));
  }
  /// The value of lane `source` of the same segment, as __shfl_sync in CUDA. A segment has `width`
  /// lanes: 1, 2, 4 .. 32. A lane whose source does not exist gets its own value.
  BALLOTCAST_HD std::uint32_t shuffle(std::uint32_t value, std::uint32_t source,
                                      std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle(value, source, width),
                              call(LaneCall::shuffle, value, source, width));
  }
  /// The value of the lane whose index is smaller by `distance` (0 to 31), as __shfl_up_sync in
  /// CUDA. If there is no such lane in the segment, the lane's own value.
  BALLOTCAST_HD std::uint32_t shuffle_up(std::uint32_t value, std::uint32_t distance,
                                         std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_up(value, distance, width),
                              call(LaneCall::shuffle_up, value, distance, width));
  }
  /// The value of the lane whose index is larger by `distance` (0 to 31), as __shfl_down_sync in
  /// CUDA. If there is no such lane in the segment, the lane's own value.
  BALLOTCAST_HD std::uint32_t shuffle_down(std::uint32_t value, std::uint32_t distance,
                                           std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_down(value, distance, width),
                              call(LaneCall::shuffle_down, value, distance, width));
  }
  /// The value of the lane with index lane() ^ mask (0 to 31), as __shfl_xor_sync in CUDA. If that
  /// lane is in a later segment, the lane's own value.
  BALLOTCAST_HD std::uint32_t shuffle_xor(std::uint32_t value, std::uint32_t mask,
                                          std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_xor(value, mask, width),
                              call(LaneCall::shuffle_xor, value, mask, width));
  }

  // Collective operations of some lanes of the warp, the members. `members` is the bit mask of
  // these lanes, and includes the caller. All members must call the function with the same mask,
  // but may call it at different places in the code.

  /// Waits for all members.
  BALLOTCAST_HD void sync_among(std::uint32_t members) {
    BALLOTCAST_BY_LANE(sync_among(members), call(LaneCall::sync, 0u, members));
  }
  /// The members for which `p` is true, as a bit mask.
  BALLOTCAST_HD std::uint32_t ballot_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(ballot_among(members, p), call(LaneCall::ballot, p, members));
  }
  /// True if `p` is true for any member.
  BALLOTCAST_HD bool any_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(any_among(members, p), ballot_among(members, p) != 0u);
  }
  /// True if `p` is true for all members.
  BALLOTCAST_HD bool all_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(all_among(members, p), ballot_among(members, p) == members);
  }

  // Collective operations of the block. Each is also a barrier: all lanes of the block must reach
  // it together.

  /// Waits for all lanes of the block. What a lane has stored before this call, all lanes of the
  /// block see after it.
  BALLOTCAST_HD void sync_block() {
    BALLOTCAST_BY_LANE(sync_block(), call(LaneCall::sync_block, 0u));
  }
  /// True if `p` is true for any lane of the block.
  BALLOTCAST_HD bool block_or(bool p) {
    return BALLOTCAST_BY_LANE(block_or(p), call(LaneCall::block_or, p) != 0u);
  }
  /// The number of lanes of the block for which `p` is true.
  BALLOTCAST_HD std::uint32_t block_count(bool p) {
    return BALLOTCAST_BY_LANE(block_count(p), call(LaneCall::block_count, p));
  }

  // Atomic operations of a single lane on device memory or shared memory. On a GPU their
  // memory order is relaxed, so they order no other stores and loads. `Word`: std::uint32_t;
  // fetch_add and fetch_max also take std::uint64_t.

  /// Adds `value` to a word. Returns the word's previous value.
  template <class Word>
  BALLOTCAST_HD Word fetch_add(Word* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(fetch_add(address, value),
                              __atomic_fetch_add(address, value, __ATOMIC_RELAXED));
  }
  /// Replaces a word by `value` if `value` is larger. Returns the word's previous value. (Type
  /// Word is deduced from `address` alone.)
  template <class Word>
  BALLOTCAST_HD Word fetch_max(Word* address, typename std::common_type<Word>::type value) {
    return BALLOTCAST_BY_LANE(fetch_max(address, value), larger_stored(address, value));
  }
  /// Sets the bits of `value` in a word. Returns the word's previous value.
  BALLOTCAST_HD std::uint32_t fetch_or(std::uint32_t* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(fetch_or(address, value),
                              __atomic_fetch_or(address, value, __ATOMIC_RELAXED));
  }
  /// Replaces a word by `value`. Returns the word's previous value.
  BALLOTCAST_HD std::uint32_t exchange(std::uint32_t* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(exchange(address, value),
                              __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL));
  }
  /// Returns a word that other lanes may change at the same time.
  BALLOTCAST_HD std::uint32_t load(const std::uint32_t* address) const {
    return BALLOTCAST_BY_LANE(load(address), __atomic_load_n(address, __ATOMIC_RELAXED));
  }
  /// Stores `value` to a word that other lanes may read at the same time.
  BALLOTCAST_HD void store(std::uint32_t* address, std::uint32_t value) {
    BALLOTCAST_BY_LANE(store(address, value), __atomic_store_n(address, value, __ATOMIC_RELAXED));
  }
  /// A memory fence (as __threadfence in CUDA). If another lane reads a value that this lane has
  /// stored after the fence, and then calls fence(), it sees all that this lane has stored before
  /// the fence.
  BALLOTCAST_HD void fence() {
    BALLOTCAST_BY_LANE(fence(), __atomic_thread_fence(__ATOMIC_SEQ_CST));
  }

 private:
  static constexpr std::uint32_t kAll = 0xffffffffu;

  std::uint32_t call(LaneCall what, std::uint32_t value, std::uint32_t other = kAll,
                     std::uint32_t width = 32u) {
    return call_emulated(emulated_, what, value, other, width);
  }
  std::int32_t call_signed(LaneCall what, std::int32_t value) {
    return static_cast<std::int32_t>(call(what, static_cast<std::uint32_t>(value)));
  }
  template <class Word>
  static Word larger_stored(Word* address, Word value) {
    Word before = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (before < value && !__atomic_compare_exchange_n(address, &before, value, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return before;
  }

  void* emulated_ = nullptr;
  std::uint32_t thread_ = 0, block_ = 0, block_size_ = 0, blocks_ = 0;
};

/// The shape of a grid of emulated lanes.
struct Grid {
  std::uint32_t blocks;      ///< number of blocks
  std::uint32_t block_size;  ///< lanes per block: 32 to 1024, a multiple of 32
  /// 0: the lanes of a block run in the order of their index. Each other value gives another
  /// pseudo-random order, which changes during the run.
  std::uint64_t order = 0;
};

/// For the library: calls run(lane, shared) for each lane of a grid; see emulate().
BALLOTCAST_API void run_emulated(const Grid& grid, std::size_t shared_bytes,
                                 const std::function<void(Lane&, void*)>& run);

/// Runs `Kernel` on the CPU: calls Kernel::run(lane, shared, arguments...) for each lane. Pointers
/// among the arguments must point to host memory. Returns when all lanes have returned. Several CPU
/// threads run blocks, each of them one block at a time. A lane has a stack of 64 KiB. Throws
/// UsageError for an invalid Grid::block_size, DeviceError if lanes wait at a collective operation
/// that others never reach, and any exception that a lane throws.
template <class Kernel, class... Arguments>
void emulate(const Grid& grid, const Arguments&... arguments) {
  using Shared = typename Kernel::Shared;
  static_assert(alignof(Shared) <= alignof(std::max_align_t), "Shared is aligned too strictly");
  static_assert(std::is_trivially_default_constructible<Shared>::value,
                "Shared is not initialized: its members can't have initializers");
  run_emulated(grid, sizeof(Shared), [&](Lane& lane, void* shared) {
    Kernel::run(lane, *static_cast<Shared*>(shared), arguments...);
  });
}

#if defined(__CUDACC__)
/// Runs `Kernel` on a GPU: kernel<Kernel><<<blocks, block_size>>>(arguments...). The launch fails
/// if a block needs more registers than a multiprocessor has. For blocks of 1024 lanes it fails if
/// Kernel::run needs more than 64 registers, for example if it casts rays through a SceneView.
template <class Kernel, class... Arguments>
__global__ void kernel(Arguments... arguments) {
  __shared__ typename Kernel::Shared shared;
  Lane lane;
  Kernel::run(lane, shared, arguments...);
}
#endif

}  // namespace ballotcast::lanes

#undef BALLOTCAST_BY_LANE
