// Strategies: how the lanes of a grid tell a counter in global memory that they staged a leaf.
//
// A strategy is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr StrategyInfo info{"name", Counts::..., "what it costs"};
//     struct Shared { ... };
//     // Every lane of the block calls each of these, once a launch.
//     static void report(lane, shared, counter, staged);             // pipeline `passes`
//     static u32 reserve(lane, shared, counter, wanted);             // pipeline `queue`
//   };
//
// `report` makes the counter nonzero exactly when some lane staged; what the number means is
// `info.counts`. `reserve` gives each lane that wants one a slot of its own in [0, lanes that want
// one) and leaves that number in the counter; lanes that want none get any value.
#pragma once

#include <string_view>

#include "kernels/lane.hpp"

namespace ballotcast {

/// What a strategy's `report` leaves in the counter.
enum class Counts {
  rays,    // the number of rays that staged a leaf
  blocks,  // the number of blocks in which some ray did
};

/// A row of the table of strategies.
struct StrategyInfo {
  std::string_view name;
  Counts counts;
  std::string_view summary;
};

/// The global counter.
struct CounterView {
  u32* value;
  u32 never;  // 0xffffffff, unknown to the compiler: see Naive
};

}  // namespace ballotcast
