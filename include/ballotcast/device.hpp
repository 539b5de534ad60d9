// Casts rays in your own kernels: device functions over a view of a scene, with the bits of
// Renderer and DeviceCaster.
//
//   __global__ void nearest(ballotcast::device::PlainView scene, const Ray* rays, Hit* hits,
//                           unsigned count) {
//     const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i < count) hits[i] = ballotcast::device::closest(scene, rays[i]);
//   }
//   ...
//   ballotcast::DeviceCaster caster(scene);
//   nearest<<<blocks, 128>>>(caster.device_view<ballotcast::device::PlainView>(), rays, hits, n);
//
// Compiles with nvcc for host and device (C++17), with g++ and clang for the host, and, from
// device_nvrtc.hpp, which is this file and all that it includes, with NVRTC. Options for speed
// change no bit, but for those that flush to zero what is below 2^-126: -ftz=true, which CuPy
// always has, and -use_fast_math, which NVRTC refuses and nvcc does not notice. They matter for
// triangles of about 2^-50 and less. -ffast-math on a host is refused.
//
// On a host the functions are the same, for views of Renderer::host_view(); so a kernel's function
// can be tried without a GPU.
#pragma once

#include "ballotcast/device_core.hpp"
#include "ballotcast/ray.hpp"

#if defined(__FAST_MATH__) || (defined(__CUDACC_RTC__) && __USE_FAST_MATH__)
#error "ballotcast/device.hpp needs exact arithmetic: no -ffast-math, -use_fast_math"
#endif

namespace ballotcast::device {

/// A view of any scene, with instances and worlds or without. Points to the memory of one machine,
/// and owns nothing. May be a parameter of a kernel. Its content is not for programs.
///
/// It is valid as long as a DeviceCaster of the scene lives, or the Renderer that gave it, and
/// sees what has moved once refit() or rebuild() is done; from set_transforms() until then, normals
/// are those of the new places. To be taken again after DeviceCaster::reserve_rebuild(), after the
/// first set_masks(), and after each change of a Renderer.
struct SceneView {
  static constexpr std::uint32_t kKind = 1;                             ///< for the library
  static constexpr std::uint32_t kVersion = BALLOTCAST_DEVICE_VERSION;  ///< for the library
  detail::ProgramView core;                                             ///< for the library

  /// For this header: what the functions below look at.
  BALLOTCAST_HD bool has_instances() const { return core.has_instances(); }
  /// For this header: a world of a scene with instances.
  BALLOTCAST_HD auto in_world(std::uint32_t world) const { return core.in_world(world); }
  /// For this header: a scene without instances.
  BALLOTCAST_HD auto plain() const { return core.plain(); }
};

/// A view of a scene without instances. Kernels need fewer registers with it: 64 in place of 90 for
/// closest() alone, for compute capability 9.0.
struct PlainView {
  static constexpr std::uint32_t kKind = 2;                             ///< for the library
  static constexpr std::uint32_t kVersion = BALLOTCAST_DEVICE_VERSION;  ///< for the library
  detail::ProgramTraceView<detail::grid2::Walking> core;                ///< for the library

  /// As in SceneView.
  BALLOTCAST_HD static constexpr bool has_instances() { return false; }
  /// As in SceneView; never called.
  BALLOTCAST_HD const auto& in_world(std::uint32_t) const { return core; }
  /// As in SceneView.
  BALLOTCAST_HD const auto& plain() const { return core; }
};

/// A hit that a filter may take or leave.
struct Candidate {
  float t;                 ///< as Hit::t
  std::uint32_t triangle;  ///< as Hit::triangle
  float u;                 ///< as Hit::u
  float v;                 ///< as Hit::v
  std::uint32_t instance;  ///< index of its instance in the scene; 0 if there are none
  bool front;              ///< the ray meets the triangle's front; see Sides
};

/// A hit, and the surface there.
struct Surface {
  Hit hit;                 ///< as closest() finds it; a miss leaves the rest 0
  std::uint32_t instance;  ///< index of its instance in the scene; 0 if there are none
  bool front;              ///< the ray meets the triangle's front; see Sides
  Vec3f normal;            ///< of the triangle, of length 1, on the side that the ray comes from
};

/// The filter that takes every hit.
struct EveryHit {
  /// True.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate&) const { return true; }
};

/// The filter that leaves out one triangle, such as that on which a ray starts.
struct SkipTriangle {
  std::uint32_t skipped;  ///< its id: Hit::triangle

  /// True if the ray hits it.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return hit.triangle != skipped;
  }
};

/// The filter that takes hits on one side of triangles.
struct OneSide {
  Sides sides;  ///< which

  /// True if the ray hits it.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return sides == Sides::both || (sides == Sides::front) == hit.front;
  }
};

namespace detail {

/// Asks the filter of a program.
template <class Filter>
struct AskFilter {
  const Ray& ray;
  Filter& filter;

  BALLOTCAST_HD bool operator()(const Asked& asked) const {
    const Hit& hit = asked.hit;
    return filter(ray,
                  Candidate{hit.t, hit.triangle, hit.u, hit.v, asked.place.instance, asked.front});
  }
};
// What the functions below do with a view of a world.

template <class View, class Filter>
BALLOTCAST_HD inline Hit filtered_hit(const View& view, const Ray& ray, RayKind kind,
                                      Filter& filter) {
  const AskFilter<Filter> ask{ray, filter};
  return hit_in(view, ray, kind, ask);
}
template <class View>
BALLOTCAST_HD inline Hit filtered_hit(const View& view, const Ray& ray, RayKind kind,
                                      device::EveryHit&) {
  return hit_in(view, ray, kind);
}

/// Remembers the last hit that the filter of a program takes.
template <class Filter>
struct RememberHit {
  AskFilter<Filter> ask;
  Asked& last;

  BALLOTCAST_HD bool operator()(const Asked& asked) const {
    if (!ask(asked)) return false;
    last = asked;
    return true;
  }
};

template <class View, class Filter>
BALLOTCAST_HD inline device::Surface surface_in(const View& view, const Ray& ray, Filter& filter) {
  device::Surface surface{};
  Asked last{};
  const RememberHit<Filter> remember{{ray, filter}, last};
  surface.hit = hit_in(view, ray, RayKind::closest, remember);
  if (!surface.hit.found()) return surface;
  surface.instance = last.place.instance;
  surface.front = last.front;
  surface.normal = normal_of(view, ray, last);
  return surface;
}

template <class View, class Visit>
BALLOTCAST_HD inline void visit_crossings(const View& view, const Ray& ray, Visit& visit) {
  const WalkFrame frame = view.frame(0u);
  for_each_crossing(view, 0u, frame, ray, [&](Hit hit) {
    give_back_if_far(ray, frame.magnitude, hit);
    return visit(hit);
  });
}

}  // namespace detail

/// The closest hit of a ray, as Renderer::closest() finds it. `filter(ray, candidate)`: true if the
/// ray hits it; an object like SkipTriangle, or a lambda. The result is the hit with the smallest t
/// and, among equal t, the smallest id of those that the filter takes, whatever the tree; of a ray
/// from far away, for which many hits have one t, the nearest of them. The filter is asked about
/// some hits only, in no particular order, and about some more than once. `world`: see
/// Instance::world; the only one of a PlainView is 0.
///
/// Each lane calls this on its own. `View`: SceneView or PlainView.
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Hit closest(const View& scene, const Ray& ray, Filter filter = {},
                                 std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_hit(scene.in_world(world), ray, detail::RayKind::closest, filter);
  return detail::filtered_hit(scene.plain(), ray, detail::RayKind::closest, filter);
}

/// The closest hit of a ray, and the surface there.
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Surface closest_surface(const View& scene, const Ray& ray, Filter filter = {},
                                             std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::surface_in(scene.in_world(world), ray, filter);
  return detail::surface_in(scene.plain(), ray, filter);
}

/// True if a ray hits anything that the filter takes; see closest().
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline bool any(const View& scene, const Ray& ray, Filter filter = {},
                              std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_hit(scene.in_world(world), ray, detail::RayKind::any, filter).found();
  return detail::filtered_hit(scene.plain(), ray, detail::RayKind::any, filter).found();
}

/// Calls visit(hit) for all crossings of a ray with surfaces, in order of t and then id, each once,
/// also where the ray meets an edge: those of Renderer::all(). Ends when visit() returns true.
template <class View, class Visit>
BALLOTCAST_HD inline void for_each_crossing(const View& scene, const Ray& ray, Visit visit,
                                            std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::visit_crossings(scene.in_world(world), ray, visit);
  return detail::visit_crossings(scene.plain(), ray, visit);
}

/// The point of the scene that is closest to a point, up to a distance; see
/// Renderer::closest_points().
template <class View>
BALLOTCAST_HD inline Nearest closest_point(const View& scene, const Vec3f& point,
                                           float max_distance, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::closest_point(scene.in_world(world), 0u, point, max_distance);
  return detail::closest_point(scene.plain(), 0u, point, max_distance);
}

/// True if a point is inside of the scene's surface; see Renderer::contains(). Rule
/// InsideRule::winding is not for kernels: it counts as InsideRule::nonzero.
template <class View>
BALLOTCAST_HD inline bool inside(const View& scene, const Vec3d& point,
                                 InsideRule rule = InsideRule::parity, std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::is_inside(scene.in_world(world), 0u, point, rule);
  return detail::is_inside(scene.plain(), 0u, point, rule);
}

/// The closest hits of the rays of a whole warp, as closest() finds them. All 32 lanes must call
/// this together; those without a ray pass false for `active` and get a miss. The lanes vote on
/// each step, as those of the library's own kernels do. On a host, a warp has one lane.
template <class View>
BALLOTCAST_HD inline Hit closest_warp(const View& scene, const Ray& ray, bool active,
                                      std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::closest_by_votes(scene.in_world(world), ray, active);
  return detail::closest_by_votes(scene.plain(), ray, active);
}

/// Casts many rays by few warps: lanes whose ray is done fetch the next one, so none waits long for
/// the others. `ray_of(i)` makes ray i, `take(i, hit)` gets its closest hit; i is below `count`.
/// `next`: a word, 0 before the launch, that all warps share. All lanes of a warp must call this
/// together. Best with as many blocks as the GPU holds at once (see
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor); on a host, in one thread.
template <class View, class RayOf, class Take>
BALLOTCAST_HD inline void closest_each(const View& scene, std::uint32_t count, std::uint32_t* next,
                                       RayOf ray_of, Take take, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::closest_by_fetching(scene.in_world(world), count, next, ray_of, take);
  return detail::closest_by_fetching(scene.plain(), count, next, ray_of, take);
}

}  // namespace ballotcast::device
