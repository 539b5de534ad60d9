// Tests skins, morph targets and instances in glTF files: the positions of vertices.
#include <gtest/gtest.h>

#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_posing_test {

using testing::copying;
using testing::corner;
using testing::Gltf;
using testing::load;
using testing::refusal;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

const std::vector<float> kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

std::vector<float> moved_by(float x, float y, float z) {
  std::vector<float> m = kIdentity;
  m[12] = x, m[13] = y, m[14] = z;
  return m;
}

/// A file with a skinned triangle under a node far away. It has two joints: node 1 at (10, 0, 0),
/// and node 2, which is rotated by a quarter turn about z.
struct Skinned {
  Gltf gltf = triangle();
  std::string attributes = R"("POSITION": 0)";
  std::string skin = R"("joints": [1, 2])";

  Skinned() {
    gltf.nodes = R"({"mesh": 0, "skin": 0, "translation": [0, 57, 0]},
      {"translation": [10, 0, 0]},
      {"rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]})";
    gltf.roots = "0, 1, 2";
  }
  Skinned& with(const std::string& name, u32 accessor) {
    attributes += ", \"" + name + "\": " + std::to_string(accessor);
    return *this;
  }
  Gltf file() const {
    Gltf all = gltf;
    all.primitive = R"("attributes": {)" + attributes + "}";
    all.more = R"(, "skins": [{)" + skin + "}]";
    return all;
  }
};

TEST(GltfSkins, put_a_mesh_where_its_joints_are_whatever_its_node_says) {
  Skinned s;
  s.with("JOINTS_0", s.gltf.add<u8>({0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4", 5121, 4));
  s.with("WEIGHTS_0", s.gltf.add_floats({1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0}, 4));
  const SceneData scene = load(s.file());
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  EXPECT_EQ(corner(scene, 0, 0), vec3(10.0f, 0.0f, 0.0f));
  EXPECT_NEAR(corner(scene, 0, 1).x, 0.0f, 1e-6f);  // (1, 0, 0), rotated
  EXPECT_NEAR(corner(scene, 0, 1).y, 1.0f, 1e-6f);
  EXPECT_NEAR(corner(scene, 0, 2).x, 0.25f * 10.0f - 0.75f, 1e-6f);
  EXPECT_NEAR(corner(scene, 0, 2).y, 0.25f, 1e-6f);
}

TEST(GltfSkins, undo_the_pose_in_which_the_mesh_was_bound) {
  Skinned s;
  s.gltf.roots = "0";  // joints need not be in the scene
  s.with("JOINTS_0", s.gltf.add<std::uint16_t>(std::vector<std::uint16_t>(12), "VEC4", 5123, 4));
  s.with("WEIGHTS_0", s.gltf.add<u8>({255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, "VEC4", 5121, 4,
                                     R"(, "normalized": true)"));
  std::vector<float> binds = moved_by(-10, 0, 0);
  binds.insert(binds.end(), kIdentity.begin(), kIdentity.end());
  s.skin += R"(, "inverseBindMatrices": )" + std::to_string(s.gltf.add(binds, "MAT4", 5126, 16));
  const SceneData scene = load(s.file());
  EXPECT_EQ(corner(scene, 0, 0), vec3(0.0f));
  EXPECT_EQ(corner(scene, 0, 1), vec3(1.0f, 0.0f, 0.0f));
}

TEST(GltfSkins, use_all_sets_of_joints_and_turn_normals) {
  Skinned s;
  s.with("NORMAL", s.gltf.add_floats({1, 0, 0, 1, 0, 0, 1, 0, 0}, 3));
  const u32 first = s.gltf.add<u8>(std::vector<u8>(12, 0), "VEC4", 5121, 4);
  const u32 second = s.gltf.add<u8>(std::vector<u8>(12, 1), "VEC4", 5121, 4);
  // The sum of the weights is not 1, as after rounding; only their ratios matter.
  const std::vector<std::uint16_t> none(12, 0), some = {400, 0, 0, 0, 0, 0, 0, 400, 400, 0, 0, 0};
  const std::string normalized = R"(, "normalized": true)";
  s.with("JOINTS_0", first).with("JOINTS_1", second);
  s.with("WEIGHTS_0", s.gltf.add(none, "VEC4", 5123, 4, normalized));
  s.with("WEIGHTS_1", s.gltf.add(some, "VEC4", 5123, 4, normalized));
  const SceneData scene = load(s.file());
  EXPECT_NEAR(corner(scene, 0, 1).y, 1.0f, 1e-6f);
  EXPECT_NEAR(corner(scene, 0, 2).x, -1.0f, 1e-6f);
  for (const vec3 normal : scene.mesh.corner_normals) EXPECT_NEAR(normal.y, 1.0f, 1e-6f);
}

TEST(GltfSkins, keep_the_front_of_triangles_that_joints_mirror) {
  Skinned s;
  s.gltf.nodes = R"({"mesh": 0, "skin": 0}, {"scale": [-1, 1, 1]}, {})";
  s.with("JOINTS_0", s.gltf.add<u8>(std::vector<u8>(12, 0), "VEC4", 5121, 4));
  s.with("WEIGHTS_0", s.gltf.add_floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4));
  EXPECT_GT(load(s.file()).mesh.normal_of(0).z, 0.0);
}

TEST(GltfSkins, say_what_is_wrong_with_them) {
  Skinned bare;
  const SceneData unskinned = load(bare.file());
  EXPECT_TRUE(warns(unskinned, "nodes[0]: its skin is left out, because its mesh has no JOINTS_0"));
  EXPECT_EQ(corner(unskinned, 0, 0), vec3(0.0f, 57.0f, 0.0f));
  Skinned s;
  s.with("JOINTS_0", s.gltf.add<u8>(std::vector<u8>(12, 2), "VEC4", 5121, 4));
  EXPECT_TRUE(contains(refusal(s.file()), "has JOINTS_0 but no WEIGHTS_0"));
  s.with("WEIGHTS_0", s.gltf.add_floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4));
  EXPECT_TRUE(contains(refusal(s.file()), "names joints that its skin does not have; it has 2"));
  s.skin = R"("joints": [1, 2, 2])";
  EXPECT_EQ(load(s.file()).mesh.triangles.size(), 1u);
  s.skin +=
      R"(, "inverseBindMatrices": )" + std::to_string(s.gltf.add(kIdentity, "MAT4", 5126, 16));
  EXPECT_TRUE(contains(refusal(s.file()), "must be a MAT4 for each of 3 joints"));
  s.skin = R"("joints": [])";
  EXPECT_TRUE(contains(refusal(s.file()), "\"skins[0]\" needs joints"));
  Skinned unweighted;
  unweighted.with("JOINTS_0", unweighted.gltf.add<u8>(std::vector<u8>(12, 0), "VEC4", 5121, 4));
  unweighted.with("WEIGHTS_0", unweighted.gltf.add_floats(std::vector<float>(12, 0.0f), 4));
  const SceneData first = load(unweighted.file());
  EXPECT_EQ(corner(first, 0, 0), vec3(10.0f, 0.0f, 0.0f));
  EXPECT_TRUE(warns(first, "vertices without weights, put where their first joint is: 3"));
}

TEST(GltfMorphTargets, are_added_with_the_default_weights) {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  gltf.add_floats({4, 0, 0, 4, 0, 0, 4, 0, 0}, 3);
  gltf.add_floats({0, 8, 0, 0, 8, 0, 0, 8, 0}, 3);
  gltf.add_floats({0, 1, -1, 0, 1, -1, 0, 1, -1}, 3);
  const std::string targets = R"("attributes": {"POSITION": 0, "NORMAL": 1},
    "targets": [{"POSITION": 2}, {"POSITION": 3, "NORMAL": 4}])";
  gltf.primitive = targets + R"(}], "weights": [0.5, 0], "extras": [{)";
  EXPECT_EQ(corner(load(gltf), 0, 0), vec3(2.0f, 0.0f, 0.0f));
  gltf.nodes = R"({"mesh": 0, "weights": [0, 1]})";
  const SceneData own = load(gltf);
  EXPECT_EQ(corner(own, 0, 0), vec3(0.0f, 8.0f, 0.0f));
  EXPECT_EQ(own.mesh.corner_normals[0], vec3(0.0f, 1.0f, 0.0f));
  EXPECT_TRUE(own.warnings.empty()) << warnings_of(own);
  gltf.nodes = R"({"mesh": 0, "weights": [0, 0]})";
  EXPECT_EQ(corner(load(gltf), 0, 0), vec3(0.0f));
  gltf.nodes = R"({"mesh": 0, "weights": [0, 0, 1]})";
  EXPECT_TRUE(warns(load(gltf), "primitives with fewer morph targets than weights: 1"));
}

TEST(GltfMorphTargets, may_be_sparse) {
  Gltf gltf = triangle();
  const u32 values = gltf.add_floats({0, 0, 5}, 3);
  const u32 places = gltf.add<u8>({2}, "SCALAR", 5121, 1);
  gltf.accessors += R"(, {"type": "VEC3", "componentType": 5126, "count": 3, "sparse": {"count": 1,
    "indices": {"bufferView": )" +
                    std::to_string(places) + R"(, "componentType": 5121},
    "values": {"bufferView": )" +
                    std::to_string(values) + "}}}";
  gltf.primitive = R"("attributes": {"POSITION": 0}, "targets": [{"POSITION": 3}])";
  gltf.nodes = R"({"mesh": 0, "weights": [0.5]})";
  EXPECT_EQ(corner(load(gltf), 0, 1), vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(corner(load(gltf), 0, 2), vec3(0.0f, 1.0f, 2.5f));
}

TEST(GltfMorphTargets, make_one_mesh_for_each_shape) {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}])";
  gltf.roots = "0, 1, 2, 3";
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "weights": [1]}, {"mesh": 0, "weights": [0]},
                  {"mesh": 0, "weights": [1]})";
  const SceneData scene = load(gltf, copying(0));
  EXPECT_EQ(scene.parts.size(), 2u);
  EXPECT_EQ(scene.instances.size(), 4u);
}

TEST(GltfInstances, of_the_extension_are_drawn_below_their_node) {
  Gltf gltf = triangle();
  const u32 at = gltf.add_floats({10, 0, 0, 20, 0, 0}, 3);
  const u32 turned = gltf.add<std::int16_t>({0, 0, 0, 32767, 0, 0, 23170, 23170}, "VEC4", 5122, 4,
                                            R"(, "normalized": true)");
  const u32 scaled = gltf.add_floats({1, 1, 1, 2, 2, 2}, 3);
  const auto with = [&](const std::string& attributes) {
    gltf.nodes = R"({"mesh": 0, "translation": [0, 0, 5], "extensions": {"EXT_mesh_gpu_instancing":
      {"attributes": {)" +
                 attributes + "}}}}";
    return gltf;
  };
  const std::string places = R"("TRANSLATION": )" + std::to_string(at);
  const std::string all = places + R"(, "ROTATION": )" + std::to_string(turned) + R"(, "SCALE": )" +
                          std::to_string(scaled) + R"(, "_ID": 0)";
  gltf.more = R"(, "extensionsRequired": ["EXT_mesh_gpu_instancing"])";
  const SceneData scene = load(with(all));
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  ASSERT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_EQ(corner(scene, 0, 1), vec3(11.0f, 0.0f, 5.0f));
  EXPECT_NEAR(corner(scene, 1, 1).x, 20.0f, 1e-5f);
  EXPECT_NEAR(corner(scene, 1, 1).y, 2.0f, 1e-5f);
  EXPECT_EQ(load(with(all), copying(0)).instances.size(), 2u);
  EXPECT_EQ(load(with(places)).mesh.triangles.size(), 2u);
  EXPECT_EQ(load(with("")).mesh.triangles.size(), 1u);
  EXPECT_TRUE(contains(refusal(with(R"("SCALE": 0, )" + places)), "has 3 elements"));
  const u32 none = gltf.add_floats({}, 3);
  const std::string empty = R"("TRANSLATION": )" + std::to_string(none);
  EXPECT_FALSE(refusal(with(empty + R"(, "SCALE": )" + std::to_string(scaled))).empty());
}

}  // namespace gltf_posing_test
}  // namespace ballotcast::detail
