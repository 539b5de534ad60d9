// Reductions: the sum modulo 2^32 of values in global memory. Each pass replaces the values by one
// sum per block.
//
// A reduction is one file here and one row in reductions.hpp:
//
//   struct Name {
//     static constexpr PrimitiveInfo info{"name", "how"};
//     // True: each lane first sums its share of all values (sum_over_stride). False: each lane
//     // takes one value.
//     static constexpr bool kStrided = ...;
//     struct Shared { ... };
//     // Every lane of the block calls this. Lane 0 of the block gets the sum over the block.
//     static u32 sum(lane, shared, value);
//   };
#pragma once

#include <cstring>

#include "kernels/lane.hpp"
#include "kernels/primitives/primitive.hpp"

namespace ballotcast::detail {

/// Four values that are read by one load.
struct FourValues {
  u32 v[4];
};

/// The four values at `from`, which must be aligned to 16 bytes.
BC_HD inline FourValues load_four(const u32* from) {
  FourValues four;
  std::memcpy(&four, __builtin_assume_aligned(from, 16), sizeof four);
  return four;
}

/// The sum of one lane's share of the `count` values. Each load reads four values. Neighbouring
/// lanes load neighbouring values. Between two of its loads, a lane skips the values that the other
/// lanes of the grid load. `values` must be aligned to 16 bytes.
template <class Lane>
BC_DEVICE inline u32 sum_over_stride(const Lane& lane, const u32* values, u32 count) {
  u32 sum = 0;
  const u32 fours = count / 4u, step = lane.grid_size();
  u32 i = lane.id();
  for (; i + step < fours; i += 2u * step) {  // two loads at a time
    const FourValues a = load_four(values + 4u * i), b = load_four(values + 4u * (i + step));
    sum += (a.v[0] + a.v[1] + a.v[2] + a.v[3]) + (b.v[0] + b.v[1] + b.v[2] + b.v[3]);
  }
  if (i < fours) {
    const FourValues a = load_four(values + 4u * i);
    sum += a.v[0] + a.v[1] + a.v[2] + a.v[3];
  }
  const u32 rest = 4u * fours + lane.id();
  return rest < count ? sum + values[rest] : sum;
}

/// One pass: reads each value once and writes one sum per block to `sums`. `count` plus the number
/// of lanes must be below 2^32.
template <class Reduction>
struct ReductionKernel {
  using Shared = typename Reduction::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const u32* BC_RESTRICT values, u32 count,
                            u32* BC_RESTRICT sums) {
    u32 value;
    if constexpr (Reduction::kStrided)
      value = sum_over_stride(lane, values, count);
    else
      value = lane.id() < count ? values[lane.id()] : 0u;
    const u32 sum = Reduction::sum(lane, shared, value);
    if (lane.thread() == 0u) sums[lane.block()] = sum;
  }
};

/// The shared memory of most reductions: one word per lane.
struct ValueOfEachLane {
  u32 values[kLargestBlock];
};

}  // namespace ballotcast::detail
