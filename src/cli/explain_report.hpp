// What `explain` prints and draws.
#pragma once

#include <string>

#include "render/explain.hpp"

namespace ballotcast::detail {

/// An explanation and where it holds.
struct ExplainReport {
  Explanation explanation;
  std::string scene, builder, layout;
  u32 levels = 0;  // of the tree
  u64 triangles = 0;
  dvec3 origin{0.0};   // of the scene: added to places
  std::string device;  // that cast the same ray
  Hit device_hit{};

  bool same() const { return same_bits(explanation.hit, device_hit); }
};

/// For people, 80 columns wide.
std::string explain_text(const ExplainReport& report);

/// Everything, bits of floats included.
std::string explain_json(const ExplainReport& report);

/// A picture of the ray on its way through the boxes it entered: seen from the side, the ray from
/// left to right.
std::string explain_svg(const ExplainReport& report);

}  // namespace ballotcast::detail
