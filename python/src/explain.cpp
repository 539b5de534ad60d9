// Explains the hits of single rays.
#include "arrays.hpp"
#include "camera.hpp"
#include "render/internals.hpp"
#include "scene.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

nb::tuple tuple_of(const dvec3& v) { return nb::make_tuple(v.x, v.y, v.z); }

/// An explanation in the form for Python: text; JSON; numbers of nodes, leaves and instances; the
/// tested triangles as (id, t, u, v, taken, verdict); and the ray's origin and direction.
nb::tuple as_tuple(const HitExplanation& e, const Vec3d& scene_origin) {
  nb::list tested;
  for (const TestedTriangle& t : e.tested)
    tested.append(nb::make_tuple(t.triangle, t.t, t.u, t.v, t.taken, t.verdict));
  const dvec3 origin = dvec3(vec3(e.ray.origin)) + dvec3(scene_origin);
  return nb::make_tuple(e.text, e.json, e.nodes, e.leaves, e.instances, tested, tuple_of(origin),
                        tuple_of(dvec3(vec3(e.ray.direction))));
}

/// Explains the first of the rays. Writes its hit and, for a ray of doubles, its distance. Returns
/// the explanation, which is about the ray that is cast, and two numbers `start` and `step`: t of
/// the cast ray corresponds to start + t * step along the original ray.
nb::tuple explain(SceneHandle& scene, Rays& rays, bool any, const HitBytes& hits,
                  const std::optional<Numbers<double>>& distances,
                  const std::optional<Rows<double, 3>>& places) {
  HitExplanation explanation;
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    explanation = renderer.explain(rays.arrays().ray(0u), any, rays.worlds().of(0), rays.filter());
    if (distances)
      store_precise(rays, 0, &explanation.hit, detail::prepared_of(renderer).view,
                    distances->data(), reinterpret_cast<dvec3*>(places->data()));
    if (rays.arrays().is_scaled(0u))
      detail::store_scaled_t(0u, detail::prepared_of(renderer).view, rays.arrays(),
                             explanation.hit);
  });
  *reinterpret_cast<Hit*>(hits.data()) = explanation.hit;
  double start = 0.0, step = 1.0;
  if (rays.are_precise() || rays.arrays().is_scaled(0u)) {
    const detail::PreciseRay ray = rays.arrays().precise_ray(0u);
    start = ray.along(0.0);
    step = ray.along(1.0) - start;
  }
  return nb::make_tuple(as_tuple(explanation, scene.scene().origin()), start, step);
}

nb::tuple explain_pixel(SceneHandle& scene, std::uint32_t x, std::uint32_t y,
                        const CameraOfSize& camera, bool any, std::uint32_t sides,
                        const Words& mask, const Words& skip, const Words& skip_instance,
                        const HitBytes& hits) {
  RenderSettings settings;
  settings.width = camera.width;
  settings.height = camera.height;
  settings.camera = camera.settings;
  HitExplanation explanation;
  scene.work([&](Renderer& renderer) {
    explanation = renderer.explain(renderer.pixel_ray(settings, x, y), any, 0,
                                   filter_of(sides, mask, skip, skip_instance));
  });
  *reinterpret_cast<Hit*>(hits.data()) = explanation.hit;
  return as_tuple(explanation, scene.scene().origin());
}

}  // namespace

void bind_explanations(nb::class_<SceneHandle>& scene) {
  scene
      .def("explain", &explain, "rays"_a, "any"_a, "hits"_a, "distances"_a.none(),
           "places"_a.none())
      .def("explain_pixel", &explain_pixel, "x"_a, "y"_a, "camera"_a, "any"_a, "sides"_a,
           "mask"_a.none(), "skip"_a.none(), "skip_instance"_a.none(), "hits"_a);
}

}  // namespace ballotcast::python
