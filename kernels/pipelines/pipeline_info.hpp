// What the table of pipelines says of a row.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A row of the table of pipelines.
struct PipelineInfo {
  std::string_view name;
  std::string_view summary;
  bool rests;  // do rays rest in memory between two kernels? Then a batch has walks
  u32 queues;  // how many queues of ray ids it takes
};

/// How many leaves the rays of a cast visited. A ray stages one leaf per pass until it is done.
struct LeafVisits {
  u64 sum = 0;             // over all rays
  u64 sum_of_busiest = 0;  // over all blocks: of the ray of the block that visited most
  u64 most = 0;            // of any ray
};

}  // namespace ballotcast::detail
