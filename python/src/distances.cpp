// Closest points, and tests for inside and outside, for points in NumPy arrays.
#include <algorithm>

#include "arrays.hpp"
#include "render/internals.hpp"
#include "scene.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// The points of an array, relative to a scene.
template <class T>
detail::PointArray points_of(const SceneHandle& scene, const Rows<const T, 3>& points) {
  return {kOneAxis, as_strided(Vectors(points)), dvec3(scene.scene().origin())};
}

/// Writes the closest points as records. If `distances` and `places` are given, also writes the
/// distances and the closest points in world coordinates, as doubles.
template <class T>
void closest_points(SceneHandle& scene, const Rows<const T, 3>& points, double max_distance,
                    const Worlds& worlds, const HitBytes& records,
                    const std::optional<Numbers<double>>& distances,
                    const std::optional<Rows<double, 3>>& places) {
  static_assert(sizeof(Nearest) == sizeof(Hit));
  Nearest* const out = reinterpret_cast<Nearest*>(records.data());
  const detail::PointArray array = points_of(scene, points);
  const std::size_t count = points.shape(0);
  scene.work([&](Renderer& renderer) {
    detail::Query asked =
        detail::query<detail::ClosestPoints>(&array, count, worlds_of(worlds), out);
    asked.max_distance = static_cast<float>(max_distance);
    detail::ask(renderer, asked, scene.casting().cast);
    const detail::SceneView& view = detail::prepared_of(renderer).view;
    detail::for_each_range<std::size_t>(count, 1 << 12, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Nearest& at = out[i];
        if (distances) detail::StoreDistance::item(i, view, array, out, distances->data());
        if (!places) continue;
        const dvec3 place =
            distances ? detail::closest_place_on(view, array.origin, array.point(i), at.triangle)
                      : detail::place_on(view, array.origin, at.triangle, at.u, at.v);
        std::copy_n(&place.x, 3, places->data() + 3 * i);
      }
    });
  });
}

template <class T>
void contains(SceneHandle& scene, const Rows<const T, 3>& points, const Worlds& worlds,
              std::uint32_t rule, const Numbers<std::uint8_t>& inside) {
  const detail::PointArray array = points_of(scene, points);
  detail::Query asked = detail::query<detail::PointsInside>(&array, points.shape(0),
                                                            worlds_of(worlds), inside.data());
  asked.rule = static_cast<InsideRule>(rule);
  scene.work([&](Renderer& renderer) { detail::ask(renderer, asked, scene.casting().cast); });
}

template <class T>
void winding_numbers(SceneHandle& scene, const Rows<const T, 3>& points, const Worlds& worlds,
                     const Numbers<double>& numbers) {
  const detail::PointArray array = points_of(scene, points);
  const detail::Query asked = detail::query<detail::WindingNumbers>(
      &array, points.shape(0), worlds_of(worlds), numbers.data());
  scene.work([&](Renderer& renderer) { detail::ask(renderer, asked, scene.casting().cast); });
}

template <class T>
void bind_distances_for(nb::class_<SceneHandle>& scene) {
  scene
      .def("closest_points", &closest_points<T>, "points"_a, "max_distance"_a, "worlds"_a.none(),
           "records"_a, "distances"_a.none(), "places"_a.none())
      .def("contains", &contains<T>, "points"_a, "worlds"_a.none(), "rule"_a, "inside"_a)
      .def("winding_numbers", &winding_numbers<T>, "points"_a, "worlds"_a.none(), "numbers"_a);
}

}  // namespace

void bind_distances(nb::class_<SceneHandle>& scene) {
  bind_distances_for<float>(scene);
  bind_distances_for<double>(scene);
}

}  // namespace ballotcast::python
