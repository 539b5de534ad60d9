// Eight vectors, with the operators and functions that a vec3 has; see Lanes8.
#pragma once

#include "math/lanes.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

struct VectorLanes {
  Lanes8 x, y, z;

  VectorLanes() = default;
  explicit VectorLanes(float all) : x(all), y(all), z(all) {}
  explicit VectorLanes(vec3 all) : x(all.x), y(all.y), z(all.z) {}
  VectorLanes(Lanes8 its_x, Lanes8 its_y, Lanes8 its_z) : x(its_x), y(its_y), z(its_z) {}

  VectorLanes where(Ints8 mask) const { return {x.where(mask), y.where(mask), z.where(mask)}; }
  vec3 lane(u32 k) const { return {x.v[k], y.v[k], z.v[k]}; }
  void set_lane(u32 k, vec3 to) { x.v[k] = to.x, y.v[k] = to.y, z.v[k] = to.z; }

  friend VectorLanes operator-(const VectorLanes& a) { return {-a.x, -a.y, -a.z}; }
  friend VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend VectorLanes operator*(const VectorLanes& a, const VectorLanes& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
  }
  friend VectorLanes operator/(const VectorLanes& a, Lanes8 b) {
    return {a.x / b, a.y / b, a.z / b};
  }
};

inline VectorLanes select(Ints8 mask, const VectorLanes& yes, const VectorLanes& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
inline Lanes8 dot(const VectorLanes& a, const VectorLanes& b) {
  const VectorLanes ab = a * b;
  return ab.x + ab.y + ab.z;
}
inline VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
inline VectorLanes unit_or(const VectorLanes& v, const VectorLanes& fallback) {
  const Lanes8 scale = max_of(magnitude_of(v.x), max_of(magnitude_of(v.y), magnitude_of(v.z)));
  const VectorLanes w = v / scale;
  return select((scale > Lanes8(0.0f)) & (scale < Lanes8(3.0e38f)), w / root_of(dot(w, w)),
                fallback);
}

}  // namespace ballotcast::detail
