#include "backends/pack/checks.hpp"

#include <cmath>

#include "bvh/checks.hpp"
#include "bvh/layouts/table.hpp"
#include "support/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

bool are_ids(const Array<u32>& ids, std::size_t triangles) {
  return all_below(ids.size(), [&](std::size_t i) { return ids[i] < triangles; });
}

bool are_shares(const Array<float>& shares) {
  return all_below(shares.size(),
                   [&](std::size_t i) { return (shares[i] >= 0.0f) & (shares[i] <= 1.0f); });
}

bool are_usable(const Copies& copies, std::size_t triangles) {
  const Array<u32>& starts = copies.starts;
  if (starts.empty()) return copies.ids.empty();
  return starts.size() == triangles + 1 && starts.front() == 0 &&
         starts.back() == copies.ids.size() && are_ids(copies.ids, triangles) &&
         all_below(triangles, [&](std::size_t i) { return starts[i] <= starts[i + 1]; });
}

u64 nodes_in(const EncodedBvh& tree) {
  u64 nodes = 0;
  dispatch_row(Layouts{}, tree.layout,
               [&](auto tag) { nodes = tree.bytes / sizeof(typename decltype(tag)::type::Node); });
  return nodes;
}

/// True if `s` may be the statistics of `tree`, through which walks were checked. Layouts store the
/// inner nodes of a tree. A tree that is a single leaf has none, but may be stored with one.
bool are_plausible(const TreeStatistics& s, const EncodedBvh& tree) {
  const u64 inner = nodes_in(tree), triangles = tree.triangles.size();
  if (inner > 1 ? s.leaves != inner + 1 || s.depth != tree.shape.depth
                : s.leaves > 2 || s.leaves > triangles || s.depth > 1)
    return false;
  const double per_leaf =
      s.leaves > 0 ? static_cast<double>(triangles) / static_cast<double>(s.leaves) : 0.0;
  return s.nodes == (s.leaves > 0 ? 2 * s.leaves - 1 : 0) && s.largest_leaf <= kLargestLeaf &&
         s.triangles_per_leaf == per_leaf && s.sah_cost >= 0.0 && std::isfinite(s.sah_cost);
}

}  // namespace

void require_usable_tree(PreparedScene& out, const PackedFile& file) {
  const Mesh& mesh = out.scene->mesh;
  std::string defect;
  bool same_rows = false;
  // The nodes take one thread, the triangles take the others.
  in_parallel([&] { defect = defect_of(out.encoded); },
              [&] { same_rows = are_rows_of(mesh, out.encoded.triangles, out.bounds); });
  if (!defect.empty()) file.refuse("is damaged: its tree can't be walked: " + defect);
  if (!are_plausible(out.statistics, out.encoded))
    file.refuse("is damaged: the statistics are not those of its tree");
  if (!same_rows) file.refuse("is damaged: the tree's triangles are not those of the mesh");
  if (!are_usable(out.copies, mesh.triangles.size()))
    file.refuse("is damaged: its lists of copies of triangles make no sense");
}

void require_usable_lights(const PreparedScene& out, const PackedFile& file) {
  const LightTables& lights = out.lights;
  const Picture<vec3>& sky = out.scene->sky_map;
  const bool has_sky = !sky.pixels.empty();
  const bool fit = lights.emitters.size() == lights.emitters_cumulative.size() &&
                   lights.sky_rows.size() == (has_sky ? sky.height : 0) &&
                   lights.sky_columns.size() == sky.pixels.size() &&
                   lights.sky_heights.size() == (has_sky ? sky.height + 1 : 0);
  if (!fit || !are_ids(lights.emitters, out.scene->mesh.triangles.size()) ||
      !are_shares(lights.emitters_cumulative) || !are_shares(lights.sky_rows) ||
      !are_shares(lights.sky_columns) || !all_below(lights.sky_heights.size(), [&](std::size_t i) {
        return magnitude_of(lights.sky_heights[i]) <= 1.0f;
      }))
    file.refuse("is damaged: its tables of lights make no sense");
}

}  // namespace ballotcast::detail
