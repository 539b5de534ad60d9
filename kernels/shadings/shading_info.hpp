// What the table of shadings says of a row.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// How a shading's value becomes an 8-bit code.
enum class Encoding {
  srgb,   // linear light in [0, 1]
  light,  // linear light of any strength: exposed, highlights rolled off
  plain,  // shown as it is
};

/// What a shading needs beyond camera rays; sums of these.
enum Needs : u32 {
  kNeedsNothing = 0,
  kNeedsOcclusion = 1,  // asks whether rays are free
  kNeedsBounces = 2,    // sends paths on
  kNeedsVisits = 4,     // reads the number of leaf visits
  kNeedsSoftLight = 8,  // tells light that may be smoothed from the rest, and features
};

/// A row of the table of shadings.
struct ShadingInfo {
  std::string_view name;
  std::string_view summary;
  Encoding encoding;
  u32 samples;  // a pixel, unless asked otherwise
  u32 needs;

  constexpr bool occlusion() const { return (needs & kNeedsOcclusion) != 0; }
  constexpr bool bounces() const { return (needs & kNeedsBounces) != 0; }
  constexpr bool visits() const { return (needs & kNeedsVisits) != 0; }
  constexpr bool soft_light() const { return (needs & kNeedsSoftLight) != 0; }
};

}  // namespace ballotcast::detail
