// What casting and drawing give back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/ray.hpp"

namespace ballotcast {

/// What a cast did. The same on every device.
struct CastCounts {
  std::uint64_t rays = 0;     ///< rays that were cast
  std::uint64_t passes = 0;   ///< how often the counter was read
  std::uint64_t counter = 0;  ///< the sum of what was read; what it counts depends on the strategy

  /// Adds what another cast did.
  void add(const CastCounts& other) {
    rays += other.rays;
    passes += other.passes;
    counter += other.counter;
  }
};

/// The total time of one kind of work.
struct StageTime {
  std::string name;
  double milliseconds = 0.0;
};

/// A picture, and how it was made.
struct Frame {
  Image<Rgb8> image;
  std::vector<Hit> hits;  ///< if kept: hits[(y * width + x) * samples + s]
  CastCounts counts;      ///< over all casts
  float exposure = 1.0f;  ///< that the picture was developed with
  std::vector<StageTime> stages;
};

/// All hits of many rays.
struct AllHits {
  std::vector<std::uint64_t> starts;  ///< one more than rays; the last is the number of hits
  std::vector<Hit> hits;              ///< those of ray i: hits[starts[i]] up to hits[starts[i + 1]]

  /// The hits of one ray, by t and then by id.
  Span<const Hit> of(std::size_t ray) const {
    return {hits.data() + starts[ray], static_cast<std::size_t>(starts[ray + 1] - starts[ray])};
  }
};

/// FNV-1a, 64 bits, of each hit's four little-endian words t, triangle, u, v: 16 hexadecimal
/// digits.
BALLOTCAST_API std::string hash_of(Span<const Hit> hits);

}  // namespace ballotcast
