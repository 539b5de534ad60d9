#include "support/threads.hpp"

#include "support/stop.hpp"
#include "support/thread_sanitizer.hpp"
#if defined(BALLOTCAST_TSAN)
#include "support/plain_threads.hpp"
#else
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace ballotcast {

void with_threads(std::uint32_t threads, const std::function<void()>& work) {
  if (threads == 0) return work();
#if defined(BALLOTCAST_TSAN)
  detail::plain_threads::with_limit(threads, work);
#else
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(work);
#endif
}

void stoppable(const std::function<bool()>& wants_stop, const std::function<void()>& work) {
  detail::StopQuestion question(wants_stop);
  const detail::WorksFor here(&question);
  work();
}

namespace detail {

unsigned thread_count() {
#if defined(BALLOTCAST_TSAN)
  return plain_threads::limit();
#else
  return static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
#endif
}

}  // namespace detail
}  // namespace ballotcast
