// The machine of backend cpu. Some of its kernels use SIMD vectors.
#pragma once

#include "backends/host/host_machine.hpp"
#include "kernels/frame/paths.hpp"
#include "kernels/smooth/filter.hpp"
#include "math/simd.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// Computes the results of the kernel SmoothLight for all patches, with SIMD and on all threads.
/// The results have the same bits as those of the kernel.
void smooth_in_lanes(const PatchGrid& grid, PatchLights in, PatchLights guide, i32 radius,
                     PatchLights out);

/// Computes the data that shading needs (PreparedVertex) with SIMD for eight paths: the paths
/// [first, first + 8) of a range, in a scene without instances. In the result, bit k is set if path
/// first + k was prepared, which is the case if the path hit something.
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
    const Corners p = corners_of(scene, {hit.triangle, 0u}, hit.u, hit.v);
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

// While ShadePaths shades one path, it prefetches the memory for later paths. Paths hit triangles
// all over the scene, and without prefetching shading takes a sixth longer.

/// True for the kernel ShadePaths if the shading has bounces.
template <class Kernel>
inline constexpr bool kShadesAhead = false;
template <class Shading>
inline constexpr bool kShadesAhead<ShadePaths<Shading>> = Shading::info.bounces();

/// Prefetches the data of a triangle that shading reads: first the triangle, then its corners and
/// the texels of its colour.
class TriangleAhead {
 public:
  explicit TriangleAhead(const SceneView& scene) : scene_(scene), mesh_(scene.mesh) {}

  void fetch(const Hit& hit) const {
    if (!hit.found()) return;
    const u64 t = hit.triangle;
    __builtin_prefetch(mesh_.triangles + t);
    if (mesh_.material_of) __builtin_prefetch(mesh_.material_of + t);
    if (mesh_.corner_normals) fetch_three(mesh_.corner_normals + 3u * t);
    if (mesh_.corner_texcoords) fetch_three(mesh_.corner_texcoords + 3u * t);
  }
  void fetch_corners(const Hit& hit) const {
    if (!hit.found()) return;
    const uvec3 corners = mesh_.triangles[hit.triangle];
    for (const u32 corner : {corners.x, corners.y, corners.z})
      __builtin_prefetch(mesh_.positions + corner);
  }
  void fetch_texels(const Hit& hit) const {
    if (!hit.found() || !mesh_.corner_texcoords) return;
    const TrianglePlace place{hit.triangle, 0u};
    const u32 texture = material_of(scene_, place).color_texture;
    if (texture == kNoTexture) return;
    const TextureView& of = scene_.textures[texture];
    const vec2 uv = texcoord_at(scene_, place, hit.u, hit.v);
    const u32 x = texel_span(uv.x, of.width, of.across).first;
    const TexelSpan y = texel_span(1.0f - uv.y, of.height, of.down);
    for (const u32 row : {y.first, y.second}) __builtin_prefetch(of.texels + row * of.width + x);
  }

 private:
  /// Prefetches three elements, which may lie in two cache lines.
  template <class T>
  static void fetch_three(const T* first) {
    __builtin_prefetch(first);
    __builtin_prefetch(first + 2);
  }

  const SceneView& scene_;
  const MeshView& mesh_;
};

/// Runs ShadePaths for each path, with prefetching.
template <class Kernel>
void shade_ahead(u32 count, const PathRange& range, const ShadingView& view, u32 depth,
                 const PathArrays& paths) {
  // Prefetch distances in paths. Triangles are fetched first, and their corners and texels when the
  // triangles have probably arrived.
  constexpr u32 kAhead = 16, kCornersAhead = 8;
  const TriangleAhead ahead(view.scene);
  // The ids of hits of instances are not ids of triangles. The last vertex of a path needs no
  // surface.
  const bool prepares = view.scene.instances.count == 0u && depth <= view.bounces;
  for_each_range<u32>(count, 1024, [&](u32 begin, u32 end) BC_FLATTEN {
    PreparedVertex prepared[8];
    for (u32 first = begin; first < end; first += 8u) {
      const u32 some = std::min(8u, end - first);
      u32 ready = 0u;
      if (prepares && some == 8u) {
        for (u32 i = first + kAhead; i < std::min(end, first + kAhead + 8u); ++i)
          ahead.fetch(paths.hits[i]);
        for (u32 i = first + kCornersAhead; i < std::min(end, first + kCornersAhead + 8u); ++i)
          ahead.fetch_corners(paths.hits[i]), ahead.fetch_texels(paths.hits[i]);
        ready = prepare_vertices(first, range, view, depth, paths, prepared);
      }
      for (u32 k = 0; k < some; ++k)
        Kernel::shade(first + k, range, view, depth, paths,
                      (ready >> k & 1u) != 0u ? &prepared[k] : nullptr);
    }
  });
}

/// A HostMachine on which some kernels use SIMD vectors.
class CpuMachine : public HostMachine {
 public:
  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    if constexpr (std::is_same_v<Kernel, SmoothLight>)
      smooth_in_lanes(views...);
    else if constexpr (kShadesAhead<Kernel>)
      shade_ahead<Kernel>(count, views...);
    else
      HostMachine::each<Kernel>(description, count, views...);
  }
};

}  // namespace ballotcast::detail
