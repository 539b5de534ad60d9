#include "support/float_environment.hpp"

#include <oneapi/tbb/task_arena.h>

#include <cfenv>
#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace ballotcast {

namespace {

/// Is there nothing to change?
bool are_default() {
#if defined(__SSE__)
  constexpr unsigned kExceptionFlags = 0x3fu, kDefault = 0x1f80u;
  return (_mm_getcsr() & ~kExceptionFlags) == kDefault;
#else
  return false;
#endif
}

class DefaultFloats {
 public:
  DefaultFloats() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloats() { std::fesetenv(&before_); }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace

void run_with_default_floats(const std::function<void()>& work) {
  if (are_default()) return work();
  const DefaultFloats here;
  // An arena's threads take over the settings of the thread that makes it.
  tbb::task_arena arena(tbb::this_task_arena::max_concurrency());
  arena.execute(work);
}

}  // namespace ballotcast
