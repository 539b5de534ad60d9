// A row of the table of pipelines, and the settings of a cast besides the scene and the rays.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "ballotcast/options.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A row of the table of pipelines.
struct PipelineInfo {
  std::string_view name;
  std::string_view summary;
  bool rests;  // true: walks are kept in memory between kernels (RayBatch::walks)
  u32 queues;  // number of queues of ray ids that the pipeline needs
};

/// The order of the ids in queues (CastOptions::order).
enum class QueueOrder : u8 {
  any,    // slots are reserved by atomics, in the order in which blocks happen to run
  lanes,  // lanes only note that they go on; notes become the queue (kernels/slots/later.hpp)
};

/// How many leaves the rays of a cast visited. In each pass, a ray reaches ("stages") one leaf,
/// until it is done.
struct LeafVisits {
  u64 sum = 0;             // summed over all rays
  u64 sum_of_busiest = 0;  // the largest visit count in each block, summed over all blocks
  u64 most = 0;            // largest count of any ray
};

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
  u32 block_size = CastOptions{}.block_size;
  Loop loop;
  /// For strategies that count nothing: the number of passes, known from an earlier run. 0: the
  /// pipeline first runs the cast once with a strategy that counts.
  u32 passes = 0;
  /// For checks: called after each pass whose counter the host reads, with the ids of the rays that
  /// are still alive. Only pipeline queue calls it, and only with Loop::Who::host. It costs time.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

}  // namespace ballotcast::detail
