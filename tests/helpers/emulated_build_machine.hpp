// The emulated machine, with the functions that building trees needs.
#pragma once

#include <algorithm>

#include "backends/emulated/emulated_machine.hpp"
#include "bvh/ploc/cluster.hpp"
#include "kernels/build/steps.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// A Machine for kernels/build/build.hpp.
class EmulatedBuildMachine : public WithBuildSteps<EmulatedMachine> {
 public:
  using WithBuildSteps<EmulatedMachine>::WithBuildSteps;

  /// Returns a std::vector, because sort_by_key needs it.
  template <class T>
  std::vector<T> make(std::size_t count) {
    return std::vector<T>(count);
  }

  template <class T>
  void zero(std::vector<T>& buffer) {
    if (!buffer.empty())
      std::memset(static_cast<void*>(buffer.data()), 0, buffer.size() * sizeof(T));
  }
  void ones(u32* words, u32 count) { std::fill_n(words, count, 0xffffffffu); }

  void sort_by_key(std::vector<u64>& keys, std::vector<u32>& values, u32 count, u32 bits) {
    keys.resize(count);
    values.resize(count);
    detail::sort_by_key(keys, values, bits);
  }
  void sort_by_key(u64* keys, u32* values, u64* spare_keys, u32* spare_values, u32 count,
                   u32 bits) {
    std::vector<u64> some_keys(keys, keys + count);
    std::vector<u32> some_values(values, values + count);
    detail::sort_by_key(some_keys, some_values, bits);
    std::copy_n(some_keys.data(), count, keys);
    std::copy_n(some_values.data(), count, values);
    std::fill_n(spare_keys, count, ~u64{0});  // overwritten, because a GPU overwrites them, too
    std::fill_n(spare_values, count, ~u32{0});
  }

  void sum_before(const std::vector<u8>& slots, u32 count, std::vector<ploc::Before>& before) {
    sum_before(slots.data(), count, before.data());
  }
  void sum_before(const u8* slots, u32 count, ploc::Before* before) {
    before[0] = {0, 0};
    for (u32 i = 0; i < count; ++i) before[i + 1] = before[i] + ploc::counted(slots[i]);
  }
};

}  // namespace ballotcast::detail
