// All crossings of rays with surfaces, through wide trees. Each has the bits, and all have the
// order, that for_each_crossing of kernels/crossings.hpp gives. Memory is at hand here, so one walk
// collects all crossings of a ray, and then they are sorted.
#pragma once

#include <algorithm>
#include <vector>

#include "backends/cpu/wide_trace.hpp"
#include "kernels/crossings.hpp"

namespace ballotcast::detail {

/// Collects the crossings of a ray with one wide tree, but not those at which is_hole(hit).
template <class IsHole>
inline void collect_in_tree(const WideTree& tree, const RaySetup& setup, const Ray& ray,
                            u32 first_id, std::vector<Hit>& out, IsHole is_hole) {
  const WideRay wide(setup, ray);
  walk_in_order(tree, wide.slabs, ray.t_max, [&](u32 leaf) {
    cross_block_of(tree, leaf, setup, wide.lanes, ray.t_max, first_id, [&](const Hit& hit) {
      if (!is_hole(hit)) out.push_back(hit);
    });
    return false;
  });
}

template <class Layout>
inline void collect_crossings(const TraceView<Layout>& view, const WideScene& scene,
                              const RayToCast& cast, const WalkFrame&, std::vector<Hit>& out) {
  collect_in_tree(scene.tree(), cast.setup, cast.ray, 0u, out, [&](const Hit& hit) {
    return is_hole(view.scene, {hit.triangle, 0u}, hit);
  });
  const CopiesView& copies = view.scene.copies;
  if (!copies.starts) return;
  for (std::size_t i = 0, found = out.size(); i < found; ++i) {
    Hit copy = out[i];
    for (u32 k = copies.starts[copy.triangle], end = copies.starts[out[i].triangle + 1u]; k < end;
         ++k) {
      copy.triangle = copies.ids[k];
      out.push_back(copy);
    }
  }
}

template <class Layout>
inline void collect_crossings(const InstancedView<Layout>& view, const WideScene& scene,
                              const RayToCast& cast, const WalkFrame& frame,
                              std::vector<Hit>& out) {
  for_each_tree_below(
      view, scene, cast, frame, cast.ray.t_max, [&](const RayInMesh& at, const WideTree& tree) {
        collect_in_tree(tree, at.setup, at.ray, at.first_id, out, [&](const Hit& hit) {
          return is_hole(view.scene, at.place(hit.triangle), hit);
        });
        return false;
      });
}

/// Sets `out` to the crossings of ray i of a batch, in order. Their t belong to the ray that is
/// cast: see for_each_crossing.
template <class View>
BC_FLATTEN inline void find_crossings(const View& view, const WideScene& scene, u32 i,
                                      const WalkFrame& frame, const Ray& given,
                                      std::vector<Hit>& out) {
  out.clear();
  const RayToCast cast = ray_to_cast(view, i, frame, given);
  if (!cast.setup.valid) return;
  collect_crossings(view, scene, cast, frame, out);
  // A triangle that was cut may be in several leaves, and is then found more than once.
  std::sort(out.begin(), out.end(),
            [](const Hit& a, const Hit& b) { return precedes(a.t, a.triangle, b); });
  const auto is_same = [](const Hit& a, const Hit& b) {
    return a.triangle == b.triangle && a.t == b.t;
  };
  out.erase(std::unique(out.begin(), out.end(), is_same), out.end());
}

}  // namespace ballotcast::detail
