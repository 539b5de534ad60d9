// A row of the table of shadings.
#pragma once

#include <string_view>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// How the radiance that a shading computes becomes 8-bit colour codes.
enum class Encoding {
  srgb,   // linear light in [0, 1], encoded as sRGB
  light,  // linear light of any strength: exposure, then roll-off of highlights, then sRGB
  plain,  // the value itself, scaled to 0..255
};

/// What a shading needs besides camera rays. The bits can be combined.
enum Needs : u32 {
  kNeedsNothing = 0,
  kNeedsOcclusion = 1,  // occlusion rays
  kNeedsBounces = 2,    // paths that bounce
  kNeedsVisits = 4,     // the number of leaf visits
  kNeedsSoftLight = 8,  // soft light kept apart from other light, and features of surfaces
  kNeedsRange = 16,     // the range of distances in the picture
};

/// A row of the table of shadings.
struct ShadingInfo {
  std::string_view name;
  std::string_view summary;
  Encoding encoding;
  u32 samples;  // samples per pixel, unless the user asks for another number
  u32 needs;

  constexpr bool occlusion() const { return (needs & kNeedsOcclusion) != 0; }
  constexpr bool bounces() const { return (needs & kNeedsBounces) != 0; }
  constexpr bool visits() const { return (needs & kNeedsVisits) != 0; }
  constexpr bool range() const { return (needs & kNeedsRange) != 0; }
  constexpr bool soft_light() const { return (needs & kNeedsSoftLight) != 0; }
};

}  // namespace ballotcast::detail
