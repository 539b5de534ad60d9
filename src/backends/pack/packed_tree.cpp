#include "backends/pack/packed_tree.hpp"

#include <algorithm>

#include "backends/pack/checks.hpp"
#include "bvh/checks.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/error.hpp"
#include "support/packed_file.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kTreeValues = "tree";

/// The tree's values that are not in arrays.
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
  // A tree that is packed again keeps what is known of it.
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
  for (const BuildPlace place : {BuildPlace::host, BuildPlace::machine})
    if (builder_called(builder, place).name() == packed.builder) names.builder = packed.builder;
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
