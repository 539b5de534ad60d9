// Shades paths while the memory that the next ones need is on its way. Paths hit triangles all over
// the scene, and a processor waits for each of them otherwise: for a sixth of the time.
#pragma once

#include "kernels/paths.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

template <class Kernel>
inline constexpr bool kShadesPaths = false;
template <class Shading>
inline constexpr bool kShadesPaths<ShadePaths<Shading>> = true;

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

/// Runs ShadePaths for each path.
template <class Kernel>
void shade_ahead(u32 count, const PathRange& range, const ShadingView& view, u32 depth,
                 const PathArrays& paths) {
  constexpr u32 kAhead = 16, kCornersAhead = 8;  // paths
  const TriangleAhead ahead(view.scene);
  // The ids of instances' hits are not those of triangles.
  const bool knows_triangles = view.scene.instances.count == 0u;
  for_each_range<u32>(count, 1024, [&](u32 begin, u32 end) BC_FLATTEN {
    for (u32 i = begin; i < end; ++i) {
      if (knows_triangles && i + kAhead < end) {
        ahead.fetch(paths.hits[i + kAhead]);
        ahead.fetch_corners(paths.hits[i + kCornersAhead]);
      }
      Kernel::item(i, range, view, depth, paths);
    }
  });
}

}  // namespace ballotcast::detail
