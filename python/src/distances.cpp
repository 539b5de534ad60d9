// Closest points for points that are in NumPy arrays.
#include <algorithm>

#include "rays.hpp"
#include "render/renderer_state.hpp"
#include "scene.hpp"
#include "support/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// So many points are looked at between two looks at signals, such as Ctrl-C.
constexpr std::size_t kPointsAtOnce = std::size_t{1} << 18;

Vec3d place_of(const Nearest& nearest, const DoubleCorners& corners) {
  const double u = double{nearest.u}, v = double{nearest.v};
  return along(along(along({0, 0, 0}, corners.a, 1 - u - v), corners.b, u), corners.c, v);
}

/// Writes the closest points as records, and if asked for also their distances from the points in
/// double, and their places in the world.
template <class T>
void closest_points(SceneHandle& scene, const Rows<const T, 3>& points, double max_distance,
                    const HitBytes& records, const std::optional<Numbers<double>>& distances,
                    const std::optional<Rows<double, 3>>& places) {
  static_assert(sizeof(Nearest) == sizeof(Hit));
  Nearest* const out = reinterpret_cast<Nearest*>(records.data());
  const Vec3d origin = scene.scene().origin();
  const auto point = [&](std::size_t i) {
    const T* p = points.data() + 3 * i;
    return minus({double{p[0]}, double{p[1]}, double{p[2]}}, origin);
  };
  std::vector<Vec3f> here;
  for (std::size_t first = 0; first < points.shape(0); first += kPointsAtOnce) {
    {
      const nb::gil_scoped_release unlocked;
      here.resize(std::min(kPointsAtOnce, points.shape(0) - first));
      for (std::size_t i = 0; i < here.size(); ++i) here[i] = in_float(point(first + i));
      scene.with_renderer([&](Renderer& renderer) {
        renderer.closest_points(here, {out + first, here.size()}, static_cast<float>(max_distance));
        const detail::SceneView& view = renderer.state().prepared->view;
        detail::for_each_range<std::size_t>(here.size(), 1 << 12, [&](auto begin, auto end) {
          for (std::size_t i = first + begin; i < first + end; ++i) {
            if (!out[i].found()) {
              if (distances) distances->data()[i] = std::numeric_limits<double>::infinity();
              if (places) std::fill_n(places->data() + 3 * i, 3, std::nan(""));
              continue;
            }
            const Vec3d place = place_of(out[i], corners_of(view, out[i].triangle));
            const Vec3d way = minus(place, point(i));
            if (distances) distances->data()[i] = std::sqrt(dot(way, way));
            const Vec3d in_world = along(place, origin, 1.0);
            if (places) std::copy_n(&in_world.x, 3, places->data() + 3 * i);
          }
        });
      });
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
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
