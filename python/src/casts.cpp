// Casting rays that are in NumPy arrays.
#include <algorithm>
#include <vector>

#include "rays.hpp"
#include "render/renderer_state.hpp"
#include "scene.hpp"
#include "support/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

constexpr std::size_t kRaysAtOnce = std::size_t{1} << 20;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What rays are made of: arrays with a row per ray, or with one row for all.
template <class T>
class RaySource {
 public:
  RaySource(const Rows<const T, 3>& origins, const Rows<const T, 3>& directions,
            const Numbers<const double>& t_min, const Numbers<const double>& t_max,
            const Scene& scene)
      : size_(std::max(std::max(origins.shape(0), directions.shape(0)),
                       std::max(t_min.shape(0), t_max.shape(0)))),
        origins_(origins.data()),
        directions_(directions.data()),
        t_min_(t_min.data()),
        t_max_(t_max.data()),
        origin_step_(origins.shape(0) == 1 ? 0 : 3),
        direction_step_(directions.shape(0) == 1 ? 0 : 3),
        t_min_step_(t_min.shape(0) == 1 ? 0 : 1),
        t_max_step_(t_max.shape(0) == 1 ? 0 : 1),
        scene_origin_(scene.origin()),
        ball_(ball_around(scene)) {}

  std::size_t size() const { return size_; }
  bool has_nan(std::size_t i) const {
    const T* o = origins_ + i * origin_step_;
    const T* d = directions_ + i * direction_step_;
    const T sum = (o[0] + o[1] + o[2]) * T(0) + (d[0] + d[1] + d[2]) * T(0);
    if (sum == T(0) && !std::isnan(t_min(i) + 0 * t_max(i))) return false;
    for (int k = 0; k < 3; ++k)
      if (std::isnan(o[k]) || std::isnan(d[k])) return true;
    return std::isnan(t_min(i)) || std::isnan(t_max(i));
  }
  PreciseRay precise(std::size_t i) const { return {origin(i), direction(i), ball_}; }
  Ray ray(std::size_t i) const {
    if constexpr (sizeof(T) == sizeof(double)) return precise(i).to_cast(t_min(i), t_max(i));
    return {vec3(origin(i)), static_cast<float>(t_min(i)), vec3(direction(i)),
            static_cast<float>(t_max(i))};
  }

 private:
  dvec3 origin(std::size_t i) const {
    const T* o = origins_ + i * origin_step_;
    return dvec3(double{o[0]}, double{o[1]}, double{o[2]}) - scene_origin_;
  }
  dvec3 direction(std::size_t i) const {
    const T* d = directions_ + i * direction_step_;
    return {double{d[0]}, double{d[1]}, double{d[2]}};
  }
  double t_min(std::size_t i) const { return t_min_[i * t_min_step_]; }
  double t_max(std::size_t i) const { return t_max_[i * t_max_step_]; }

  std::size_t size_;
  const T *origins_, *directions_;
  const double *t_min_, *t_max_;
  std::size_t origin_step_, direction_step_, t_min_step_, t_max_step_;
  dvec3 scene_origin_;
  Ball ball_;
};

/// Rays [first, first + count) of a source.
template <class T>
void make_rays(const RaySource<T>& source, std::size_t first, std::vector<Ray>& rays,
               std::uint64_t& nans) {
  nans += detail::reduce_ranges<std::size_t>(
      0, rays.size(), std::size_t{1} << 14, std::uint64_t{0},
      [&](std::size_t begin, std::size_t end, std::uint64_t found) {
        for (std::size_t i = begin; i < end; ++i) {
          rays[i] = source.ray(first + i);
          found += source.has_nan(first + i) ? 1 : 0;
        }
        return found;
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

/// The distance of a hit, in double.
template <class T>
double distance_of(const RaySource<T>& source, std::size_t i, const Hit& hit,
                   const detail::SceneView& view) {
  if (!hit.found()) return kNever;
  return source.precise(i).distance(hit.t, detail::corners_of(view, hit.triangle));
}

/// Calls use(renderer, rays, worlds, first) for batches of rays; `first` is the number of the first
/// ray of a batch. Returns how many rays have a NaN.
template <class T, class Use>
std::uint64_t in_batches(SceneHandle& scene, const RaySource<T>& source, const Worlds& worlds,
                         const Use& use) {
  std::uint64_t nans = 0;
  std::vector<Ray> rays;
  in_parts(source.size(), kRaysAtOnce, [&](std::size_t first, std::size_t count) {
    rays.resize(count);
    make_rays(source, first, rays, nans);
    scene.with_renderer(
        [&](Renderer& renderer) { use(renderer, rays, worlds_of(worlds).from(first), first); });
  });
  return nans;
}

/// Casts; returns how many rays have a NaN.
template <class T>
std::uint64_t cast(SceneHandle& scene, const Rows<const T, 3>& origins,
                   const Rows<const T, 3>& directions, const Numbers<const double>& t_min,
                   const Numbers<const double>& t_max, const Worlds& worlds, bool any,
                   const HitBytes& hits, const std::optional<Numbers<double>>& distances) {
  const RaySource<T> source(origins, directions, t_min, t_max, scene.scene());
  Hit* const out = reinterpret_cast<Hit*>(hits.data());
  return in_batches(
      scene, source, worlds,
      [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
        const Span<Hit> found(out + first, rays.size());
        any ? renderer.any(rays, found, {}, into) : renderer.closest(rays, found, {}, into);
        if (!distances) return;
        const detail::SceneView& view = renderer.state().prepared->view;
        detail::for_each_range<std::size_t>(rays.size(), 1 << 14, [&](auto begin, auto end) {
          for (std::size_t i = first + begin; i < first + end; ++i)
            distances->data()[i] = distance_of(source, i, out[i], view);
        });
      });
}

template <class T>
void count(SceneHandle& scene, const Rows<const T, 3>& origins, const Rows<const T, 3>& directions,
           const Numbers<const double>& t_min, const Numbers<const double>& t_max,
           const Worlds& worlds, const Numbers<std::uint32_t>& counts) {
  const RaySource<T> source(origins, directions, t_min, t_max, scene.scene());
  in_batches(scene, source, worlds,
             [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
               renderer.count(rays, {counts.data() + first, rays.size()}, into);
             });
}

/// All crossings: where those of each ray begin, the hits as bytes, and their distances for rays of
/// doubles.
template <class T>
nb::tuple all(SceneHandle& scene, const Rows<const T, 3>& origins,
              const Rows<const T, 3>& directions, const Numbers<const double>& t_min,
              const Numbers<const double>& t_max, const Worlds& worlds) {
  const RaySource<T> source(origins, directions, t_min, t_max, scene.scene());
  std::vector<std::int64_t> starts(1, 0);
  std::vector<Hit> hits;
  std::vector<double> distances;
  const std::uint64_t nans = in_batches(
      scene, source, worlds,
      [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
        const AllHits found = renderer.all(rays, into);
        const std::size_t before = hits.size();
        for (std::size_t i = 0; i < rays.size(); ++i)
          starts.push_back(static_cast<std::int64_t>(before + found.starts[i + 1]));
        hits.insert(hits.end(), found.hits.begin(), found.hits.end());
        if (sizeof(T) != sizeof(double)) return;
        distances.resize(hits.size());
        const detail::SceneView& view = renderer.state().prepared->view;
        detail::for_each_range<std::size_t>(rays.size(), 1 << 12, [&](auto begin, auto end) {
          for (std::size_t i = begin; i < end; ++i)
            for (std::size_t k = before + found.starts[i]; k < before + found.starts[i + 1]; ++k)
              distances[k] = distance_of(source, first + i, hits[k], view);
        });
      });
  return nb::make_tuple(owned_array<std::int64_t>(std::move(starts), 1),
                        owned_array<std::uint8_t>(std::move(hits), sizeof(Hit)),
                        owned_array<double>(std::move(distances), 1), nans);
}

using ConstHitBytes = Rows<const std::uint8_t, sizeof(Hit)>;

/// Stores write(view, hit) in the row of each hit.
template <class Number, class Write>
void for_each_hit(SceneHandle& scene, const ConstHitBytes& hits, const Rows<Number, 3>& out,
                  const Write& write) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  const nb::gil_scoped_release unlocked;
  scene.with_renderer([&](Renderer& renderer) {
    const detail::SceneView& view = renderer.state().prepared->view;
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto value = write(view, all[i]);
        std::copy_n(&value.x, 3, out.data() + 3 * i);
      }
    });
  });
}

/// The places of hits, in double, or NaN for a miss.
void places(SceneHandle& scene, const ConstHitBytes& hits, const Rows<double, 3>& out) {
  const dvec3 origin(scene.scene().origin());
  for_each_hit(scene, hits, out, [&](const detail::SceneView& view, const Hit& hit) {
    return detail::place_on(view, origin, hit.triangle, hit.u, hit.v);
  });
}

/// The unit normals of the triangles that were hit, or 0 for a miss.
void normals(SceneHandle& scene, const ConstHitBytes& hits, const Rows<float, 3>& out) {
  for_each_hit(scene, hits, out, [](const detail::SceneView& view, const Hit& hit) {
    return detail::normal_on(view, hit.triangle);
  });
}

template <class T>
void bind_for(nb::class_<SceneHandle>& scene) {
  scene
      .def("cast", &cast<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(),
           "any"_a, "hits"_a, "distances"_a.none())
      .def("count", &count<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(),
           "counts"_a)
      .def("all", &all<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none());
}

}  // namespace

void bind_casts(nb::class_<SceneHandle>& scene) {
  bind_for<float>(scene);
  bind_for<double>(scene);
  scene.def("places", &places, "hits"_a, "points"_a).def("normals", &normals, "hits"_a, "out"_a);
}

}  // namespace ballotcast::python
