// Closest points for points that are in NumPy arrays.
#include <algorithm>

#include "rays.hpp"
#include "render/renderer_state.hpp"
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
                    const HitBytes& records, const std::optional<Numbers<double>>& distances,
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
      renderer.closest_points(here, {out + first, count}, static_cast<float>(max_distance));
      const detail::SceneView& view = renderer.state().prepared->view;
      detail::for_each_range<std::size_t>(count, 1 << 12, [&](auto begin, auto end) {
        for (std::size_t i = first + begin; i < first + end; ++i) {
          const Nearest& at = out[i];
          if (distances)
            distances->data()[i] = detail::distance_from(view, point(i), at.triangle, at.u, at.v);
          if (!places) continue;
          const dvec3 place = detail::place_on(view, origin, at.triangle, at.u, at.v);
          std::copy_n(&place.x, 3, places->data() + 3 * i);
        }
      });
    });
  });
}

template <class T>
void bind_for(nb::class_<SceneHandle>& scene) {
  scene.def("closest_points", &closest_points<T>, "points"_a, "max_distance"_a, "records"_a,
            "distances"_a.none(), "places"_a.none());
}

}  // namespace

void bind_distances(nb::class_<SceneHandle>& scene) {
  bind_for<float>(scene);
  bind_for<double>(scene);
}

}  // namespace ballotcast::python
