// Arrays in the layout in which a GPU reads them fastest.
#pragma once

#include <cstring>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// 16 bytes: as much as a GPU reads or writes with one instruction.
struct alignas(16) Quad {
  u32 words[4];
};

/// An array of `count` objects of 32 bytes. First come the first halves of all, then the second
/// halves:
///
///     |a0|b0|c0|d0| .. |a1|b1|c1|d1| ..
///
/// So neighbouring lanes read neighbouring 16 bytes. With whole objects side by side, they would
/// read every second 16 bytes, which takes twice as long. Does not own the memory.
template <class T>
class HalvedArray {
 public:
  static_assert(sizeof(T) == 2 * sizeof(Quad));
  static constexpr u32 quads_for(u32 count) { return 2u * count; }

  /// `quads` has quads_for(count) elements.
  HalvedArray(Quad* quads, u32 count) : quads_(quads), count_(count) {}

  /// Nothing may write to the array while a kernel reads it.
  BC_HD T read(u32 i) const {
    const Quad halves[2] = {read_whole(quads_ + i), read_whole(quads_ + count_ + i)};
    T value;
    memcpy(&value, halves, sizeof value);
    return value;
  }

  BC_HD void write(u32 i, const T& value) const {
    Quad halves[2];
    memcpy(halves, &value, sizeof value);
    quads_[i] = halves[0];
    quads_[count_ + i] = halves[1];
  }

 private:
  Quad* quads_;
  u32 count_;
};

}  // namespace ballotcast::detail
