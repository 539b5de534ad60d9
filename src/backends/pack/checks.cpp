#include "backends/pack/checks.hpp"

#include "bvh/layouts/check.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 16;  // elements per task

/// True if is_good(i) for every i below `count`.
template <class IsGood>
bool all_below(std::size_t count, const IsGood& is_good) {
  return reduce_ranges<std::size_t>(
      0, count, kAtOnce, true,
      [&](std::size_t begin, std::size_t end, bool good) {
        for (std::size_t i = begin; i < end; ++i) good &= is_good(i);
        return good;
      },
      [](bool a, bool b) { return a && b; });
}

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

}  // namespace

void require_usable_tree(PreparedScene& out, const PackedFile& file) {
  const Mesh& mesh = out.scene->mesh;
  std::string defect;
  bool same_rows = false;
  // The nodes take one thread, the triangles take the others.
  in_parallel([&] { defect = defect_of(out.encoded); },
              [&] { same_rows = are_rows_of(mesh, out.encoded.triangles, out.bounds); });
  if (!defect.empty()) file.refuse("is damaged: its tree can't be walked: " + defect);
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
