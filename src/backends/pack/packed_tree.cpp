#include "backends/pack/packed_tree.hpp"

#include <cmath>

#include "backends/scene/prepare.hpp"
#include "ballotcast/error.hpp"
#include "bvh/builders/submeshes.hpp"
#include "bvh/layouts/layouts.hpp"
#include "bvh/tree_checks.hpp"
#include "bvh/tree_statistics.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/packed_file.hpp"
#include "support/threads/parallel.hpp"
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

/// True if `s` are plausible statistics of `tree`, which was checked to be safe for traversal.
/// Layouts store the inner nodes of a tree. A tree that is a single leaf has no inner node, but a
/// layout may store one.
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

/// Throws InputError, which names `file`, unless traversal of the tree of `out` and the lists of
/// copies stay within their arrays, and the statistics are plausible. Sets out.bounds.
void require_usable_tree(PreparedScene& out, const PackedFile& file) {
  const Mesh& mesh = out.scene->mesh;
  std::string defect;
  bool same_rows = false;
  // One thread checks the nodes; the others check the triangles.
  in_parallel([&] { defect = defect_of(out.encoded); },
              [&] { same_rows = are_rows_of(mesh, out.encoded.triangles, out.bounds); });
  if (!defect.empty()) file.refuse("is damaged: its tree can't be walked: " + defect);
  if (!are_plausible(out.statistics, out.encoded))
    file.refuse("is damaged: the statistics are not those of its tree");
  if (!same_rows) file.refuse("is damaged: the tree's triangles are not those of the mesh");
  if (!are_usable(out.copies, mesh.triangles.size()))
    file.refuse("is damaged: its lists of copies of triangles make no sense");
}

/// Throws InputError, which names `file`, unless kernels can sample lights with the tables.
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

constexpr std::string_view kTreeValues = "tree";

/// The values of a tree that are not in arrays.
struct TreeValues {
  std::string builder, layout;
  u8 layout_is_auto = 0;
  u64 node_bytes = 0;
  TreeShape shape{};
  TreeStatistics statistics;
};

template <class Values, class Tree>
void each_value(Values& values, Tree& tree) {
  values(tree.builder);
  values(tree.layout);
  values(tree.layout_is_auto);
  values(tree.node_bytes);
  static_assert(sizeof(TreeShape) == 8 * sizeof(u32), "no gaps, and no member is new");
  values(tree.shape);
  values(tree.statistics.nodes);
  values(tree.statistics.leaves);
  values(tree.statistics.depth);
  values(tree.statistics.triangles_per_leaf);
  values(tree.statistics.largest_leaf);
  values(tree.statistics.sah_cost);
}

/// Calls visit(name, array) for every array that belongs to a tree.
template <class Prepared, class Visit>
void each_tree_array(Prepared& scene, Visit visit) {
  visit("tree nodes", scene.encoded.nodes);
  visit("tree triangles", scene.encoded.triangles);
  visit("copy starts", scene.copies.starts);
  visit("copies", scene.copies.ids);
}

template <class Prepared, class Visit>
void each_light_array(Prepared& scene, Visit visit) {
  visit("emitters", scene.lights.emitters);
  visit("emitter shares", scene.lights.emitters_cumulative);
  visit("sky rows", scene.lights.sky_rows);
  visit("sky columns", scene.lights.sky_columns);
  visit("sky heights", scene.lights.sky_heights);
}

TreeValues values_in(const PackedFile& file) {
  TreeValues tree;
  ValueReader values(file, kTreeValues);
  each_value(values, tree);
  values.require_end();
  const auto require_known = [&](const std::string& kind, const std::string& name, auto look_up) {
    try {
      look_up();
    } catch (const UsageError&) {
      file.refuse("its tree has the unknown " + kind + " '" + name + "'; pack the scene again");
    }
  };
  require_known("builder", tree.builder, [&] { builder_called(tree.builder); });
  require_known("layout", tree.layout, [&] { layout_called(tree.layout); });
  return tree;
}

/// True if the arrays from which trees are built are those of the packed file.
bool has_its_mesh(const SceneData& scene) {
  const PackedFile& file = *scene.packed;
  return file.holds(scene.mesh.positions, "positions") &&
         file.holds(scene.mesh.triangles, "triangles") &&
         file.holds(scene.mesh.material_of, "material ids") &&
         file.holds(scene.materials, "materials");
}

bool has_packed_tree(const SceneData& scene) { return scene.packed && has_its_mesh(scene); }

}  // namespace

void require_packable(const SceneData& scene) {
  if (!scene.instances.empty())
    throw InputError(scene.place() + ": a scene with instances can't be packed");
}

u64 write_packed(const std::string& path, const PreparedScene& scene, const SceneSources& sources,
                 bool layout_is_auto, std::vector<u8> key) {
  PackedWriter writer;
  writer.add_copy(kKeySection, std::move(key));
  add_scene(writer, *scene.scene, sources);
  // If a packed tree is packed again, this property is copied from its file.
  if (scene.tree_is_packed) layout_is_auto = values_in(*scene.scene->packed).layout_is_auto != 0;
  TreeValues tree{scene.builder.name(), std::string(scene.encoded.layout->name),
                  layout_is_auto,       scene.encoded.bytes,
                  scene.encoded.shape,  scene.statistics};
  ValueWriter values;
  each_value(values, tree);
  writer.add_copy(kTreeValues, std::move(values.bytes));
  const auto add = [&](const char* name, const auto& array) { writer.add(name, array); };
  each_tree_array(scene, add);
  each_light_array(scene, add);
  return writer.write(path);
}

TreeNames tree_names(const SceneData& scene, std::string_view builder, std::string_view layout) {
  TreeNames names{std::string(builder), std::string(layout)};
  if (!has_packed_tree(scene)) return names;
  const TreeValues packed = values_in(*scene.packed);
  if (builder == kDefaultBuilder) names.builder = packed.builder;
  for (const BuildOn on : {BuildOn::host, BuildOn::machine})
    if (builder_called(builder, on).name() == packed.builder) names.builder = packed.builder;
  if (layout == "auto" && names.builder == packed.builder) names.layout = packed.layout;
  return names;
}

bool take_packed_tree(PreparedScene& out, const LayoutInfo* layout) {
  const SceneData& scene = *out.scene;
  if (!has_packed_tree(scene)) return false;
  const PackedFile& file = *scene.packed;
  const TreeValues tree = values_in(file);
  if (tree.builder != out.builder.name()) return false;
  if (layout ? tree.layout != layout->name : tree.layout_is_auto == 0) return false;
  out.encoded.layout = layout_called(tree.layout);
  out.encoded.bytes = tree.node_bytes;
  out.encoded.shape = tree.shape;
  const auto take = [&]<class T>(const char* name, Array<T>& array) {
    array = file.array<T>(name);
  };
  each_tree_array(out, take);
  out.encoded.leaves = form_of_leaves(scene.mesh.triangles.size() - out.copies.ids.size());
  out.statistics = tree.statistics;
  require_usable_tree(out, file);
  if (file.holds(scene.sky_map.pixels, "sky")) {
    each_light_array(out, take);
    require_usable_lights(out, file);
  } else {
    out.lights = light_tables_of(scene);
  }
  out.tree_is_packed = true;
  return true;
}

std::string note_on_tree(const PreparedScene& scene) {
  if (!scene.scene->packed || scene.tree_is_packed) return "";
  const PackedFile& file = *scene.scene->packed;
  if (!has_its_mesh(*scene.scene))
    return file.path() + ": the tree was built anew, because meshes were added";
  const TreeValues packed = values_in(file);
  return file.path() + ": the tree was built anew, because the packed one is " + packed.builder +
         " in layout " + packed.layout;
}

}  // namespace ballotcast::detail
