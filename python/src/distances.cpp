// Closest points, inside and outside, for points that are in NumPy arrays.
#include <algorithm>

#include "rays.hpp"
#include "render/internals.hpp"
#include "scene.hpp"
#include "support/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

constexpr std::size_t kPointsAtOnce = std::size_t{1} << 18;

/// Writes the closest points as records, and if asked for also their distances from the points in
/// double, and their places in the world.
template <class T>
void closest_points(SceneHandle& scene, const Rows<const T, 3>& points, double max_distance,
                    const Worlds& worlds, const HitBytes& records,
                    const std::optional<Numbers<double>>& distances,
                    const std::optional<Rows<double, 3>>& places) {
  static_assert(sizeof(Nearest) == sizeof(Hit));
  Nearest* const out = reinterpret_cast<Nearest*>(records.data());
  const dvec3 origin(scene.scene().origin());
  const auto point = [&](std::size_t i) {
    const T* p = points.data() + 3 * i;
    return dvec3(double{p[0]}, double{p[1]}, double{p[2]}) - origin;
  };
  std::vector<Vec3f> here;
  in_parts(points.shape(0), kPointsAtOnce, [&](std::size_t first, std::size_t count) {
    here.resize(count);
    for (std::size_t i = 0; i < count; ++i) here[i] = vec3(point(first + i));
    scene.with_renderer([&](Renderer& renderer) {
      renderer.closest_points(here, {out + first, count}, static_cast<float>(max_distance),
                              worlds_of(worlds).from(first));
      const detail::SceneView& view = detail::prepared_of(renderer).view;
      detail::for_each_range<std::size_t>(count, 1 << 12, [&](auto begin, auto end) {
        for (std::size_t i = first + begin; i < first + end; ++i) {
          const Nearest& at = out[i];
          if (distances) distances->data()[i] = detail::distance_from(view, point(i), at.triangle);
          if (!places) continue;
          const dvec3 place = detail::place_on(view, origin, at.triangle, at.u, at.v);
          std::copy_n(&place.x, 3, places->data() + 3 * i);
        }
      });
    });
  });
}

template <class T>
void bind_distances_for(nb::class_<SceneHandle>& scene) {
  scene.def("closest_points", &closest_points<T>, "points"_a, "max_distance"_a, "worlds"_a.none(),
            "records"_a, "distances"_a.none(), "places"_a.none());
}

/// Calls answer(renderer, points relative to the scene's origin, worlds, first) for parts of the
/// points; `first` is the number of the first point of a part.
template <class Answer>
void ask(SceneHandle& scene, const Rows<const double, 3>& points, const Worlds& worlds,
         const Answer& answer) {
  const dvec3 origin(scene.scene().origin());
  std::vector<Vec3d> here;
  in_parts(points.shape(0), kPointsAtOnce, [&](std::size_t first, std::size_t count) {
    here.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double* p = points.data() + 3 * (first + i);
      here[i] = {p[0] - origin.x, p[1] - origin.y, p[2] - origin.z};
    }
    scene.with_renderer(
        [&](Renderer& renderer) { answer(renderer, here, worlds_of(worlds).from(first), first); });
  });
}

void contains(SceneHandle& scene, const Rows<const double, 3>& points, const Worlds& worlds,
              std::uint32_t rule, const Numbers<std::uint8_t>& inside) {
  ask(scene, points, worlds,
      [&](Renderer& renderer, const auto& here, const RayWorlds& in, std::size_t first) {
        renderer.contains(Span<const Vec3d>(here), {inside.data() + first, here.size()},
                          static_cast<InsideRule>(rule), in);
      });
}

void winding_numbers(SceneHandle& scene, const Rows<const double, 3>& points, const Worlds& worlds,
                     const Numbers<double>& numbers) {
  ask(scene, points, worlds,
      [&](Renderer& renderer, const auto& here, const RayWorlds& in, std::size_t first) {
        renderer.winding_numbers(Span<const Vec3d>(here), {numbers.data() + first, here.size()},
                                 in);
      });
}

}  // namespace

void bind_distances(nb::class_<SceneHandle>& scene) {
  bind_distances_for<float>(scene);
  bind_distances_for<double>(scene);
  scene.def("contains", &contains, "points"_a, "worlds"_a.none(), "rule"_a, "inside"_a)
      .def("winding_numbers", &winding_numbers, "points"_a, "worlds"_a.none(), "numbers"_a);
}

}  // namespace ballotcast::python
