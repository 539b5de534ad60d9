// Casts rays in your own kernels: device functions over a view of a scene, with the bits of
// Renderer and DeviceCaster.
//
//   using namespace ballotcast;
//   __global__ void nearest(device::PlainView scene, const Ray* rays, Hit* hits, unsigned count) {
//     const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i < count) hits[i] = device::closest(scene, rays[i]);
//   }
//   ...
//   DeviceCaster caster(scene);
//   nearest<<<blocks, 128>>>(caster.device_view<device::PlainView>(), rays, hits, n);
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
  std::uint32_t mask;      ///< that of its instance: see set_masks(); else all bits are set
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

/// The filter that takes hits on instances whose masks (see set_masks()) have a bit in common with
/// the ray's. The ray walks around the others, so this is the fastest way to leave out instances.
struct Masked {
  std::uint32_t mask;  ///< the ray's

  /// True if the ray hits it.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return (hit.mask & mask) != 0u;
  }
};

/// The filter that takes what two filters take; see all_of().
template <class First, class Second>
struct Both {
  First first;    ///< asked first
  Second second;  ///< asked if the first one takes the hit

  /// True if the ray hits it.
  BALLOTCAST_HD bool operator()(const Ray& ray, const Candidate& hit) {
    return first(ray, hit) && second(ray, hit);
  }
};

/// The filter that takes what all of these take:
/// all_of(SkipTriangle{start}, OneSide{Sides::front}, Masked{2}).
template <class Filter>
BALLOTCAST_HD inline Filter all_of(Filter filter) {
  return filter;
}
template <class First, class... Rest>
BALLOTCAST_HD inline auto all_of(First first, Rest... rest) {
  return Both<First, decltype(all_of(rest...))>{first, all_of(rest...)};
}

/// Gives every ray the filter EveryHit; see closest_each().
struct EveryFilter {
  /// The filter of a ray.
  BALLOTCAST_HD EveryHit operator()(std::uint32_t) const { return {}; }
};

namespace detail {

/// A mask of rays such that the filter takes no hit on instances that they do not see.
template <class Filter>
BALLOTCAST_HD inline std::uint32_t mask_of(const Filter&) {
  return kAllBits;
}
BALLOTCAST_HD inline std::uint32_t mask_of(const device::Masked& filter) { return filter.mask; }
template <class First, class Second>
BALLOTCAST_HD inline std::uint32_t mask_of(const device::Both<First, Second>& filter) {
  const std::uint32_t mask = mask_of(filter.first);
  return mask != kAllBits ? mask : mask_of(filter.second);
}

/// Asks the filter of a program.
template <class Filter>
struct AskFilter {
  const Ray& ray;
  Filter& filter;

  BALLOTCAST_HD bool operator()(const Asked& asked) const {
    const Hit& hit = asked.hit;
    return filter(ray, Candidate{hit.t, hit.triangle, hit.u, hit.v, asked.place.instance,
                                 asked.front, asked.mask});
  }
};
/// Asks the filter of a ray that a lane has fetched.
template <class FilterOf>
struct AskFilterOf {
  const FetchedRay& fetched;
  FilterOf& filter_of;

  BALLOTCAST_HD bool operator()(const Asked& asked) const {
    auto filter = filter_of(fetched.number);
    return AskFilter<decltype(filter)>{fetched.ray, filter}(asked);
  }
};
// What the functions below do with a view of a world.

template <class View, class Filter>
BALLOTCAST_HD inline Hit filtered_hit(const View& view, const Ray& ray, RayKind kind,
                                      Filter& filter) {
  const AskFilter<Filter> ask{ray, filter};
  return hit_in(narrowed(view, mask_of(filter)), ray, kind, ask);
}
template <class View>
BALLOTCAST_HD inline Hit filtered_hit(const View& view, const Ray& ray, RayKind kind,
                                      device::EveryHit&) {
  return hit_in(view, ray, kind);
}

template <RayKind kKind, class View, class Filter>
BALLOTCAST_HD inline Hit filtered_by_votes(const View& view, const Ray& ray, bool active,
                                           Filter& filter) {
  const AskFilter<Filter> ask{ray, filter};
  AskingView<View, const AskFilter<Filter>> asking{view, &ray, &ask};
  narrow(asking, mask_of(filter));
  return hit_by_votes<kKind>(asking, ray, active);
}
template <RayKind kKind, class View>
BALLOTCAST_HD inline Hit filtered_by_votes(const View& view, const Ray& ray, bool active,
                                           device::EveryHit&) {
  return hit_by_votes<kKind>(view, ray, active);
}

template <RayKind kKind, class View, class RayOf, class Take, class FilterOf>
BALLOTCAST_HD inline void cast_each(const View& view, std::uint32_t count, std::uint32_t* next,
                                    RayOf& ray_of, Take& take, FilterOf& filter_of) {
  FetchedRay fetched{{}, kNoRay};
  const AskFilterOf<FilterOf> ask{fetched, filter_of};
  AskingView<View, const AskFilterOf<FilterOf>> asking{view, &fetched.ray, &ask};
  const auto fetch = [&](std::uint32_t number) {
    fetched.ray = ray_of(number);
    narrow(asking, mask_of(filter_of(number)));
  };
  cast_by_fetching<kKind>(asking, count, next, fetched, fetch, take);
}
template <RayKind kKind, class View, class RayOf, class Take>
BALLOTCAST_HD inline void cast_each(const View& view, std::uint32_t count, std::uint32_t* next,
                                    RayOf& ray_of, Take& take, device::EveryFilter&) {
  FetchedRay fetched{{}, kNoRay};
  const auto fetch = [&](std::uint32_t number) { fetched.ray = ray_of(number); };
  cast_by_fetching<kKind>(view, count, next, fetched, fetch, take);
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
  surface.hit = hit_in(narrowed(view, mask_of(filter)), ray, RayKind::closest, remember);
  if (!surface.hit.found()) return surface;
  surface.instance = last.place.instance;
  surface.front = last.front;
  surface.normal = normal_of(view, ray, last);
  return surface;
}

template <class View, class Visit>
BALLOTCAST_HD inline void visit_crossings(const View& view, const Ray& ray, Visit& visit,
                                          device::EveryHit&) {
  const WalkFrame frame = view.frame(0u);
  for_each_crossing(view, 0u, frame, ray, [&](Hit hit) {
    give_back_if_far(ray, frame.magnitude, hit);
    return visit(hit);
  });
}
template <class View, class Visit, class Filter>
BALLOTCAST_HD inline void visit_crossings(const View& view, const Ray& ray, Visit& visit,
                                          Filter& filter) {
  const AskFilter<Filter> ask{ray, filter};
  AskingView<View, const AskFilter<Filter>> asking{view, &ray, &ask};
  narrow(asking, mask_of(filter));
  device::EveryHit every;
  visit_crossings(asking, ray, visit, every);
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

/// Calls visit(hit) for all crossings of a ray with surfaces that the filter takes, in order of t
/// and then id, each once, also where the ray meets an edge: those of Renderer::all(). Ends when
/// visit() returns true. The filter is asked as by closest(), and not in this order.
template <class View, class Visit, class Filter = EveryHit>
BALLOTCAST_HD inline void for_each_crossing(const View& scene, const Ray& ray, Visit visit,
                                            Filter filter = {}, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::visit_crossings(scene.in_world(world), ray, visit, filter);
  return detail::visit_crossings(scene.plain(), ray, visit, filter);
}

/// The point of the scene that is closest to a point, up to a distance; see
/// Renderer::closest_points(). None if the distance is negative or NaN.
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
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Hit closest_warp(const View& scene, const Ray& ray, bool active,
                                      Filter filter = {}, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_by_votes<detail::RayKind::closest>(scene.in_world(world), ray, active,
                                                               filter);
  return detail::filtered_by_votes<detail::RayKind::closest>(scene.plain(), ray, active, filter);
}

/// Whether each ray of a warp hits anything, as any() finds it; to be called as closest_warp().
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline bool any_warp(const View& scene, const Ray& ray, bool active,
                                   Filter filter = {}, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_by_votes<detail::RayKind::any>(scene.in_world(world), ray, active,
                                                           filter)
        .found();
  return detail::filtered_by_votes<detail::RayKind::any>(scene.plain(), ray, active, filter)
      .found();
}

/// Casts many rays by few warps: lanes whose ray is done fetch the next one, so none waits long for
/// the others. `ray_of(i)` makes ray i, `take(i, hit)` gets its closest hit, and `filter_of(i)` is
/// its filter, made anew whenever it is asked; i is below `count`.
/// `next`: a word, 0 before the launch, that all warps share. All lanes of a warp must call this
/// together. Best with as many blocks as the GPU holds at once (see
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor); on a host, with as many threads as there are.
template <class View, class RayOf, class Take, class FilterOf = EveryFilter>
BALLOTCAST_HD inline void closest_each(const View& scene, std::uint32_t count, std::uint32_t* next,
                                       RayOf ray_of, Take take, FilterOf filter_of = {},
                                       std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::cast_each<detail::RayKind::closest>(scene.in_world(world), count, next, ray_of,
                                                       take, filter_of);
  return detail::cast_each<detail::RayKind::closest>(scene.plain(), count, next, ray_of, take,
                                                     filter_of);
}

/// The same for whether rays hit anything: `take(i, found)` gets a bool.
template <class View, class RayOf, class Take, class FilterOf = EveryFilter>
BALLOTCAST_HD inline void any_each(const View& scene, std::uint32_t count, std::uint32_t* next,
                                   RayOf ray_of, Take take, FilterOf filter_of = {},
                                   std::uint32_t world = 0) {
  const auto take_found = [&](std::uint32_t i, const Hit& hit) { take(i, hit.found()); };
  if (scene.has_instances())
    return detail::cast_each<detail::RayKind::any>(scene.in_world(world), count, next, ray_of,
                                                   take_found, filter_of);
  return detail::cast_each<detail::RayKind::any>(scene.plain(), count, next, ray_of, take_found,
                                                 filter_of);
}

}  // namespace ballotcast::device
