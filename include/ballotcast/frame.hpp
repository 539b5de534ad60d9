// The results of casting and drawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/ray.hpp"

namespace ballotcast {

/// What a cast did. These numbers are the same on every device.
struct CastCounts {
  std::uint64_t rays = 0;     ///< rays that were cast
  std::uint64_t passes = 0;   ///< number of times that the counter was read
  std::uint64_t counter = 0;  ///< sum of these readings; what it counts depends on the strategy

  /// Adds the counts of another cast.
  void add(const CastCounts& other) {
    rays += other.rays;
    passes += other.passes;
    counter += other.counter;
  }
};

/// The total time of one kind of work.
struct StageTime {
  std::string name;           ///< name of the stage: closest hits, shade, film, ...
  double milliseconds = 0.0;  ///< summed over the whole frame
};

/// A picture, and how it was made.
struct Frame {
  Image<Rgb8> image;              ///< the picture
  std::vector<Hit> hits;          ///< if kept: hits[(y * width + x) * samples + s]
  CastCounts counts;              ///< summed over all casts
  float exposure = 1.0f;          ///< the exposure that the picture was made with
  std::vector<StageTime> stages;  ///< the time of each stage
};

/// All hits of many rays.
struct AllHits {
  /// One element more than rays; the last is the number of hits.
  std::vector<std::uint64_t> starts;
  std::vector<Hit> hits;  ///< hits of ray i: hits[starts[i]] up to before hits[starts[i + 1]]

  /// The hits of one ray, sorted by t and then by id. For a far ray many hits may have the same t;
  /// these are sorted by their distance from a point near the scene.
  Span<const Hit> of(std::size_t ray) const {
    return {hits.data() + starts[ray], static_cast<std::size_t>(starts[ray + 1] - starts[ray])};
  }
};

/// The 64-bit FNV-1a hash of each hit's four little-endian words t, triangle, u, v: 16 hexadecimal
/// digits.
BALLOTCAST_API std::string hash_of(Span<const Hit> hits);

}  // namespace ballotcast
