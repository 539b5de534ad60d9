#pragma once

#include <vector>

#include "kernels/smooth/patches.hpp"

namespace ballotcast::detail::testing {

/// A HalvedArray that owns its memory.
template <class T>
class OwnedHalves {
 public:
  explicit OwnedHalves(u32 count)
      : quads_(HalvedArray<T>::quads_for(count)), view_(quads_.data(), count) {}

  operator HalvedArray<T>() const { return view_; }
  T operator[](u32 i) const { return view_.read(i); }
  void set(u32 i, const T& value) { view_.write(i, value); }

 private:
  std::vector<Quad> quads_;
  HalvedArray<T> view_;
};

}  // namespace ballotcast::detail::testing
