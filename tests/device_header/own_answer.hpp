// Calls all functions of device.hpp for a ray. The same code runs on a host and in a kernel.
#pragma once

#include "ballotcast/device.hpp"

namespace own {

using ballotcast::Hit;
using ballotcast::Nearest;
using ballotcast::Ray;
using ballotcast::Sides;

/// The results of all functions for a ray, or for the point at its origin.
struct Answer {
  Hit closest, by_warp, on_fronts, without_first, left_half, by_all, by_all_in_warp;
  ballotcast::device::Surface surface;
  Nearest nearest;
  unsigned any, any_on_backs, any_in_warp, crossings, first_crossings;
  unsigned sum;         // sum of the ids of all crossings
  unsigned sum_by_all;  // a hash of the ids of the crossings that all_of() accepts, in their order
  unsigned inside;
};

/// A filter that accepts hits in one half of each triangle.
struct LeftHalf {
  BALLOTCAST_HD bool operator()(const Ray&, const ballotcast::device::Candidate& hit) const {
    return hit.u < 0.5f;
  }
};

/// The mask of rays in casts with filter Masked.
constexpr unsigned kMask = 2u;

template <class View>
BALLOTCAST_HD inline Answer answer(const View& scene, const Ray& ray, unsigned world) {
  namespace device = ballotcast::device;
  Answer out{};
  out.by_warp = device::closest_warp(scene, ray, true, device::EveryHit{}, world);
  out.closest = device::closest(scene, ray, device::EveryHit{}, world);
  out.surface = device::closest_surface(scene, ray, device::EveryHit{}, world);
  out.on_fronts = device::closest(scene, ray, device::OneSide{Sides::front}, world);
  out.without_first =
      device::closest(scene, ray, device::SkipTriangle{out.closest.triangle}, world);
  out.left_half = device::closest(scene, ray, LeftHalf{}, world);
  const auto all = device::all_of(device::SkipTriangle{out.closest.triangle},
                                  device::OneSide{Sides::back}, device::Masked{kMask});
  out.by_all = device::closest(scene, ray, all, world);
  out.by_all_in_warp = device::closest_warp(scene, ray, true, all, world);
  out.any_in_warp = device::any_warp(scene, ray, true, all, world);
  out.any = device::any(scene, ray, device::EveryHit{}, world);
  out.any_on_backs = device::any(scene, ray, device::OneSide{Sides::back}, world);
  device::for_each_crossing(
      scene, ray,
      [&](const Hit& hit) {
        ++out.crossings;
        out.sum += hit.triangle;
        return false;
      },
      device::EveryHit{}, world);
  device::for_each_crossing(
      scene, ray, [&](const Hit&) { return ++out.first_crossings == 2u; }, device::EveryHit{},
      world);
  device::for_each_crossing(
      scene, ray,
      [&](const Hit& hit) {
        out.sum_by_all = out.sum_by_all * 31u + hit.triangle;
        return false;
      },
      device::all_of(LeftHalf{}, all), world);
  out.nearest = device::closest_point(scene, ray.origin, 1e30f, world);
  out.inside = device::inside(scene, ballotcast::Vec3d(ray.origin.x, ray.origin.y, ray.origin.z),
                              ballotcast::InsideRule::parity, world);
  return out;
}

#if !defined(__CUDACC_RTC__)
/// True if a and b have the same bits.
template <class T>
inline bool same_member(const T& a, const T& b) {
  return __builtin_memcmp(&a, &b, sizeof a) == 0;
}
inline bool same(const Answer& a, const Answer& b) {
  return same_member(a.closest, b.closest) && same_member(a.by_warp, b.by_warp) &&
         same_member(a.on_fronts, b.on_fronts) && same_member(a.without_first, b.without_first) &&
         same_member(a.left_half, b.left_half) && same_member(a.by_all, b.by_all) &&
         same_member(a.by_all_in_warp, b.by_all_in_warp) && a.any_in_warp == b.any_in_warp &&
         same_member(a.surface.hit, b.surface.hit) &&
         same_member(a.surface.normal, b.surface.normal) &&
         a.surface.instance == b.surface.instance && a.surface.front == b.surface.front &&
         same_member(a.nearest, b.nearest) && a.any == b.any && a.any_on_backs == b.any_on_backs &&
         a.crossings == b.crossings && a.first_crossings == b.first_crossings && a.sum == b.sum &&
         a.sum_by_all == b.sum_by_all && a.inside == b.inside;
}
#endif

}  // namespace own
