// The emulated machine, with what building trees needs besides.
#pragma once

#include "backends/emulated/machine.hpp"
#include "bvh/ploc/numbering.hpp"
#include "kernels/build/steps.hpp"
#include "support/radix_sort.hpp"

namespace ballotcast::detail {

/// A Machine for kernels/build/build.hpp.
class EmulatedBuildMachine : public WithBuildSteps<EmulatedMachine> {
 public:
  using WithBuildSteps<EmulatedMachine>::WithBuildSteps;

  template <class T>
  void zero(std::vector<T>& buffer) {
    fill(buffer, 0);
  }
  template <class T>
  void ones(std::vector<T>& buffer) {
    fill(buffer, 0xff);
  }

  void sort_by_key(std::vector<u64>& keys, std::vector<u32>& values, u32 count, u32 bits) {
    keys.resize(count);
    values.resize(count);
    detail::sort_by_key(keys, values, bits);
  }

  void sum_before(const std::vector<u8>& slots, u32 count, std::vector<ploc::Before>& before) {
    before[0] = {0, 0};
    for (u32 i = 0; i < count; ++i) before[i + 1] = before[i] + ploc::counted(slots[i]);
  }

 private:
  template <class T>
  static void fill(std::vector<T>& buffer, int byte) {
    std::memset(static_cast<void*>(buffer.data()), byte, buffer.size() * sizeof(T));
  }
};

}  // namespace ballotcast::detail
