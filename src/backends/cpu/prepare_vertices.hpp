// Computes in lanes what shading needs of eight paths: see PreparedVertex.
#pragma once

#include "kernels/paths.hpp"
#include "math/vector_lanes.hpp"

namespace ballotcast::detail {

/// Prepares the paths [first, first + 8) of a range of a scene without instances. Returns those
/// that are prepared: bit k for path first + k. They hit something.
inline u32 prepare_vertices(u32 first, const PathRange& range, const ShadingView& view, u32 depth,
                            const PathArrays& paths, PreparedVertex (&out)[8]) {
  const SceneView& scene = view.scene;
  const bool has_normals = scene.mesh.corner_normals != nullptr;
  VectorLanes direction(0.0f), ab(0.0f), ac(0.0f), mean(0.0f);
  WordLanes8 low, high;
  u32 there = 0u;
  for (u32 k = 0; k < 8u; ++k) {
    const u32 i = first + k;
    const Ray& ray = paths.rays[i];
    const Hit& hit = paths.hits[i];
    if (!ray.asks() || !hit.found()) continue;
    there |= 1u << k;
    PreparedVertex& vertex = out[k];
    const Corners p = corners_of(scene, {hit.triangle, 0u});
    direction.set_lane(k, ray.direction);
    ab.set_lane(k, p.b - p.a);
    ac.set_lane(k, p.c - p.a);
    if (has_normals) mean.set_lane(k, mean_normal(scene, hit, hit.triangle));
    vertex.surface.position = point_of(p, hit);
    vertex.place = range.sample_of(i);
    low.v[k] = static_cast<u32>(vertex.place.index);
    high.v[k] = static_cast<u32>(vertex.place.index >> 32);
  }
  if (there == 0u) return 0u;

  const VectorLanes to_eye = -unit_or(direction, VectorLanes(without_direction()));
  const NormalsOf<VectorLanes> normals(direction, ab, ac, has_normals ? &mean : nullptr, false);
  const u32 front = true_lanes(normals.front);
  const PointOf<Lanes8> random =
      SamplePlace::point_of(low, high, PathVertex::random_dimension(depth, kDirection));
  const VectorLanes cosine = cosine_point<VectorLanes, DoubleLanes8>(random);
  for (u32 k = 0; k < 8u; ++k) {
    PreparedVertex& vertex = out[k];
    vertex.to_eye = to_eye.lane(k);
    vertex.surface.geometric_normal = normals.geometric.lane(k);
    vertex.surface.normal = normals.interpolated.lane(k);
    vertex.surface.front = (front >> k & 1u) != 0u;
    vertex.random = {random.x.v[k], random.y.v[k]};
    vertex.cosine = cosine.lane(k);
  }
  return there;
}

}  // namespace ballotcast::detail
