// Kernels with votes, barriers and shared memory whose one source runs on a GPU and, lane by lane,
// on the CPU: so that you can test them without a GPU.
//
//   struct SumBlock {
//     struct Shared { std::uint32_t of_warps[32]; };  // one per block, of any content at first
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
// Blocks have one dimension and 32 to 1024 lanes, a multiple of 32. No lane returns before its last
// collective. Blocks run in any order, so none may wait for another.
//
// Emulation finds collectives that not all lanes reach, and, with Grid::order, results that depend
// on the order of lanes. It can't show missing fences, lanes that spin on memory (they would for
// ever), and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"
#if defined(__CUDACC__)
#include "ballotcast/lanes_core.hpp"
#else
#define BALLOTCAST_CORE_BY_MACHINE(on_gpu, on_host) on_host
#endif

// What a member of Lane does on a GPU, and what it does on a host.
#define BALLOTCAST_BY_LANE(on_gpu, on_host) \
  BALLOTCAST_CORE_BY_MACHINE(detail::CudaLane().on_gpu, on_host)

namespace ballotcast::lanes {

/// The collectives of an emulated lane; for the library.
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
/// For the library: does a collective of an emulated lane. `other`: the mask of members, or what
/// says from where a shuffle reads.
BALLOTCAST_API std::uint32_t call_emulated(void* lane, LaneCall what, std::uint32_t value,
                                           std::uint32_t other, std::uint32_t width);

/// `Word`, for parameters by which no compiler may deduce it.
template <class Word>
struct TypeOf {
  /// The same type.
  using Type = Word;
};

/// A thread of a GPU's block, or an emulated one. Each lane has a Lane of its own.
class Lane {
 public:
  /// That of a thread of a GPU.
  Lane() = default;
  /// For the library: an emulated one.
  Lane(void* emulated, std::uint32_t thread, std::uint32_t block, std::uint32_t block_size,
       std::uint32_t blocks)
      : emulated_(emulated),
        thread_(thread),
        block_(block),
        block_size_(block_size),
        blocks_(blocks) {}

  /// Its index in the block.
  BALLOTCAST_HD std::uint32_t thread() const { return BALLOTCAST_BY_LANE(thread(), thread_); }
  /// The index of its block.
  BALLOTCAST_HD std::uint32_t block() const { return BALLOTCAST_BY_LANE(block(), block_); }
  /// The number of lanes of a block.
  BALLOTCAST_HD std::uint32_t block_size() const {
    return BALLOTCAST_BY_LANE(block_size(), block_size_);
  }
  /// The number of lanes of the grid.
  BALLOTCAST_HD std::uint32_t grid_size() const {
    return BALLOTCAST_BY_LANE(grid_size(), blocks_ * block_size_);
  }
  /// Its index in the grid.
  BALLOTCAST_HD std::uint32_t id() const { return block() * block_size() + thread(); }
  /// Its index in the warp: 0 to 31.
  BALLOTCAST_HD std::uint32_t lane() const { return thread() % 32u; }
  /// The index of its warp in the block.
  BALLOTCAST_HD std::uint32_t warp() const { return thread() / 32u; }
  /// The mask of the lower lanes of its warp.
  BALLOTCAST_HD std::uint32_t lanes_below() const { return (1u << lane()) - 1u; }

  // Collectives of the warp: all of its lanes must reach them, together.

  /// Waits for the warp; what its lanes have stored is there for all of them.
  BALLOTCAST_HD void sync_warp() { sync_among(kAll); }
  /// The lanes for which `p` is true, as bits.
  BALLOTCAST_HD std::uint32_t ballot(bool p) { return ballot_among(kAll, p); }
  /// True if `p` is for any lane.
  BALLOTCAST_HD bool any(bool p) { return any_among(kAll, p); }
  /// True if `p` is for all lanes.
  BALLOTCAST_HD bool all(bool p) { return all_among(kAll, p); }
  /// The sum of all lanes' values.
  BALLOTCAST_HD std::uint32_t reduce_add(std::uint32_t value) {
    return BALLOTCAST_BY_LANE(reduce_add(value), call(LaneCall::add, value));
  }
  /// The bits that any lane's value has.
  BALLOTCAST_HD std::uint32_t reduce_or(std::uint32_t value) {
    return BALLOTCAST_BY_LANE(reduce_or(value), call(LaneCall::bits, value));
  }
  /// The smallest of all lanes' values.
  BALLOTCAST_HD std::int32_t reduce_min(std::int32_t value) {
    return BALLOTCAST_BY_LANE(reduce_min(value), call_signed(LaneCall::least, value));
  }
  /// The largest of all lanes' values.
  BALLOTCAST_HD std::int32_t reduce_max(std::int32_t value) {
    return BALLOTCAST_BY_LANE(reduce_max(value), call_signed(LaneCall::most, value));
  }
  /// The value of another lane of the segment: `width` lanes, 1, 2, 4 .. 32, as in CUDA. A lane
  /// whose source does not exist gets its own value.
  BALLOTCAST_HD std::uint32_t shuffle(std::uint32_t value, std::uint32_t source,
                                      std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle(value, source, width),
                              call(LaneCall::shuffle, value, source, width));
  }
  /// That of the lane so far below.
  BALLOTCAST_HD std::uint32_t shuffle_up(std::uint32_t value, std::uint32_t distance,
                                         std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_up(value, distance, width),
                              call(LaneCall::shuffle_up, value, distance, width));
  }
  /// That of the lane so far above.
  BALLOTCAST_HD std::uint32_t shuffle_down(std::uint32_t value, std::uint32_t distance,
                                           std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_down(value, distance, width),
                              call(LaneCall::shuffle_down, value, distance, width));
  }
  /// That of lane() ^ mask, which may be in an earlier segment.
  BALLOTCAST_HD std::uint32_t shuffle_xor(std::uint32_t value, std::uint32_t mask,
                                          std::uint32_t width = 32u) {
    return BALLOTCAST_BY_LANE(shuffle_xor(value, mask, width),
                              call(LaneCall::shuffle_xor, value, mask, width));
  }

  // The same among some lanes of the warp. `members` is their mask, and has the caller's bit. All
  // of them must call, with the same mask; each may do so elsewhere in the code.

  /// Waits for the members.
  BALLOTCAST_HD void sync_among(std::uint32_t members) {
    BALLOTCAST_BY_LANE(sync_among(members), call(LaneCall::sync, 0u, members));
  }
  /// The members for which `p` is true, as bits.
  BALLOTCAST_HD std::uint32_t ballot_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(ballot_among(members, p), call(LaneCall::ballot, p, members));
  }
  /// True if `p` is for any member.
  BALLOTCAST_HD bool any_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(any_among(members, p), ballot_among(members, p) != 0u);
  }
  /// True if `p` is for all members.
  BALLOTCAST_HD bool all_among(std::uint32_t members, bool p) {
    return BALLOTCAST_BY_LANE(all_among(members, p), ballot_among(members, p) == members);
  }

  // Collectives of the block, each of them a barrier: all of its lanes must reach them, together.

  /// Waits for the block; what its lanes have stored is there for all of them.
  BALLOTCAST_HD void sync_block() {
    BALLOTCAST_BY_LANE(sync_block(), call(LaneCall::sync_block, 0u));
  }
  /// True if `p` is for any lane.
  BALLOTCAST_HD bool block_or(bool p) {
    return BALLOTCAST_BY_LANE(block_or(p), call(LaneCall::block_or, p) != 0u);
  }
  /// The number of lanes for which `p` is true.
  BALLOTCAST_HD std::uint32_t block_count(bool p) {
    return BALLOTCAST_BY_LANE(block_count(p), call(LaneCall::block_count, p));
  }

  // Atomics of any one lane, in the memory of the device or of the block. They order nothing else.
  // `Word`: std::uint32_t, or std::uint64_t where there are two of a kind.

  /// Adds to a word, and returns what it was before.
  template <class Word>
  BALLOTCAST_HD Word fetch_add(Word* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(fetch_add(address, value),
                              __atomic_fetch_add(address, value, __ATOMIC_RELAXED));
  }
  /// Stores the larger value, and returns what the word was before.
  template <class Word>
  BALLOTCAST_HD Word fetch_max(Word* address, typename TypeOf<Word>::Type value) {
    return BALLOTCAST_BY_LANE(fetch_max(address, value), larger_stored(address, value));
  }
  /// Sets bits, and returns what the word was before.
  BALLOTCAST_HD std::uint32_t fetch_or(std::uint32_t* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(fetch_or(address, value),
                              __atomic_fetch_or(address, value, __ATOMIC_RELAXED));
  }
  /// Stores a value, and returns the one before.
  BALLOTCAST_HD std::uint32_t exchange(std::uint32_t* address, std::uint32_t value) {
    return BALLOTCAST_BY_LANE(exchange(address, value),
                              __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL));
  }
  /// The word that other lanes may be changing.
  BALLOTCAST_HD std::uint32_t load(const std::uint32_t* address) const {
    return BALLOTCAST_BY_LANE(load(address), __atomic_load_n(address, __ATOMIC_RELAXED));
  }
  /// Stores a word that other lanes may be reading.
  BALLOTCAST_HD void store(std::uint32_t* address, std::uint32_t value) {
    BALLOTCAST_BY_LANE(store(address, value), __atomic_store_n(address, value, __ATOMIC_RELAXED));
  }
  /// What this lane stored before it is there for every lane that reads, after a fence of its own,
  /// what this lane stores after it.
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

/// A grid of emulated lanes.
struct Grid {
  std::uint32_t blocks;      ///< how many
  std::uint32_t block_size;  ///< the lanes of each: 32 to 1024, a multiple of 32
  /// 0: the lanes of a block run in the order of their index. Others: in another order for each
  /// number, which also changes while they run.
  std::uint64_t order = 0;
};

/// For the library: calls run(lane, shared) for each lane of a grid; see emulate().
BALLOTCAST_API void run_emulated(const Grid& grid, std::size_t shared_bytes,
                                 const std::function<void(Lane&, void*)>& run);

/// Runs `Kernel` on the CPU: Kernel::run(lane, shared, arguments...) for each lane. Pointers among
/// the arguments are to host memory. Returns when all lanes have. Blocks run on several threads,
/// each on one; a lane has a stack of 64 KiB. Throws UsageError for another size of blocks,
/// DeviceError if lanes wait for others that do not come, and what a lane throws.
template <class Kernel, class... Arguments>
void emulate(const Grid& grid, const Arguments&... arguments) {
  using Shared = typename Kernel::Shared;
  static_assert(alignof(Shared) <= alignof(std::max_align_t), "Shared is aligned too strictly");
  run_emulated(grid, sizeof(Shared), [&](Lane& lane, void* shared) {
    Kernel::run(lane, *static_cast<Shared*>(shared), arguments...);
  });
}

#if defined(__CUDACC__)
/// Runs `Kernel` on a GPU: kernel<Kernel><<<blocks, block_size>>>(arguments...). The launch fails
/// if a block of that size needs more registers than a multiprocessor has: one of 1024 lanes, if
/// Kernel::run needs more than 64, as it does where it casts through a SceneView.
template <class Kernel, class... Arguments>
__global__ void kernel(Arguments... arguments) {
  __shared__ typename Kernel::Shared shared;
  Lane lane;
  Kernel::run(lane, shared, arguments...);
}
#endif

}  // namespace ballotcast::lanes

#undef BALLOTCAST_BY_LANE
