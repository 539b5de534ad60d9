// Shades paths, with what eight of them need computed at once (prepare_vertices.hpp), while the
// memory that the next ones need is on its way. Paths hit triangles all over the scene; a processor
// that waits for each of them shades for a sixth longer.
#pragma once

#include "backends/cpu/prepare_vertices.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

/// True for the kernel ShadePaths of a shading with bounces.
template <class Kernel>
inline constexpr bool kShadesAhead = false;
template <class Shading>
inline constexpr bool kShadesAhead<ShadePaths<Shading>> = Shading::info.bounces();

/// Asks for what shading reads of a triangle: first the triangle, then its corners.
class TriangleAhead {
 public:
  explicit TriangleAhead(const SceneView& scene) : mesh_(scene.mesh) {}

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

 private:
  /// They may lie in two lines of the cache.
  template <class T>
  static void fetch_three(const T* first) {
    __builtin_prefetch(first);
    __builtin_prefetch(first + 2);
  }

  const MeshView& mesh_;
};

/// Runs such a kernel for each path.
template <class Kernel>
void shade_ahead(u32 count, const PathRange& range, const ShadingView& view, u32 depth,
                 const PathArrays& paths) {
  constexpr u32 kAhead = 16, kCornersAhead = 8;  // paths
  const TriangleAhead ahead(view.scene);
  // The ids of instances' hits are not those of triangles. And the last ray needs no surface.
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
          ahead.fetch_corners(paths.hits[i]);
        ready = prepare_vertices(first, range, view, depth, paths, prepared);
      }
      for (u32 k = 0; k < some; ++k)
        Kernel::shade(first + k, range, view, depth, paths,
                      (ready >> k & 1u) != 0u ? &prepared[k] : nullptr);
    }
  });
}

}  // namespace ballotcast::detail
