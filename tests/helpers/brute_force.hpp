// Finds the closest hit without a tree.
#pragma once

#include "backends/scene/prepared_scene.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail::testing {

/// The closest hit, found by testing every triangle. Holes that textures make are ignored.
inline Hit brute_force(const PreparedScene& scene, const Ray& given) {
  const RayToCast cast = ray_to_cast(given, scene.view.magnitude);
  const RaySetup& s = cast.setup;
  Hit best = miss_of(cast.ray);
  if (!s.valid) return miss_of(given);
  const Mesh& mesh = scene.scene->mesh;
  for (u32 id = 0; id < mesh.triangles.size(); ++id) {
    const TriangleRows t = mesh.rows_of(id);
    intersect_triangle(s, cast.ray.t_min, t.row[s.kx()], t.row[s.ky()], t.row[s.kz], best,
                       EveryHit{});
  }
  give_back_if_far(given, scene.view.magnitude, best);
  return best;
}

}  // namespace ballotcast::detail::testing
