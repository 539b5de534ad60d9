// Sets the floating-point mode that this library needs, whatever mode the program around it uses.
#pragma once

#include <cfenv>

namespace ballotcast::detail {

/// During its lifetime, floats on this thread and in its tasks (support/parallel.hpp) round to
/// nearest and keep denormals. Afterwards the mode is as before: the program may have set its
/// processor to flush denormals to zero or to round in another way. If the mode needs no change,
/// this costs next to nothing.
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
