// Casting rays that are in NumPy arrays.
#include <algorithm>
#include <vector>

#include "rays.hpp"
#include "render/internals.hpp"
#include "scene.hpp"
#include "support/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// Rays are made in batches that stay in a cache until they are cast.
constexpr std::size_t kRaysAtOnce = std::size_t{1} << 18;

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

/// Casts; returns how many rays have a NaN. If `distances` is there, also writes the distances
/// of hits and their places in the world, in double; `places` is then there, too.
template <class T>
std::uint64_t cast(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
                   const Numbers<const double>& t_min, const Numbers<const double>& t_max,
                   const Worlds& worlds, const HitBytes& hits,
                   const std::optional<Numbers<double>>& distances,
                   const std::optional<Rows<double, 3>>& places) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
  Hit* const out = reinterpret_cast<Hit*>(hits.data());
  return in_batches(
      scene, source, worlds,
      [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
        const Span<Hit> found(out + first, rays.size());
        renderer.closest(rays, found, {}, into);
        if (!distances) return;
        const detail::SceneView& view = detail::prepared_of(renderer).view;
        detail::for_each_range<std::size_t>(rays.size(), 1 << 14, [&](auto begin, auto end) {
          with_corners_ahead(view, out, first + begin, first + end, [&](std::size_t i) {
            store_precise(source, i, out[i], view, distances->data(), places->data());
          });
        });
      });
}

/// Whether each ray hits anything: 1 or 0.
template <class T>
void any(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
         const Numbers<const double>& t_min, const Numbers<const double>& t_max,
         const Worlds& worlds, const Numbers<std::uint8_t>& found) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
  std::vector<Hit> hits;
  in_batches(scene, source, worlds,
             [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
               hits.resize(rays.size());
               renderer.any(rays, hits, {}, into);
               std::transform(hits.begin(), hits.end(), found.data() + first,
                              [](const Hit& hit) { return hit.found() ? 1 : 0; });
             });
}

template <class T>
void count(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
           const Numbers<const double>& t_min, const Numbers<const double>& t_max,
           const Worlds& worlds, const Numbers<std::uint32_t>& counts) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
  in_batches(scene, source, worlds,
             [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t first) {
               renderer.count(rays, {counts.data() + first, rays.size()}, into);
             });
}

/// How often each triangle is the closest hit.
template <class T>
void hits_per_triangle(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
                       const Numbers<const double>& t_min, const Numbers<const double>& t_max,
                       const Worlds& worlds, const Numbers<std::uint64_t>& counts) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
  std::vector<std::uint64_t> some(counts.shape(0));
  in_batches(scene, source, worlds,
             [&](Renderer& renderer, const auto& rays, const RayWorlds& into, std::size_t) {
               renderer.hits_per_triangle(rays, some, {}, into);
               for (std::size_t i = 0; i < some.size(); ++i) counts.data()[i] += some[i];
             });
}

/// All crossings: where those of each ray begin, the hits as bytes, and their distances for rays of
/// doubles.
template <class T>
nb::tuple all(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
              const Numbers<const double>& t_min, const Numbers<const double>& t_max,
              const Worlds& worlds) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
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
        const detail::SceneView& view = detail::prepared_of(renderer).view;
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
  without_gil([&] {
    scene.with_renderer([&](Renderer& renderer) {
      const detail::SceneView& view = detail::prepared_of(renderer).view;
      detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
        with_corners_ahead(view, all, begin, end, [&](std::size_t i) {
          const auto value = write(view, all[i]);
          std::copy_n(&value.x, 3, out.data() + 3 * i);
        });
      });
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

/// Writes where triangles belong, as numbers that are -1 for a miss. `starts`: the first triangle
/// of each mesh after the first. `part`: a number of LocationPart.
void located(const SceneHandle& handle, const ConstHitBytes& hits,
             const Numbers<const std::uint32_t>& starts, std::uint32_t part,
             const Numbers<std::int64_t>& out) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  const auto& instances = handle.scene().data()->instances;
  detail::SceneView view{};
  view.instances.list = instances.data();
  view.instances.count = static_cast<std::uint32_t>(instances.size());
  const detail::MeshStarts meshes{starts.data(), static_cast<std::uint32_t>(starts.shape(0))};
  without_gil([&] {
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i)
        out.data()[i] = detail::location_part(detail::location_of(view, meshes, all[i].triangle),
                                              detail::LocationPart{part});
    });
  });
}

template <class T>
void bind_casts_for(nb::class_<SceneHandle>& scene) {
  scene
      .def("cast", &cast<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(),
           "hits"_a, "distances"_a.none(), "places"_a.none())
      .def("any", &any<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(),
           "found"_a)
      .def("count", &count<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(),
           "counts"_a)
      .def("hits_per_triangle", &hits_per_triangle<T>, "origins"_a, "directions"_a, "t_min"_a,
           "t_max"_a, "worlds"_a.none(), "counts"_a)
      .def("all", &all<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none());
}

}  // namespace

void bind_casts(nb::class_<SceneHandle>& scene) {
  bind_casts_for<float>(scene);
  bind_casts_for<double>(scene);
  scene.def("places", &places, "hits"_a, "points"_a)
      .def("normals", &normals, "hits"_a, "out"_a)
      .def("located", &located, "hits"_a, "starts"_a, "part"_a, "out"_a);
}

}  // namespace ballotcast::python
