#include "support/float_environment.hpp"

#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace ballotcast::detail {

namespace {

/// True if the mode is known to need no change. False on machines where this function can't read
/// it.
bool are_default() {
#if defined(__SSE__)
  constexpr unsigned kExceptionFlags = 0x3fu, kDefault = 0x1f80u;
  return (_mm_getcsr() & ~kExceptionFlags) == kDefault;
#else
  return false;
#endif
}

}  // namespace

DefaultFloats::DefaultFloats() : changed_(!are_default()) {
  if (!changed_) return;
  std::fegetenv(&before_);
  std::fesetenv(FE_DFL_ENV);
}

DefaultFloats::~DefaultFloats() {
  if (changed_) std::fesetenv(&before_);
}

}  // namespace ballotcast::detail
