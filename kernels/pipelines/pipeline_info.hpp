// A row of the table of pipelines, and the leaf visits from which counts are computed.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A row of the table of pipelines.
struct PipelineInfo {
  std::string_view name;
  std::string_view summary;
  bool rests;  // true: walks of rays are kept in memory between two kernels (RayBatch::walks)
  u32 queues;  // number of queues of ray ids
};

/// How many leaves the rays of a cast visited. A ray stages one leaf per pass until it is done.
struct LeafVisits {
  u64 sum = 0;             // summed over all rays
  u64 sum_of_busiest = 0;  // over all blocks, the sum of each block's largest visit count
  u64 most = 0;            // largest count of any ray
};

}  // namespace ballotcast::detail
