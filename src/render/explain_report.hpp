// An explanation in words and as JSON: the output of `ballotcast explain`.
#pragma once

#include <string>
#include <string_view>

#include "ballotcast/renderer.hpp"
#include "render/explain.hpp"

namespace ballotcast::detail {

/// An explanation, with the scene and device that it is about.
struct ExplainReport {
  Explanation explanation;
  std::string scene, builder, layout;
  u32 levels = 0;            // levels of the tree
  bool packed_tree = false;  // it was packed, and not built
  std::string_view cache;    // name_of(CacheUse); "" without --cache
  u64 triangles = 0, instances = 0;
  Location at{};       // of the hit, in a scene with instances
  dvec3 origin{0.0};   // origin of the scene, which is added to positions
  std::string device;  // the device that cast the same ray
  Hit device_hit{};

  /// True if the device found the same. Of any hits it tells only that there is one.
  bool same() const {
    return explanation.kind == RayKind::any ? explanation.hit.found() == device_hit.found()
                                            : same_bits(explanation.hit, device_hit);
  }
};

/// Explains a ray, and casts it on the renderer's device. The world must exist.
ExplainReport explained(Renderer& renderer, const Ray& ray, RayKind kind, u32 world = 0);

/// The explanation as text for people, 80 columns wide.
std::string explain_text(const ExplainReport& report);

/// The whole explanation as JSON, including the bits of the hits' floats.
std::string explain_json(const ExplainReport& report);

}  // namespace ballotcast::detail
