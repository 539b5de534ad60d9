// Tests that packed scenes are refused if their checksums are right, but their contents would make
// kernels read outside of arrays or run for ever.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/packing.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/materials_scene.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace packed_damage_test {

using testing::pack;
using testing::refusal_to_load;

/// A scene and the data prepared from it. A test may corrupt both before they are packed.
struct Spoilt {
  std::shared_ptr<SceneData> scene;
  std::shared_ptr<PreparedScene> prepared;

  explicit Spoilt(SceneData data, std::string_view layout = "grid2")
      : scene(std::make_shared<SceneData>(std::move(data))),
        prepared(std::const_pointer_cast<PreparedScene>(prepare(scene, "fast", layout))) {}
};

/// A scene with everything that a packed scene can contain: copies, lamps, textures and a picture
/// of the sky.
SceneData full_scene() {
  SceneData scene = testing::materials_scene();
  const Array<uvec3> once = scene.mesh.triangles;
  for (std::size_t i = 0; i < 4; ++i) {
    scene.mesh.triangles.push_back(once[i]);
    scene.mesh.material_of.push_back(scene.mesh.material_of[i]);
    for (std::size_t corner = 0; corner < 3; ++corner) {
      scene.mesh.corner_normals.push_back(vec3(scene.mesh.corner_normals[3 * i + corner]));
      scene.mesh.corner_texcoords.push_back(vec2(scene.mesh.corner_texcoords[3 * i + corner]));
    }
  }
  scene.mesh.vertex_colors.resize(scene.mesh.positions.size(), vec3(1.0f));
  scene.camera = Camera{};
  return scene;
}

/// Packs a scene that `spoil(spoilt)` has corrupted, and expects that it is refused with a message
/// that contains `words`.
template <class Spoil>
void expect_refusal(const char* words, Spoil spoil, std::string_view layout = "grid2") {
  SCOPED_TRACE(words);
  const TempDir dir;
  Spoilt spoilt(full_scene(), layout);
  spoil(spoilt);
  const std::string why = refusal_to_load(pack(dir / "a.bcast", *spoilt.prepared));
  EXPECT_TRUE(contains(why, words)) << why;
}

TEST(PackedScene, with_an_unusable_mesh_is_refused) {
  expect_refusal("uses vertex", [](Spoilt& s) { s.scene->mesh.triangles[7].y = 1u << 30; });
  expect_refusal("not finite", [](Spoilt& s) { s.scene->mesh.positions[3].z = NAN; });
  expect_refusal("corner normals", [](Spoilt& s) { s.scene->mesh.corner_normals.pop_back(); });
  expect_refusal("material indices", [](Spoilt& s) { s.scene->mesh.material_of.pop_back(); });
  expect_refusal("vertex colours", [](Spoilt& s) { s.scene->mesh.vertex_colors.pop_back(); });
  expect_refusal("normal", [](Spoilt& s) { s.scene->mesh.corner_normals[5].x = INFINITY; });
  expect_refusal("coordinate", [](Spoilt& s) { s.scene->mesh.corner_texcoords[5].y = NAN; });
  expect_refusal("colour", [](Spoilt& s) { s.scene->mesh.vertex_colors[5].x = NAN; });
}

TEST(PackedScene, with_unusable_surfaces_is_refused) {
  expect_refusal("names a material", [](Spoilt& s) { s.scene->mesh.material_of[9] = 10000; });
  expect_refusal("no material", [](Spoilt& s) { s.scene->materials.clear(); });
  for (const TextureMember texture : kTexturesOfMaterial)
    expect_refusal("a material", [&](Spoilt& s) { s.scene->materials[1].*texture = 2; });
  expect_refusal("a material", [](Spoilt& s) {
    s.scene->materials[0].transmission = static_cast<Transmission>(3);
  });
  expect_refusal("a material", [](Spoilt& s) { s.scene->materials[0].roughness = NAN; });
  expect_refusal("a material", [](Spoilt& s) { s.scene->materials[2].emission.y = 1e38f; });
  expect_refusal("names", [](Spoilt& s) { s.scene->material_names.pop_back(); });
  expect_refusal("names", [](Spoilt& s) { s.scene->texture_names.pop_back(); });
  expect_refusal("texture", [](Spoilt& s) { s.scene->textures[0].width += 1; });
  expect_refusal("texture", [](Spoilt& s) {
    s.scene->textures[0].width = s.scene->textures[0].height = 1u << 31;
  });
  expect_refusal("texture", [](Spoilt& s) { s.scene->textures[0] = {}; });
}

TEST(PackedScene, with_unusable_light_or_camera_is_refused) {
  expect_refusal("sky", [](Spoilt& s) { s.scene->sky_map.height = 3; });
  expect_refusal("sky", [](Spoilt& s) { s.scene->sky_map.pixels[2].x = -1.0f; });
  expect_refusal("sky", [](Spoilt& s) { s.scene->sky_map.pixels[2].y = 1e38f; });
  expect_refusal("sun", [](Spoilt& s) { s.scene->sun.strength = -1.0f; });
  expect_refusal("up direction", [](Spoilt& s) { s.scene->up = dvec3(0.0); });
  expect_refusal("warning", [](Spoilt& s) { s.scene->warnings = {"a\x1b"}; });
  expect_refusal("name", [](Spoilt& s) { s.scene->name = "a\nb"; });
  expect_refusal("origin", [](Spoilt& s) { s.scene->origin.x = INFINITY; });
  expect_refusal("damaged", [](Spoilt& s) { s.scene->camera->look_at = s.scene->camera->eye; });
  expect_refusal("damaged", [](Spoilt& s) { s.scene->camera->fov = NAN; });
  expect_refusal("white balance", [](Spoilt& s) { s.scene->white_balance = "warm"; });
  expect_refusal("unknown light", [](Spoilt& s) { s.scene->light = "moon"; });
  expect_refusal("unknown shading", [](Spoilt& s) { s.scene->shading = "moon"; });
}

TEST(PackedScene, with_unusable_tables_is_refused) {
  expect_refusal("copies", [](Spoilt& s) { s.prepared->copies.starts[2] = 1u << 20; });
  expect_refusal("copies", [](Spoilt& s) { s.prepared->copies.starts.pop_back(); });
  expect_refusal("copies", [](Spoilt& s) { s.prepared->copies.starts.clear(); });
  expect_refusal("copies", [](Spoilt& s) { s.prepared->copies.ids[0] = 1u << 20; });
  expect_refusal("lights", [](Spoilt& s) { s.prepared->lights.emitters[0] = 1u << 20; });
  expect_refusal("lights", [](Spoilt& s) { s.prepared->lights.emitters.pop_back(); });
  expect_refusal("lights", [](Spoilt& s) { s.prepared->lights.sky_rows.pop_back(); });
  expect_refusal("lights", [](Spoilt& s) { s.prepared->lights.sky_columns[1] = NAN; });
  expect_refusal("lights", [](Spoilt& s) { s.prepared->lights.sky_heights[1] = 2.0f; });
}

TEST(PackedScene, with_statistics_of_another_tree_is_refused) {
  const auto refused = [](auto spoil) {
    for (const LayoutInfo& layout : layouts())
      expect_refusal(
          "statistics", [&](Spoilt& s) { spoil(s.prepared->statistics); }, layout.name);
  };
  refused([](TreeStatistics& s) { s.nodes += 2; });
  refused([](TreeStatistics& s) { s.leaves -= 1; });
  refused([](TreeStatistics& s) { s.depth += 1; });
  refused([](TreeStatistics& s) { s.largest_leaf = kLargestLeaf + 1; });
  refused([](TreeStatistics& s) { s.triangles_per_leaf = NAN; });
  refused([](TreeStatistics& s) { s.sah_cost = INFINITY; });
}

TEST(PackedScene, with_other_triangles_in_its_tree_is_refused) {
  expect_refusal("triangles", [](Spoilt& s) {
    for (TriangleRow& row : s.prepared->encoded.triangles[5].row) row.id = 1u << 20;
  });
  expect_refusal("triangles", [](Spoilt& s) { s.prepared->encoded.triangles[5].row[1].b += 1.0f; });
  expect_refusal("triangles", [](Spoilt& s) { s.prepared->encoded.triangles[5].row[2].id += 1; });
  expect_refusal("its tree", [](Spoilt& s) { s.prepared->encoded.triangles.pop_back(); });
}

TEST(PackedScene, with_a_tree_of_another_shape_is_refused) {
  for (const LayoutInfo& layout : layouts()) {
    const auto refused = [&](auto spoil) { expect_refusal("its tree", spoil, layout.name); };
    refused([](Spoilt& s) { s.prepared->encoded.shape.root = 1; });
    refused([](Spoilt& s) { s.prepared->encoded.shape.root = kNowhere; });
    refused([](Spoilt& s) { s.prepared->encoded.shape.root = leaf_reference(0, 1); });
    refused([](Spoilt& s) { s.prepared->encoded.shape.depth += 1; });
    refused([](Spoilt& s) { s.prepared->encoded.shape.code_scale.y = NAN; });
    refused([](Spoilt& s) { s.prepared->encoded.bytes -= 1; });
    refused([](Spoilt& s) { s.prepared->encoded.bytes += 64; });
    refused([](Spoilt& s) { s.prepared->encoded.nodes.clear(); });
  }
}

/// The reference of node i to its child on one side.
u32* children(grid2::Node* nodes, u32 i, u32 side) { return &nodes[i].child[side].reference; }
u32* children(bvh2::Node* nodes, u32 i, u32 side) {
  return side == 0 ? &nodes[i].to.child0 : &nodes[i].to.child1;
}

/// Expects a refusal for each way in which a reference to a child can be wrong.
template <class Layout>
void spoil_references() {
  using Node = typename Layout::Node;
  const auto nodes_of = [](Spoilt& s) {
    return reinterpret_cast<Node*>(s.prepared->encoded.nodes.data());
  };
  const u32 many = 1u << 20;
  for (const u32 bad : {0u, 2u, many, kNowhere, leaf_reference(many, 8)})
    for (const u32 side : {0u, 1u})
      expect_refusal(
          "its tree", [&](Spoilt& s) { *children(nodes_of(s), 2, side) = bad; }, Layout::info.name);
  expect_refusal(
      "its tree",
      [&](Spoilt& s) {  // a node with two parents: walks could take exponential time
        Node* const nodes = nodes_of(s);
        const u32 first = *children(nodes, 0, 0), second = *children(nodes, 0, 1);
        ASSERT_TRUE(is_node(first) && is_node(second));
        *children(nodes, 0, 1) = first;
      },
      Layout::info.name);
  expect_refusal(
      "its tree",
      [&](Spoilt& s) {  // the last triangle of the last leaf is one beyond the end
        const u32 end = static_cast<u32>(s.prepared->encoded.triangles.size());
        Node* const nodes = nodes_of(s);
        for (u32 i = 0; i < s.prepared->encoded.bytes / sizeof(Node); ++i)
          for (const u32 side : {0u, 1u})
            if (is_leaf(*children(nodes, i, side))) {
              *children(nodes, i, side) = leaf_reference(end - 1, 2);
              return;
            }
      },
      Layout::info.name);
}

TEST(PackedScene, with_bad_references_in_its_tree_is_refused) {
  spoil_references<bvh2::Layout>();
  spoil_references<grid2::Layout>();
}

TEST(PackedScene, with_bad_links_to_parents_is_refused) {
  for (const u32 node : {0u, 3u})
    expect_refusal(
        "its tree",
        [&](Spoilt& s) {
          reinterpret_cast<bvh2::Node*>(s.prepared->encoded.nodes.data())[node].to.parent += 1;
        },
        "bvh2");
}

TEST(PackedScene, with_a_child_missing_in_a_box_that_rays_enter_is_refused) {
  SceneData one = *testing::scene_of({});  // a single triangle, so the root has only one child
  one.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  one.mesh.triangles = {{0, 1, 2}};
  const TempDir dir;
  for (const bool all : {false, true}) {
    Spoilt spoilt(all ? *testing::scene_of({}) : one, "bvh2");
    bvh2::Node* const root = reinterpret_cast<bvh2::Node*>(spoilt.prepared->encoded.nodes.data());
    (all ? root->box0_xy : root->box1_xy).x = -1.0f;
    EXPECT_TRUE(contains(refusal_to_load(pack(dir / "a.bcast", *spoilt.prepared)), "its tree"));
  }
}

}  // namespace packed_damage_test
}  // namespace ballotcast::detail
