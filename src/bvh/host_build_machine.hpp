// Runs steps of building on the host. Host and device share the code of these steps.
//
// Code that builds takes a Machine, here HostBuildMachine. Every Machine offers:
//   make<T>(count)                      a buffer in the memory of the machine, with any content
//   zero(buffer)                        sets every bit of a buffer to 0
//   download(to, from, count)           copies elements from the machine to the host
//   each<Step>(description, count, views...)
//                                       runs Step::item(i, views...) for each i below `count`
//   each_lane<Step>(description, count, views...)
//                                       runs Step::item(lane, i, views...) for each i below
//                                       `count`; a lane offers what HostLane does
//   sort_by_key(keys, values, count, bits)
//                                       sorts two buffers by the lowest `bits` bits of the keys;
//                                       equal keys keep their order
//   sum_before(slots, count, before)    before[i] = sum of counted(slots[j]) over all j < i, for i
//                                       up to `count`
//   grow_cells(elements, cells)         see bvh/ploc/presplit.hpp
//   rebuild_treelets(tree, shift, begins)
//                                       see bvh/reinsertion/treelets.hpp
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "bvh/ploc/presplit.hpp"
#include "bvh/reinsertion/treelets.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// The members of a Lane (kernels/lane.hpp) that steps without collective operations use, for
/// threads of the host.
struct HostLane {
  static u32 fetch_add(u32* address, u32 value) {
    return std::atomic_ref(*address).fetch_add(value, std::memory_order_acq_rel);
  }
  static u64 fetch_add(u64* address, u32 value) {
    return std::atomic_ref(*address).fetch_add(value, std::memory_order_relaxed);
  }
  template <class Word>
  static Word fetch_max(Word* address, Word value) {
    const std::atomic_ref place(*address);
    Word old = place.load(std::memory_order_relaxed);
    while (old < value && !place.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
    }
    return old;
  }
  // Not needed, because fetch_add itself orders the operations before and after it
  static void fence() {}
};

/// A Machine that runs steps on the host.
class HostBuildMachine {
 public:
  template <class T>
  std::vector<T> make(std::size_t count) {
    return std::vector<T>(count);
  }
  template <class T>
  void zero(std::vector<T>& buffer) {
    for_each_range<std::size_t>(buffer.size(), 1u << 16, [&](std::size_t begin, std::size_t end) {
      std::memset(static_cast<void*>(buffer.data() + begin), 0, (end - begin) * sizeof(T));
    });
  }

  template <class Step, class... Views>
  void each(const char*, u32 count, const Views&... views) {
    for_each_range<u32>(count, kGrain, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) Step::item(i, views...);
    });
  }
  template <class Step, class... Views>
  void each_lane(const char*, u32 count, const Views&... views) {
    for_each_range<u32>(count, kGrain, [&](u32 begin, u32 end) {
      HostLane lane;
      for (u32 i = begin; i < end; ++i) Step::item(lane, i, views...);
    });
  }

  void grow_cells(const ploc::Elements& elements, ploc::Cell* cells) {
    for_each_range<u32>(elements.count, kGrain, [&](u32 begin, u32 end) {
      HostLane lane;
      ploc::grow_cells_on_host(lane, begin, end, elements, cells);
    });
  }

  void rebuild_treelets(const reinsertion::LooseTree& tree, u32 shift, const u8* begins) {
    reinsertion::rebuild_treelets_on_host(tree, shift, begins);
  }

  void sort_by_key(std::vector<u64>& keys, std::vector<u32>& values, u32, u32 bits) {
    detail::sort_by_key(keys, values, bits);
  }

  void sum_before(const std::vector<u8>& slots, u32 count, std::vector<ploc::Before>& before) {
    sum_before(slots.data(), count, before.data());
  }
  void sum_before(const u8* slots, u32 count, ploc::Before* before) {
    const u32 ranges = count / kRange + 1;
    std::vector<ploc::Before> sums(ranges + 1, ploc::Before{0, 0});
    for_each_index(ranges, [&](u32 range) {
      ploc::Before sum{0, 0};
      for (u32 i = range * kRange; i < end_of(range, count); ++i)
        sum = sum + ploc::counted(slots[i]);
      sums[range + 1] = sum;
    });
    for (u32 range = 0; range < ranges; ++range) sums[range + 1] = sums[range] + sums[range + 1];
    for_each_index(ranges, [&](u32 range) {
      ploc::Before sum = sums[range];
      for (u32 i = range * kRange; i < end_of(range, count); ++i) {
        before[i] = sum;
        sum = sum + ploc::counted(slots[i]);
      }
    });
    before[count] = sums[ranges];
  }

  template <class T>
  void download(T* to, const T* from, std::size_t count) {
    std::copy_n(from, count, to);
  }

 private:
  static constexpr u32 kGrain = 1024;      // number of elements that a task runs a step for
  static constexpr u32 kRange = 1u << 14;  // number of elements that one task adds up

  static u32 end_of(u32 range, u32 count) { return std::min(count, (range + 1) * kRange); }
};

}  // namespace ballotcast::detail
