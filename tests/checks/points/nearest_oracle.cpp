#include "checks/points/nearest_oracle.hpp"

#include <algorithm>
#include <limits>

#include "checks/edges/distance.hpp"
#include "geometry/point_triangle.hpp"

namespace ballotcast::detail::points {

using testing::Between;
using testing::Integer;
using testing::Part;
using testing::Unsure;
using testing::Wide;

namespace {

double length_of(const dvec3& v) { return std::sqrt(squared_length(v)); }

/// True if all differences of coordinates are exact in double precision.
bool differences_are_exact(vec3 point, const std::array<vec3, 3>& t) {
  const vec3 at[4] = {point, t[0], t[1], t[2]};
  for (u32 i = 0; i < 4; ++i)
    for (u32 k = 0; k < i; ++k)
      for (u32 axis = 0; axis < 3; ++axis)
        if (testing::sum_of(double{component(at[i], axis)}, -double{component(at[k], axis)}).low !=
            0.0)
          return false;
  return true;
}

}  // namespace

NearestOracle::NearestOracle(const Mesh& mesh) : mesh_(mesh), last_digit_(0) {
  for (u32 id = 0; id < mesh.triangles.size(); ++id) {
    const std::array<vec3, 3> t = corners(id);
    const dvec3 center = (dvec3(t[0]) + dvec3(t[1]) + dvec3(t[2])) / 3.0;
    double radius = 0.0;
    for (const vec3 corner : t) {
      radius = std::max(radius, length_of(dvec3(corner) - center));
      last_digit_ = testing::last_digit(corner, last_digit_);
    }
    balls_.push_back({center, radius});
  }
}

std::array<vec3, 3> NearestOracle::corners(u32 id) const {
  const uvec3 t = mesh_.triangles[id];
  return {mesh_.positions[t.x], mesh_.positions[t.y], mesh_.positions[t.z]};
}

double NearestOracle::farthest_corner(vec3 point, u32 id) const {
  double most = 0.0;
  for (const vec3 corner : corners(id))
    most = std::max(most, length_of(dvec3(corner) - dvec3(point)));
  return most;
}

double NearestOracle::allowed(vec3 point, u32 id) const {
  return (differences_are_exact(point, corners(id)) ? kTooLarge : kTooLargeRounded) *
         farthest_corner(point, id);
}

template <class Number>
NearestOracle::Seen<Number> NearestOracle::seen(vec3 point, u32 id) const {
  const int unit = testing::last_digit(point, last_digit_);
  const auto part = testing::closest_part(testing::seen_from<Number>(point, corners(id), unit));
  return {id, part, testing::distance_to(part, unit)};
}

Between NearestOracle::distance(vec3 point, u32 id) const {
  try {
    return seen<Wide>(point, id).distance;
  } catch (const Unsure&) {
    return seen<Integer>(point, id).distance;
  }
}

std::vector<u32> NearestOracle::candidates(vec3 point) const {
  // All bounds below are widened by more than their rounding.
  constexpr double kMore = 1.0 + 0x1p-40;
  const dvec3 p(point);
  struct Near {
    u32 id;
    double least;
  };
  double most = std::numeric_limits<double>::infinity();
  for (const uvec3 t : mesh_.triangles)
    most = std::min(most, squared_length(dvec3(mesh_.positions[t.x]) - p));
  most = std::sqrt(most) * kMore;
  std::vector<Near> found;
  for (u32 id = 0; id < balls_.size(); ++id) {
    const auto& [center, radius] = balls_[id];
    const dvec3 way = center - p;
    const double reach = most + radius * kMore;
    if (squared_length(way) > reach * reach * kMore) continue;
    // Nothing of a triangle is closer, along any direction, than its closest corner is.
    const double length = length_of(way);
    if (length > radius) {
      double along = std::numeric_limits<double>::infinity();
      for (const vec3 corner : corners(id))
        along = std::min(along, dot(dvec3(corner) - p, way) / length);
      if (along > most + 0x1p-40 * (length + radius)) continue;
    }
    const Between of = distance(point, id);
    most = std::min(most, of.most);
    found.push_back({id, of.least});
  }
  std::vector<u32> ids;
  for (const Near& s : found)
    if (s.least <= most) ids.push_back(s.id);
  return ids;
}

template <class Number>
bool NearestOracle::share_place(const Seen<Number>& a, const Seen<Number>& b) const {
  if (a.id == b.id) return true;
  if (a.part.part != b.part.part || a.part.part == Part::inside) return false;
  const auto ca = corners(a.id), cb = corners(b.id);
  const u32 i = a.part.index, k = b.part.index;
  if (a.part.part == Part::corner) return ca[i] == cb[k];
  const vec3 &from = ca[i], &to = ca[(i + 1) % 3], &other = cb[k], &there = cb[(k + 1) % 3];
  return (from == other && to == there) || (from == there && to == other);
}

template <class Number>
NearestOracle::Closest NearestOracle::closest(vec3 point, const std::vector<u32>& candidates,
                                              u32 given) const {
  std::vector<Seen<Number>> tied;
  for (const u32 id : candidates) {
    const Seen<Number> next = seen<Number>(point, id);
    const int sign =
        tied.empty() || share_place(next, tied[0]) ? 0 : testing::compared(next.part, tied[0].part);
    if (sign < 0) tied.clear();
    if (sign <= 0) tied.push_back(next);
  }
  Closest out{tied[0].distance, {}, {}, Part::inside, testing::sign_of(tied[0].part.above) == 0};
  for (const Seen<Number>& s : tied) {
    out.ids.push_back(s.id);
    for (const Seen<Number>& of : tied)
      if (of.id == given && share_place(s, of)) {
        out.sharing.push_back(s.id);
        out.shared = s.part.part;
      }
  }
  return out;
}

bool NearestOracle::has_rival(vec3 point, u32 id, const Closest& closest) const {
  const auto t = corners(id);
  const double reach = closest.distance.most + 0x1p-40 * farthest_corner(point, id);
  u32 close = 0;
  for (u32 i = 0; i < 3; ++i)
    close += edges::distance_to_segment(dvec3(point), dvec3(t[i]), dvec3(t[(i + 1) % 3])) <= reach;
  return close > (closest.shared == Part::corner ? 2u : 1u);
}

Judgement NearestOracle::judge(vec3 point, const Nearest& found) const {
  Judgement out;
  if (!found.found() || found.triangle >= mesh_.triangles.size()) return out;
  const std::vector<u32> near = candidates(point);
  Closest exact;
  try {
    exact = closest<Wide>(point, near, found.triangle);
  } catch (const Unsure&) {
    exact = closest<Integer>(point, near, found.triangle);
    out.by_integers = true;
  }
  const Between own = distance(point, found.triangle);
  const double reach = farthest_corner(point, found.triangle);
  double most = 0.0;
  for (const u32 id : exact.ids) most = std::max(most, allowed(point, id));

  if (!exact.sharing.empty()) {
    out.rounded = found.triangle != exact.ids[0];
    out.triangle = found.triangle == exact.sharing[0] || has_rival(point, found.triangle, exact) ||
                   has_rival(point, exact.sharing[0], exact);
  } else {
    out.rounded = true;
    out.triangle = own.least <= exact.distance.most + most + kTooSmall * reach;
  }
  // Rounding to a float keeps the order.
  out.distance = found.distance >= static_cast<float>(exact.distance.least - kTooSmall * reach) &&
                 found.distance <= static_cast<float>(exact.distance.most + most);
  const auto t = corners(found.triangle);
  const double again = std::sqrt(closest_on_triangle(point, t[0], t[1], t[2]).squared);
  const double off = again < own.least ? own.least - again : std::max(again - own.most, 0.0);
  out.error = off > 0.0 ? off / allowed(point, found.triangle) : 0.0;
  out.on_surface = exact.is_zero;
  out.least_away = reach > 0.0 ? own.least / reach : 0.0;
  return out;
}

}  // namespace ballotcast::detail::points
