#include "support/threads.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

namespace ballotcast {

void with_threads(std::uint32_t threads, const std::function<void()>& work) {
  if (threads == 0) return work();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(work);
}

unsigned thread_count() { return static_cast<unsigned>(tbb::this_task_arena::max_concurrency()); }

}  // namespace ballotcast
