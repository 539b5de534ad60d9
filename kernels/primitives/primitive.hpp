// What all primitives (votes, shuffles, reductions) share: the type of the rows of their tables,
// and the values that `bench primitives` starts with and updates in each round.
#pragma once

#include <string_view>

#include "math/sampling.hpp"

namespace ballotcast::detail {

/// A row of a table of primitives.
struct PrimitiveInfo {
  std::string_view name;
  std::string_view summary;
};

/// The start value of lane `id` of the grid.
BC_HD inline u32 start_value(u32 id) { return mix_bits(id + 1u); }

/// The lane's value for the next round, where `got` is the result of a vote or shuffle. Every bit
/// of every result changes the final value, so checking the final value checks all rounds.
BC_HD inline u32 next_value(u32 value, u32 got) { return (value ^ got) * 0x9e3779b1u + 1u; }

}  // namespace ballotcast::detail
