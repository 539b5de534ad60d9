// Explaining the hits of single rays.
#include "camera.hpp"
#include "rays.hpp"
#include "render/internals.hpp"
#include "scene.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

nb::tuple tuple_of(const dvec3& v) { return nb::make_tuple(v.x, v.y, v.z); }

/// An explanation for Python: text, JSON, numbers of nodes, leaves and instances; triangles tested,
/// as (id, t, u, v, taken, verdict); and the ray's origin and direction.
nb::tuple as_tuple(const HitExplanation& e, const Vec3d& scene_origin) {
  nb::list tested;
  for (const TestedTriangle& t : e.tested)
    tested.append(nb::make_tuple(t.triangle, t.t, t.u, t.v, t.taken, t.verdict));
  const dvec3 origin = dvec3(vec3(e.ray.origin)) + dvec3(scene_origin);
  return nb::make_tuple(e.text, e.json, e.nodes, e.leaves, e.instances, tested, tuple_of(origin),
                        tuple_of(dvec3(vec3(e.ray.direction))));
}

/// Explains the first ray of the arrays. Writes its hit, and for a ray of doubles its distance.
/// Returns the explanation of the ray that is cast, and start and step: a distance t along that is
/// start + t * step along the ray of the arrays.
template <class T>
nb::tuple explain(SceneHandle& scene, const Vectors<T>& origins, const Vectors<T>& directions,
                  const Numbers<const double>& t_min, const Numbers<const double>& t_max,
                  const Worlds& worlds, bool any, const HitBytes& hits,
                  const std::optional<Numbers<double>>& distances,
                  const std::optional<Rows<double, 3>>& places) {
  const RaySource<T> source(origins, directions, t_min, t_max, worlds, scene.scene());
  HitExplanation told;
  without_gil([&] {
    scene.with_renderer([&](Renderer& renderer) {
      told = renderer.explain(source.ray(0), any, worlds_of(worlds).of(0));
      if (distances)
        store_precise(source, 0, told.hit, detail::prepared_of(renderer).view, distances->data(),
                      places->data());
    });
  });
  *reinterpret_cast<Hit*>(hits.data()) = told.hit;
  double start = 0.0, step = 1.0;
  if (sizeof(T) == sizeof(double)) {
    start = source.precise(0).along(0.0);
    step = source.precise(0).along(1.0) - start;
  }
  return nb::make_tuple(as_tuple(told, scene.scene().origin()), start, step);
}

nb::tuple explain_pixel(SceneHandle& scene, std::uint32_t width, std::uint32_t height,
                        std::uint32_t x, std::uint32_t y, const Triple& eye, const Triple& look_at,
                        const Triple& up, std::optional<double> fov, std::optional<double> lens,
                        std::optional<double> focus, std::optional<double> ortho_height, bool any,
                        const HitBytes& hits) {
  RenderSettings settings;
  settings.width = width;
  settings.height = height;
  settings.camera = camera_of(eye, look_at, up, fov, lens, focus, ortho_height);
  HitExplanation told;
  without_gil([&] {
    scene.with_renderer([&](Renderer& renderer) {
      told = renderer.explain(renderer.pixel_ray(settings, x, y), any);
    });
  });
  *reinterpret_cast<Hit*>(hits.data()) = told.hit;
  return as_tuple(told, scene.scene().origin());
}

template <class T>
void bind_explanations_for(nb::class_<SceneHandle>& scene) {
  scene.def("explain", &explain<T>, "origins"_a, "directions"_a, "t_min"_a, "t_max"_a,
            "worlds"_a.none(), "any"_a, "hits"_a, "distances"_a.none(), "places"_a.none());
}

}  // namespace

void bind_explanations(nb::class_<SceneHandle>& scene) {
  bind_explanations_for<float>(scene);
  bind_explanations_for<double>(scene);
  scene.def("explain_pixel", &explain_pixel, "width"_a, "height"_a, "x"_a, "y"_a, "eye"_a.none(),
            "look_at"_a.none(), "up"_a.none(), "fov"_a.none(), "lens"_a.none(), "focus"_a.none(),
            "ortho_height"_a.none(), "any"_a, "hits"_a);
}

}  // namespace ballotcast::python
