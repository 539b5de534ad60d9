// The emulated machine, with what building trees needs besides.
#pragma once

#include "backends/emulated/machine.hpp"
#include "bvh/ploc/numbering.hpp"
#include "kernels/build/lane_step.hpp"
#include "support/radix_sort.hpp"

namespace ballotcast::detail {

/// A Machine for kernels/build/build.hpp.
class EmulatedBuildMachine : public EmulatedMachine {
 public:
  using EmulatedMachine::EmulatedMachine;

  template <class T>
  void zero(std::vector<T>& buffer) {
    fill(buffer, 0);
  }
  template <class T>
  void ones(std::vector<T>& buffer) {
    fill(buffer, 0xff);
  }

  template <class Step, class... Views>
  void each_lane(const char* description, u32 count, const Views&... views) {
    if (count == 0) return;
    constexpr u32 kBlockSize = LaneStep<Step>::kBlockSize;
    launch<LaneStep<Step>>(description, blocks_for(count, kBlockSize), kBlockSize, count, views...);
  }

  void sort_by_key(std::vector<u64>& keys, std::vector<u32>& values, u32, u32 bits) {
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
