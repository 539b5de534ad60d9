// Floats as this library wants them, whatever the program around it has set.
#pragma once

#include <cfenv>

namespace ballotcast::detail {

/// While it lives, floats on this thread, and in its tasks (support/parallel.hpp), round to nearest
/// and keep denormals; then everything is as it was: a program may have asked its processor to
/// flush denormals to zero, or to round otherwise, and keeps that. Where nothing was changed this
/// costs next to nothing.
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

}  // namespace ballotcast::detail
