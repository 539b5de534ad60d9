// Floats as this library wants them, whatever the program around it has set.
#pragma once

#include <cfenv>

namespace ballotcast {

/// While it lives, floats on this thread round to nearest and keep denormals; then everything is as
/// it was: a program may have asked its processor to flush denormals to zero, or to round
/// otherwise, and keeps that. Where nothing was changed this costs next to nothing.
class DefaultFloats {
 public:
  DefaultFloats();
  ~DefaultFloats();
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  bool changed_;
  std::fenv_t before_;
};

/// Returns what `work` returns, which sees floats so, here and in tasks (support/parallel.hpp).
template <class Work>
auto with_default_floats(Work work) {
  const DefaultFloats here;
  return work();
}

}  // namespace ballotcast
