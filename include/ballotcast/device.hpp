// Casts rays in your own kernels, by device functions on a view of a scene. Results have the same
// bits as those of Renderer and DeviceCaster.
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
// This header compiles with nvcc for host and device (C++17), with g++ and clang for the host, and
// with NVRTC. For NVRTC, include device_nvrtc.hpp, which contains this file and all files that it
// includes. Optimization options of compilers change no bit of the results, with two exceptions:
// -ftz=true, which CuPy always sets, and -use_fast_math, which implies it. They flush numbers below
// 2^-126 to zero, which can change the hits on triangles with edges of about 2^-50 and less. With
// -use_fast_math under NVRTC, and with -ffast-math on a host, this header does not compile. A
// header can't detect -use_fast_math of nvcc.
//
// The same functions run on a host, with views from Renderer::host_view(). So you can test the code
// of a kernel without a GPU.
#pragma once

#include "ballotcast/device_core.hpp"
#include "ballotcast/ray.hpp"

#if defined(__FAST_MATH__) || (defined(__CUDACC_RTC__) && __USE_FAST_MATH__)
#error "ballotcast/device.hpp needs exact arithmetic: no -ffast-math, -use_fast_math"
#endif

namespace ballotcast::device {

/// A view of a scene of triangles, with or without instances and worlds. It points to the memory of
/// one machine and owns nothing. It may be a parameter of a kernel. Programs must not use its
/// members.
///
/// A view is valid as long as the Renderer that made it, or a DeviceCaster of the same scene,
/// exists. After refit() or rebuild() it shows the moved scene. (Between set_transforms() and the
/// next refit() or rebuild(), normals already belong to the new transforms.) Make a new view after
/// DeviceCaster::reserve_rebuild(), after the first set_masks(), and after each change of a
/// Renderer.
struct SceneView {
  static constexpr std::uint32_t kKind = 1;                             ///< for the library itself
  static constexpr std::uint32_t kVersion = BALLOTCAST_DEVICE_VERSION;  ///< for the library itself
  detail::ProgramView<false> core;                                      ///< for the library itself

  /// For the functions of this header: true if the scene has instances.
  BALLOTCAST_HD bool has_instances() const { return core.has_instances(); }
  /// For the functions of this header: the view of one world of a scene with instances.
  BALLOTCAST_HD auto in_world(std::uint32_t world) const { return core.in_world(world); }
  /// For the functions of this header: the view of a scene without instances.
  BALLOTCAST_HD auto plain() const { return core.plain(); }
};

/// A view of a scene without instances. Kernels need fewer registers with this view: for compute
/// capability 9.0, closest() needs 64 instead of 90.
struct PlainView {
  static constexpr std::uint32_t kKind = 2;                             ///< for the library itself
  static constexpr std::uint32_t kVersion = BALLOTCAST_DEVICE_VERSION;  ///< for the library itself
  detail::ProgramTraceView<detail::grid2::Walking> core;                ///< for the library itself

  /// Always false; see SceneView::has_instances().
  BALLOTCAST_HD static constexpr bool has_instances() { return false; }
  /// Never called, because there are no instances. Code for any view must compile, though.
  BALLOTCAST_HD const auto& in_world(std::uint32_t) const { return core; }
  /// For the functions of this header: the view of the scene; see SceneView::plain().
  BALLOTCAST_HD const auto& plain() const { return core; }
};

/// A view of any scene, also with shapes. Kernels need more registers with this view. For shapes,
/// read "shape" where this header says "triangle".
struct ShapesView {
  static constexpr std::uint32_t kKind = 3;                             ///< for the library itself
  static constexpr std::uint32_t kVersion = BALLOTCAST_DEVICE_VERSION;  ///< for the library itself
  detail::ProgramView<true> core;                                       ///< for the library itself

  /// As SceneView::has_instances().
  BALLOTCAST_HD bool has_instances() const { return core.has_instances(); }
  /// As SceneView::in_world().
  BALLOTCAST_HD auto in_world(std::uint32_t world) const { return core.in_world(world); }
  /// As SceneView::plain().
  BALLOTCAST_HD auto plain() const { return core.plain(); }
};

/// A hit that a filter may accept or refuse.
struct Candidate {
  float t;                 ///< as Hit::t
  std::uint32_t triangle;  ///< as Hit::triangle
  float u;                 ///< as Hit::u
  float v;                 ///< as Hit::v
  std::uint32_t instance;  ///< index of the hit instance in the scene; 0 if there are no instances
  bool front;              ///< true if the ray meets the triangle's front; see Sides
  /// Mask of the instance, see set_masks(); without instances all bits are set.
  std::uint32_t mask;
};

/// A hit, and the properties of the surface there.
struct Surface {
  Hit hit;                 ///< the hit that closest() finds; for a miss, all other members are 0
  std::uint32_t instance;  ///< index of the hit instance in the scene; 0 if there are no instances
  bool front;              ///< true if the ray meets the triangle's front; see Sides
  Vec3f normal;  ///< normal of the triangle, of length 1, on the side that the ray comes from
};

/// The filter that accepts every hit.
struct EveryHit {
  /// Returns true.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate&) const { return true; }
};

/// The filter that skips one triangle, for example the triangle on which a ray starts.
struct SkipTriangle {
  std::uint32_t skipped;  ///< id of the triangle, as Hit::triangle

  /// True if the hit is on another triangle.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return hit.triangle != skipped;
  }
};

/// The filter that accepts hits on one side of triangles.
struct OneSide {
  Sides sides;  ///< which sides rays hit

  /// True if the ray meets a side of the triangle that `sides` includes.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return sides == Sides::both || (sides == Sides::front) == hit.front;
  }
};

/// The filter that accepts hits on instances whose mask (see set_masks()) has a bit in common with
/// the mask of the ray. Other instances are not even entered, so this is the fastest way to leave
/// out instances.
struct Masked {
  std::uint32_t mask;  ///< the mask of the ray

  /// True if the masks of ray and instance have a bit in common.
  BALLOTCAST_HD bool operator()(const Ray&, const Candidate& hit) const {
    return (hit.mask & mask) != 0u;
  }
};

/// The filter that accepts a hit if two filters accept it; see all_of().
template <class First, class Second>
struct Both {
  First first;    ///< called first
  Second second;  ///< called only if `first` accepts the hit

  /// True if both filters accept the hit.
  BALLOTCAST_HD bool operator()(const Ray& ray, const Candidate& hit) {
    return first(ray, hit) && second(ray, hit);
  }
};

/// The filter that accepts a hit if all of these filters accept it, for example:
/// all_of(SkipTriangle{start}, OneSide{Sides::front}, Masked{2}).
template <class Filter>
BALLOTCAST_HD inline Filter all_of(Filter filter) {
  return filter;
}
template <class First, class... Rest>
BALLOTCAST_HD inline auto all_of(First first, Rest... rest) {
  return Both<First, decltype(all_of(rest...))>{first, all_of(rest...)};
}

/// The filters of all rays: EveryHit for each; see closest_each().
struct EveryFilter {
  /// The filter of a ray, given by its number.
  BALLOTCAST_HD EveryHit operator()(std::uint32_t) const { return {}; }
};

namespace detail {

/// The mask of the rays of a filter. The filter accepts no hit on an instance whose mask has no bit
/// in common with this mask, so the traversal need not enter such instances.
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

/// Adapts a filter of the user's kernel to the library's walks: gives it the hit as a Candidate.
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
/// As AskFilter, for closest_each() and any_each(): asks the user's filter of the ray that the lane
/// has fetched.
template <class FilterOf>
struct AskFilterOf {
  const FetchedRay& fetched;
  FilterOf& filter_of;

  BALLOTCAST_HD bool operator()(const Asked& asked) const {
    auto filter = filter_of(fetched.number);
    return AskFilter<decltype(filter)>{fetched.ray, filter}(asked);
  }
};
// The functions of namespace device, below, call the following functions with the view of one
// world.

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

/// As AskFilter, but also stores the last accepted hit in `last`: closest_surface() needs its place
/// and side.
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

/// The closest hit of a ray, as Renderer::closest() finds it, among the hits that the filter
/// accepts. `filter(ray, candidate)` returns true to accept a hit; it is an object like
/// SkipTriangle, or a lambda. The result is the accepted hit with the smallest t and, among equal
/// t, the smallest id, whatever the tree is. (If a ray starts far away, many hits may have the same
/// t, because t is rounded; then the result is the nearest of them.) The filter is called for only
/// some of the hits, in no particular order, and may be called more than once for a hit. `world`:
/// see Instance::world; a PlainView has only world 0.
///
/// Each lane calls this on its own. `View`: SceneView, PlainView or ShapesView.
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Hit closest(const View& scene, const Ray& ray, Filter filter = {},
                                 std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_hit(scene.in_world(world), ray, detail::RayKind::closest, filter);
  return detail::filtered_hit(scene.plain(), ray, detail::RayKind::closest, filter);
}

/// The closest hit of a ray, and the properties of the surface there; see closest().
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Surface closest_surface(const View& scene, const Ray& ray, Filter filter = {},
                                             std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::surface_in(scene.in_world(world), ray, filter);
  return detail::surface_in(scene.plain(), ray, filter);
}

/// True if a ray has any hit that the filter accepts. For the arguments, see closest().
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline bool any(const View& scene, const Ray& ray, Filter filter = {},
                              std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_hit(scene.in_world(world), ray, detail::RayKind::any, filter).found();
  return detail::filtered_hit(scene.plain(), ray, detail::RayKind::any, filter).found();
}

/// Calls visit(hit) for each crossing of a ray with a surface that `filter` accepts, sorted by t
/// and then by id. Without a filter, these are the crossings of Renderer::all(): each occurs once,
/// also where the ray meets an edge. Stops when visit() returns true. The filter is called in no
/// particular order, as in closest().
template <class View, class Visit, class Filter = EveryHit>
BALLOTCAST_HD inline void for_each_crossing(const View& scene, const Ray& ray, Visit visit,
                                            Filter filter = {}, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::visit_crossings(scene.in_world(world), ray, visit, filter);
  return detail::visit_crossings(scene.plain(), ray, visit, filter);
}

/// The point of the scene that is closest to `point`, within max_distance; see
/// Renderer::closest_points(). If max_distance is negative or NaN, nothing is found.
template <class View>
BALLOTCAST_HD inline Nearest closest_point(const View& scene, const Vec3f& point,
                                           float max_distance, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::closest_point(scene.in_world(world), 0u, point, max_distance);
  return detail::closest_point(scene.plain(), 0u, point, max_distance);
}

/// True if a point is inside of the scene's surface; see Renderer::contains(). Kernels can't use
/// InsideRule::winding: here it means InsideRule::nonzero.
template <class View>
BALLOTCAST_HD inline bool inside(const View& scene, const Vec3d& point,
                                 InsideRule rule = InsideRule::parity, std::uint32_t world = 0) {
  if (scene.has_instances()) return detail::is_inside(scene.in_world(world), 0u, point, rule);
  return detail::is_inside(scene.plain(), 0u, point, rule);
}

/// The closest hits of the rays of a whole warp, as closest() finds them. All 32 lanes must call
/// this together. Lanes without a ray pass false for `active` and get a miss. The lanes vote on
/// each step, as in the library's own kernels. On a host, a warp has one lane.
template <class View, class Filter = EveryHit>
BALLOTCAST_HD inline Hit closest_warp(const View& scene, const Ray& ray, bool active,
                                      Filter filter = {}, std::uint32_t world = 0) {
  if (scene.has_instances())
    return detail::filtered_by_votes<detail::RayKind::closest>(scene.in_world(world), ray, active,
                                                               filter);
  return detail::filtered_by_votes<detail::RayKind::closest>(scene.plain(), ray, active, filter);
}

/// True if the lane's ray hits anything, as any() finds it. Call it in the same way as
/// closest_warp().
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

/// Casts many rays by few warps: a lane whose ray is done fetches the next ray, so that no lane
/// waits long for others. For i below `count`: `ray_of(i)` returns ray i, `take(i, hit)` receives
/// its closest hit, and `filter_of(i)` returns its filter. `filter_of` is called again for each hit
/// that is tested. `next` points to a word that all warps share, which must be 0 before the launch.
/// All lanes of a warp must call this together. It is fastest with as many blocks as the GPU holds
/// at once (see cudaOccupancyMaxActiveBlocksPerMultiprocessor); on a host, with one call per core.
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

/// Tests many rays for any hit, in the same way as closest_each(). `take(i, found)` receives a
/// bool.
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
