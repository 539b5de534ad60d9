// How a cast is run: the numbers that pipelines get besides rays.
#pragma once

#include <functional>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Who decides whether another pass follows: a choice of CastOptions::loop.
struct Loop {
  enum class Who {
    host,   // reads the counter back every `every` passes
    graph,  // the machine itself, after every pass: on a GPU a WHILE node of a CUDA graph
  };
  Who who = Who::host;
  u32 every = 1;
};

/// How a cast is run.
struct CastPlan {
  u32 block_size = 256;
  Loop loop;
  /// For strategies that count nothing: the passes to do, as an earlier run counted them. 0: count
  /// first, with another strategy.
  u32 passes = 0;
  /// Pipeline queue with a host that reads every pass: called after each with the ids of the rays
  /// that are still alive. For checks; it costs time.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

}  // namespace ballotcast::detail
