// Sets the floating-point mode that this library needs, independent of the mode that the program
// has set.
#pragma once

#include <cfenv>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace ballotcast::detail {

/// While an object of this class exists, floats on this thread and in its tasks
/// (support/threads/parallel.hpp) round to nearest and keep denormals. The destructor restores the
/// mode: the program may have set its processor to flush denormals to zero or to round in another
/// way. If the mode needs no change, this costs next to nothing.
class DefaultFloats {
 public:
  DefaultFloats() : changed_(!are_default()) {
    if (!changed_) return;
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloats() {
    if (changed_) std::fesetenv(&before_);
  }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  /// True if this function has found that the mode needs no change. False on processors where it
  /// can't read the mode.
  static bool are_default() {
#if defined(__SSE__)
    constexpr unsigned kExceptionFlags = 0x3fu, kDefault = 0x1f80u;
    return (_mm_getcsr() & ~kExceptionFlags) == kDefault;
#else
    return false;
#endif
  }

  bool changed_;
  std::fenv_t before_;
};

}  // namespace ballotcast::detail
