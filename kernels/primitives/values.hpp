// Values that the experiments of `bench primitives` start from and carry from round to round.
#pragma once

#include "math/sampling.hpp"

namespace ballotcast::detail {

/// What lane `id` of the grid starts with.
BC_HD inline u32 start_value(u32 id) { return mix_bits(id + 1u); }

/// The value of the next round, once `got` came back from a vote or shuffle: every bit of every
/// result changes what the lane ends with, so that the last value speaks for all rounds.
BC_HD inline u32 next_value(u32 value, u32 got) { return (value ^ got) * 0x9e3779b1u + 1u; }

}  // namespace ballotcast::detail
