#include "backends/scene/prepare.hpp"

#include <cmath>
#include <utility>

#include "backends/pack/packed_tree.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/builders/submeshes.hpp"
#include "kernels/shadings/shadings.hpp"
#include "scene/instances/instances.hpp"
#include "support/float_environment.hpp"
#include "support/hash.hpp"
#include "support/profile.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// Throws InputError unless every material and every texture that is referred to exists.
void require_surfaces(const SceneData& scene) {
  if (scene.materials.empty()) throw InputError(scene.name + ": scene has no material");
  for (const u32 material : scene.mesh.material_of)
    if (material >= scene.materials.size())
      throw InputError(scene.name + ": a triangle names a material that does not exist");
  for (const Material& material : scene.materials)
    for (const TextureMember texture : kTexturesOfMaterial)
      if (material.*texture != kNoTexture && material.*texture >= scene.textures.size())
        throw InputError(scene.name + ": a material names a texture that does not exist");
}

/// True if the triangle has no holes, so that every ray that meets it hits it.
bool is_whole(const SceneData& scene, u32 id) {
  const Mesh& mesh = scene.mesh;
  if (scene.materials[mesh.material_index(id)].may_cut_out()) return false;
  if (mesh.vertex_opacity.empty()) return true;
  const uvec3 corners = mesh.triangles[id];
  return mesh.vertex_opacity[corners.x] == 1.0f && mesh.vertex_opacity[corners.y] == 1.0f &&
         mesh.vertex_opacity[corners.z] == 1.0f;
}

/// Builds the tree of out.scene, and all other data that packed files contain.
void build_tree(PreparedScene& out, const LayoutInfo* layout, const Progress& progress,
                const BuildTree& build) {
  const ProfileSpan span("build the tree");
  const SceneData& scene = *out.scene;
  out.lights = light_tables_of(scene);
  if (!scene.instances.empty()) {
    build_levels(out, layout, [&](const Builder& builder, const Mesh& mesh) {
      return build.build(builder, mesh, {}, progress);
    });
    return;
  }
  {
    const ProfileSpan copies("find copies");
    out.copies = find_copies(scene.mesh, [&scene](u32 id) { return is_whole(scene, id); });
  }
  BinaryTree tree = build.of_any_size(out.builder, scene.mesh, out.copies, progress);
  const ProfileSpan encoding("encode the tree");
  out.statistics = statistics_of(tree);
  out.bounds = scene.mesh.bounds();
  out.encoded = encode(layout, std::move(tree), scene.mesh);
}

}  // namespace

const ShadingInfo& shading_wished_by(const SceneData& scene) {
  if (!scene.shading) return *row_called(Shadings{}, "shading", kDefaultShading);
  try {
    return *row_called(Shadings{}, "shading", *scene.shading);
  } catch (const UsageError& error) {
    throw InputError(scene.place() + ": " + error.what());
  }
}

void require_drawable(const SceneData& scene) {
  shading_wished_by(scene);  // throws if the shading does not exist
  require_surfaces(scene);
  scene.mesh.require_valid();
  require_usable_instances(scene);
}

void build_levels(PreparedScene& out, const LayoutInfo* layout, const BuildMesh& build) {
  TwoLevelTree tree = build_two_levels(*out.scene, out.builder, layout, build);
  out.encoded = std::move(tree.encoded);
  out.levels = std::move(tree.levels);
  out.statistics = tree.statistics;
  out.bounds = box_of_instances(*out.scene, out.levels.boxes);
}

std::string hash_of_trees(const PreparedScene& scene) {
  if (scene.scene->instances.empty()) return hash_of(scene.encoded);
  const TwoLevels& levels = scene.levels;
  const std::string lower = hash_of(scene.encoded);
  const u64 hashes[] = {
      content_hash(lower.data(), lower.size()),
      content_hash(levels.upper.nodes.data(), levels.upper.bytes),
      content_hash(levels.instances.data(), levels.instances.size() * sizeof(WalkInstance)),
      content_hash(levels.worlds.data(), levels.worlds.size() * sizeof(WorldTree))};
  return digits_of(content_hash(hashes, sizeof hashes));
}

void set_arrays(PreparedScene& out) {
  const SceneData& scene = *out.scene;
  SceneArrays& arrays = out.arrays;
  arrays = {};
  arrays.shape = out.encoded.shape;
  arrays.layout = out.encoded.layout;
  arrays.leaves = out.encoded.leaves;
  arrays.triangle_count = static_cast<u32>(scene.mesh.triangles.size());
  for (const auto& image : scene.textures)
    arrays.textures.push_back(
        {image.pixels.data(), image.width, image.height, image.across, image.down});
  if (!scene.mesh.vertex_opacity.empty()) arrays.scene.has_cutouts = 1;
  for (const Material& material : scene.materials)
    if (material.may_cut_out()) arrays.scene.has_cutouts = 1;
  for_each_array(out, arrays, [](const char*, const auto& host, auto& pointer) {
    pointer = host.empty() ? nullptr : host.data();
  });
  SceneView& view = arrays.scene;
  arrays.world_count = scene.instances.empty() ? 0 : out.levels.entries.world_count();
  for (const MeshTree& mesh : out.levels.meshes)
    arrays.lower_depth = std::max(arrays.lower_depth, mesh.frame.shape.depth);
  set_lights(scene, out.lights, view);
  view.instances.count = static_cast<u32>(scene.instances.size());
  view.magnitude = magnitude_of(out.bounds);
  float slack = 1.0f;
  if (arrays.world_count > 0) {  // only scenes with a single world are drawn
    view.magnitude = out.levels.worlds[0].frame.magnitude;
    slack = out.levels.worlds[0].slack;
  }
  const dvec3 extent = out.bounds.empty() ? dvec3(0.0) : dvec3(out.bounds.extent());
  view.diagonal = static_cast<float>(std::sqrt(glm::dot(extent, extent)));
  // Secondary rays start at this distance from the surface. It must be larger than the error of a
  // hit's position, which is at most half of box_slack. For instances both the error and the slack
  // grow with the distortion.
  view.offset = 0.5f * box_slack(view.magnitude) * slack;
}

BinaryTree BuildTree::of_any_size(const Builder& builder, const Mesh& mesh, const Copies& copies,
                                  const Progress& progress) const {
  if (mesh.triangles.size() - copies.ids.size() <= most_at_once())
    return build(builder, mesh, copies, progress);
  mesh.require_valid();
  return build_from_submeshes(
      mesh, copies, [&](const Mesh& submesh) { return build(builder, submesh, {}, {}); }, progress);
}

BinaryTree build_on_host(const Builder& builder, const Mesh& mesh, const Copies& copies,
                         const Progress& progress) {
  return builder.build(mesh, copies, progress);
}

std::shared_ptr<const PreparedScene> prepare(std::shared_ptr<const SceneData> scene_pointer,
                                             std::string_view builder, std::string_view layout,
                                             const Progress& progress, const BuildTree& build) {
  const DefaultFloats floats;
  auto out = std::make_shared<PreparedScene>();
  const SceneData& scene = *scene_pointer;
  out->scene = scene_pointer;
  out->builder = builder_called(builder, build.on);
  const LayoutInfo* const wanted_layout = layout_called(layout);
  shading_wished_by(scene);  // throws if the shading does not exist
  if (!take_packed_tree(*out, wanted_layout)) {
    require_drawable(scene);
    build_tree(*out, wanted_layout, progress, build);
  }
  set_arrays(*out);
  return out;
}

std::shared_ptr<const PreparedScene> prepare_as_packed(std::shared_ptr<const SceneData> scene,
                                                       std::string_view builder,
                                                       std::string_view layout,
                                                       const Progress& progress,
                                                       const BuildTree& build) {
  const TreeNames tree = tree_names(*scene, builder, layout);
  return prepare(std::move(scene), tree.builder, tree.layout, progress, build);
}

}  // namespace ballotcast::detail
