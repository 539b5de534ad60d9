// How to run a cast: the parameters of pipelines besides rays.
#pragma once

#include <functional>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Who decides whether another pass follows (CastOptions::loop).
struct Loop {
  enum class Who {
    host,   // the host, which reads the counter back every `every` passes
    graph,  // the machine, after every pass; on a GPU by a WHILE node of a CUDA graph
  };
  Who who = Who::host;
  u32 every = 1;
};

/// How to run a cast.
struct CastPlan {
  u32 block_size = 256;
  Loop loop;
  /// The number of passes, for strategies that count nothing; taken from an earlier run. 0 means:
  /// count the passes first, with another strategy.
  u32 passes = 0;
  /// Called after each pass with the ids of the rays that are still alive. Only pipeline queue
  /// calls it, and only if the host reads the counter after every pass. For checks; it costs time.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

}  // namespace ballotcast::detail
