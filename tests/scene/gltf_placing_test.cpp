// Tests which nodes of glTF files become instances.
#include <gtest/gtest.h>

#include "ballotcast/scene.hpp"
#include "scene/formats/gltf/meshes.hpp"
#include "scene/gltf_text.hpp"
#include "scene/json/scene_file.hpp"

namespace ballotcast::detail {
namespace gltf_placing_test {

using testing::copying;
using testing::Gltf;
using testing::load;
using testing::refusal;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

TEST(GltfPlacing, are_made_where_copies_cost_too_much) {
  EXPECT_FALSE(copies_cost_too_much(u64{1} << 24, 1));
  EXPECT_TRUE(copies_cost_too_much((u64{1} << 24) + 1, 1));
  EXPECT_TRUE(copies_cost_too_much(200, 100, 199));
  EXPECT_FALSE(copies_cost_too_much(200, 100, 200));
  EXPECT_FALSE(copies_cost_too_much(201, 101, 100));
  EXPECT_FALSE(copies_cost_too_much(kMostInGltf, kMostInGltf / 2 + 1));
  EXPECT_TRUE(copies_cost_too_much(kMostInGltf + 1, kMostInGltf));
  EXPECT_FALSE(copies_cost_too_much(kMostInGltf + 1, 1, ~u64{0}));
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0}, {"mesh": 0})";
  gltf.roots = "0, 1, 2";
  EXPECT_TRUE(load(gltf).instances.empty());
  EXPECT_TRUE(load(gltf, copying(3)).instances.empty());
  EXPECT_EQ(load(gltf, copying(2)).instances.size(), 3u);
}

TEST(GltfPlacing, become_copies_if_a_node_can_not_be_one) {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 0, 1, 0, 0, 2, 0, 0}, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 1})";
  gltf.roots = "0, 1, 2";
  for (const char* scale : {"[1, 1, 0]", "[1, 1, 10000]", "[2e6, 2e6, 2e6]"}) {
    gltf.nodes = R"({"mesh": 0}, {"mesh": 0}, {"mesh": 0, "scale": )" + std::string(scale) + "}";
    const SceneData scene = load(gltf, copying(0)), copied = load(gltf);
    EXPECT_TRUE(scene.instances.empty()) << scale;
    EXPECT_TRUE(scene.parts.empty()) << scale;
    EXPECT_EQ(scene.mesh.positions, copied.mesh.positions) << scale;
    EXPECT_EQ(scene.mesh.triangles, copied.mesh.triangles) << scale;
    EXPECT_EQ(scene.warnings.size(), copied.warnings.size()) << warnings_of(scene);
    EXPECT_EQ(scene.origin, copied.origin) << scale;
  }
}

TEST(GltfPlacing, leave_out_nodes_that_are_points) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "scale": [0, 0, 0]}, {"mesh": 0})";
  gltf.roots = "0, 1, 2";
  const SceneData scene = load(gltf, copying(0));
  EXPECT_EQ(scene.instances.size(), 2u);
  EXPECT_EQ(scene.triangle_count(), load(gltf).triangle_count());
  EXPECT_TRUE(warns(scene, "nodes shrink them to a point: 1")) << warnings_of(scene);
  gltf.nodes = R"({"mesh": 0, "scale": [0, 0, 0]}, {"mesh": 0, "scale": [0, 0, 0]})";
  gltf.roots = "0, 1";
  EXPECT_TRUE(contains(message_of<InputError>([&] { load(gltf, copying(0)); }), "no triangles"));
}

/// A file with `nodes` nodes that show a strip of `triangles` triangles.
Gltf many(u32 nodes, u32 triangles) {
  Gltf gltf;
  std::vector<float> positions;
  for (u32 i = 0; i < triangles + 2; ++i)
    positions.insert(positions.end(), {float(i / 2), float(i % 2), 0.0f});
  gltf.add_floats(positions, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0}, "mode": 5)";
  gltf.nodes = R"({"mesh": 0})";
  gltf.roots = "0";
  for (u32 i = 1; i < nodes; ++i) {
    gltf.nodes += R"(, {"mesh": 0, "translation": [0, 0, )" + std::to_string(i) + "]}";
    gltf.roots += ", " + std::to_string(i);
  }
  return gltf;
}

TEST(GltfPlacing, may_be_more_triangles_than_a_mesh) {
  Gltf gltf = many(4096, 1u << 17);
  const SceneData scene = load(gltf);
  EXPECT_EQ(scene.triangle_count(), u64{1} << 29);
  EXPECT_EQ(scene.instances.size(), 4096u);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  gltf.nodes += R"(, {"mesh": 0, "scale": [1, 0, 1]})";
  gltf.roots += ", 4096";
  const std::string flat = refusal(gltf);
  EXPECT_TRUE(contains(flat, "a.gltf: nodes[4096]: its transform flattens the mesh")) << flat;
  EXPECT_TRUE(contains(flat, "without instances there are more than 268435455 triangles")) << flat;
  const std::string too_many = refusal(many(1u << 15, 1u << 17));
  EXPECT_TRUE(contains(too_many, "ids of 32 bits end at 4294967295")) << too_many;
}

TEST(GltfPlacing, are_not_made_of_meshes_that_are_joined_or_moved) {
  const TempDir dir;
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "translation": [0, 0, 1]})";
  gltf.roots = "0, 1";
  dir.write("a.gltf", gltf.json(gltf.data_uri()));
  const auto scene = [&](const std::string& json) {
    return load_scene_file(dir.write("s.json", json), copying(0));
  };
  EXPECT_EQ(scene(R"({"meshes": ["a.gltf"]})").instances.size(), 2u);
  EXPECT_EQ(scene(R"({"meshes": ["a.gltf", "a.gltf"]})").mesh.triangles.size(), 4u);
  EXPECT_EQ(scene(R"({"meshes": [{"file": "a.gltf", "scale": 2}]})").mesh.triangles.size(), 2u);
  EXPECT_TRUE(scene(R"({"meshes": [{"file": "a.gltf",
      "keyframes": [{"frame": 0, "scale": 1}]}]})")
                  .instances.empty());
  const SceneData placed = scene(R"({"meshes": ["a.gltf"], "instances": [{"mesh": "a.gltf"}]})");
  EXPECT_EQ(placed.instances.size(), 2u);
  EXPECT_EQ(placed.triangle_count(), 4u);
}

TEST(GltfPlacing, are_not_made_of_meshes_that_are_added) {
  const TempDir dir;
  const Gltf gltf = many(4096, 1u << 17), one = triangle();
  const std::string path = dir.write("a.gltf", gltf.json(gltf.data_uri()));
  const std::string other = dir.write("b.gltf", one.json(one.data_uri()));
  SceneRequest request;
  request.meshes = {{path}};
  EXPECT_EQ(load_scene(request).instance_count(), 4096u);
  const auto refused = [&] {
    const std::string why = message_of<InputError>([&] { load_scene(request); });
    EXPECT_TRUE(contains(why, "a.gltf: more than 268435455 triangles")) << why;
  };
  request.file = other;
  refused();
  request.file = path;
  request.meshes = {{other}};
  refused();
  request.file.clear();
  request.meshes = {{path, {.scale = 2.0}}};
  refused();
}

}  // namespace gltf_placing_test
}  // namespace ballotcast::detail
