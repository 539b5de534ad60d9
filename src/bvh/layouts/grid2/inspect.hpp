// Children of grid2's nodes, for people to read.
#pragma once

#include "bvh/layouts/grid2/walk.hpp"
#include "bvh/layouts/inspected_child.hpp"

namespace ballotcast::detail::grid2 {

inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs, const TreeShape& shape) {
  const Child& c = n.child[side];
  const auto place = [](u32 code, float scale, float offset) {
    return (1.0f + static_cast<float>(code) * 0x1p-16f) * scale + offset;
  };
  const auto corner_at = [&](u32 shift) {
    const auto code = [&](u32 word) { return word >> shift & 0xffffu; };
    return vec3(place(code(c.x), shape.code_scale.x, shape.code_offset.x),
                place(code(c.y), shape.code_scale.y, shape.code_offset.y),
                place(code(c.z), shape.code_scale.z, shape.code_offset.z));
  };
  const float entry = float_of(static_cast<u32>(span_of(c, slabs).entry)) - slabs.shift;
  return {c.reference, {corner_at(0), corner_at(16)}, entry};
}

}  // namespace ballotcast::detail::grid2
