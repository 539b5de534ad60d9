// The values that the experiments of `bench primitives` start with and update in each round.
#pragma once

#include "math/sampling.hpp"

namespace ballotcast::detail {

/// The start value of lane `id` of the grid.
BC_HD inline u32 start_value(u32 id) { return mix_bits(id + 1u); }

/// The lane's value for the next round, where `got` is the result of a vote or shuffle. Every bit
/// of every result changes the final value, so checking the final value checks all rounds.
BC_HD inline u32 next_value(u32 value, u32 got) { return (value ^ got) * 0x9e3779b1u + 1u; }

}  // namespace ballotcast::detail
