// Chooses the cases that the synthetic experiments measure.
#pragma once

#include <string>
#include <vector>

#include "backends/benchmarks/runners.hpp"
#include "bench/atomics.hpp"

namespace ballotcast::detail {

inline constexpr u32 kMostRagged = 1024, kMostItems = 64, kMostPayload = 64;

/// A combination of values of the axes; see AtomicsRequest::axes.
struct SyntheticPoint {
  std::string work = "flag";
  std::string lanes = "random";
  double hit_probability = 0.5;
  u32 rays = 16u << 20;
  u32 block_size = CastOptions{}.block_size;
  u32 shards = SyntheticCase{}.shards;
  u32 ragged = 1;
  u32 items = 1;
  u32 payload_bytes = 0;
  u32 bins = SyntheticCase{}.bins;

  bool operator==(const SyntheticPoint&) const = default;
  /// The point as rows have it: names and values of axes.
  Values axes() const;
};

/// The number of axes on which two points differ.
u32 differences(const SyntheticPoint& a, const SyntheticPoint& b);

/// The case of a point, without its kernel and subject. Throws UsageError for an unknown name.
SyntheticCase case_of(const SyntheticPoint& point);

/// All combinations of the requested axes. Other axes have the values of `base`.
std::vector<SyntheticPoint> combined(const AtomicsRequest& request, const SyntheticPoint& base);

/// Like `combined`, for experiment placement, which has only the axes rays and block_size. Other
/// requested axes are ignored.
std::vector<SyntheticPoint> placed(const AtomicsRequest& request, const SyntheticPoint& base);

/// Points that start from `base` and vary one axis at a time: hit_probability, rays and lanes for
/// every kind of work, block_size only for work "flag", ragged only for "fma200".
std::vector<SyntheticPoint> swept(const SyntheticPoint& base, const std::vector<u32>& rays);

}  // namespace ballotcast::detail
