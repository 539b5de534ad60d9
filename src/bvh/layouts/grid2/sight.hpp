// The boxes in grid2's nodes as a group of rays sees them.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/grid2/node.hpp"
#include "geometry/frustum.hpp"

namespace ballotcast::detail::grid2 {

/// Turns codes into a SeenBox: coordinate = q * scale + addend, where q is the float in [1, 2) that
/// stands for a code.
struct Sight {
  vec3 scale, first_addend, last_addend;
  u32 order_x, order_y, order_z;  // kLowFirst or kHighFirst
};

/// `origin` is in the order of the axes kx, ky, kz. `slack`: that of a RaySetup.
BC_HD inline Sight sight_from(vec3 origin, const GroupSigns& signs, float slack,
                              const TreeShape& shape) {
  Sight s;
  s.scale = in_order_of(signs.kz, shape.code_scale);
  vec3 way = in_order_of(signs.kz, shape.code_offset) - origin;
  const auto turn = [&](u32 bit, float& scale, float& addend) {
    if ((signs.down & bit) == 0u) return kLowFirst;
    scale = -scale, addend = -addend;
    return kHighFirst;
  };
  s.order_x = turn(1u, s.scale.x, way.x);
  s.order_y = turn(2u, s.scale.y, way.y);
  s.order_z = turn(4u, s.scale.z, way.z);
  const float wide = kGroupSlack * slack;
  s.first_addend = {way.x - wide, way.y - wide, way.z - wide};
  s.last_addend = {way.x + wide, way.y + wide, way.z + wide};
  return s;
}

BC_HD inline SeenBox seen(const Child& c, const Sight& s, u32 kz) {
  const u32 x = kz == 2u ? c.x : kz == 1u ? c.z : c.y;
  const u32 y = kz == 2u ? c.y : kz == 1u ? c.x : c.z;
  const u32 z = kz == 2u ? c.z : kz == 1u ? c.y : c.x;
  return {{fused(first_code(x, s.order_x), s.scale.x, s.first_addend.x),
           fused(first_code(y, s.order_y), s.scale.y, s.first_addend.y),
           fused(first_code(z, s.order_z), s.scale.z, s.first_addend.z)},
          {fused(last_code(x, s.order_x), s.scale.x, s.last_addend.x),
           fused(last_code(y, s.order_y), s.scale.y, s.last_addend.y),
           fused(last_code(z, s.order_z), s.scale.z, s.last_addend.z)}};
}

}  // namespace ballotcast::detail::grid2
