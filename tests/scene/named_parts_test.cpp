// Tests parts of meshes, by the names that their files give them.
#include "scene/instances/named_parts.hpp"

#include <gtest/gtest.h>

#include "ballotcast/scene.hpp"
#include "scene/assemble.hpp"
#include "scene/gltf_text.hpp"
#include "scene/instances/instances.hpp"
#include "scene/json/scene_file.hpp"
#include "scene/loading.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/packed_file.hpp"

namespace ballotcast::detail {
namespace named_parts_test {

using Names = std::vector<std::string>;

/// For each triangle: the name of its part.
Names names_of_triangles(const SceneData& scene) {
  const Scene shared(std::make_shared<const SceneData>(scene));
  Names names;
  for (u32 id = 0; id < shared.triangle_count(); ++id)
    names.push_back(shared.part_names().at(shared.locate(id).part));
  return names;
}

const std::string kQuad = "f 1 2 3 4\n", kTriangle = "f 1 2 3\n";

TEST(NamedParts, of_obj_are_its_objects_and_groups) {
  const SceneData scene =
      testing::load_text(testing::kSquare + kTriangle + "o table\ng top\n" + kQuad + "g legs\n" +
                         kTriangle + "o lamp\n" + kTriangle + "g top\n" + kTriangle);
  EXPECT_EQ(names_of_triangles(scene), (Names{"a", "top", "top", "legs", "lamp", "top"}));
  EXPECT_EQ(part_names_of(scene), (Names{"a", "top", "legs", "lamp"}))
      << "equal names are one part, and faces before the first are called like the file";
}

TEST(NamedParts, stay_right_where_faces_are_left_out) {
  const SceneData scene = testing::load_text(testing::kSquare + "g gone\nf 1 1 2\ng a\nf 1 2 9\n" +
                                             kTriangle + "g b\n" + kQuad + "g gone too\n");
  EXPECT_EQ(names_of_triangles(scene), (Names{"a", "b", "b"}));
}

TEST(NamedParts, of_a_mesh_without_names_are_one_called_like_the_file) {
  const SceneData scene = testing::load_text(testing::kSquare + kQuad);
  EXPECT_TRUE(scene.named_parts.ranges.empty());
  EXPECT_EQ(names_of_triangles(scene), (Names{"a", "a"}));
}

TEST(NamedParts, of_several_meshes_stay_apart) {
  const TempDir dir;
  const std::string a = dir.write("a.obj", testing::kSquare + "g same\n" + kTriangle);
  const std::string b = dir.write("b.obj", testing::kSquare + "g same\n" + kQuad);
  dir.write("c.obj", testing::kSquare + kTriangle);
  const SceneData joined =
      load_scene_file(dir.write("all.json", R"({"meshes": ["a.obj", "b.obj", "c.obj"]})"), {});
  EXPECT_EQ(part_names_of(joined), (Names{"same", "same", "c"}));
  EXPECT_EQ(joined.named_parts.part_of(0), 0u);
  EXPECT_EQ(joined.named_parts.part_of(2), 1u);
  EXPECT_EQ(joined.named_parts.part_of(3), 2u);
  const SceneData placed =
      load_scene_file(dir.write("i.json", R"({"instances": [{"mesh": "c.obj"}, {"mesh": "b.obj"},
                              {"mesh": "b.obj", "translate": [9, 0, 0]}]})"),
                      {});
  EXPECT_EQ(names_of_triangles(placed), (Names{"c", "same", "same", "same", "same"}));
}

TEST(NamedParts, of_gltf_are_its_nodes_or_else_meshes) {
  testing::Gltf gltf = testing::triangle();
  gltf.roots = "0, 1";
  gltf.nodes = R"({"mesh": 0, "name": "door"}, {"mesh": 0, "translation": [0, 0, 1]})";
  const Names copied = names_of_triangles(testing::load_as("a.gltf", gltf.json(gltf.data_uri())));
  EXPECT_EQ(copied, (Names{"door", "meshes[0]"}));
}

TEST(NamedParts, of_gltf_instances_are_nodes_as_those_of_copies_are) {
  testing::Gltf gltf = testing::triangle();
  gltf.add_floats({0, 0, 0, 5, 0, 0, 9, 0, 0}, 3);
  gltf.nodes = R"({"mesh": 0, "name": "tree", "extensions": {"EXT_mesh_gpu_instancing":
      {"attributes": {"TRANSLATION": 1}}}}, {"mesh": 0, "name": "stump", "translation": [0, 0, 4]},
      {"mesh": 0, "translation": [0, 0, 5]}, {"mesh": 0, "name": "stump"})";
  gltf.roots = "0, 1, 2, 3";
  const Names expected{"tree[0]", "tree[1]", "tree[2]", "stump", "meshes[0]", "stump"};
  const SceneData copied = testing::load(gltf), placed = testing::load(gltf, testing::copying(0));
  ASSERT_EQ(placed.instances.size(), 6u);
  EXPECT_EQ(names_of_triangles(copied), expected);
  EXPECT_EQ(names_of_triangles(placed), expected);
  EXPECT_EQ(part_names_of(placed), part_names_of(copied));
}

TEST(NamedParts, of_instances_in_scene_files_have_the_names_that_these_give) {
  const TempDir dir;
  dir.write("one.obj", testing::kSquare + kTriangle);
  dir.write("two.obj", testing::kSquare + "g lid\n" + kTriangle + "g box\n" + kTriangle);
  dir.write("ball.obj", testing::kSquare + kTriangle);
  const SceneData scene = load_scene_file(dir.write("a.json", R"({"meshes": ["one.obj"],
      "instances": [{"mesh": "one.obj", "name": "left"}, {"mesh": "two.obj", "name": "left"},
                    {"mesh": "two.obj", "translate": [9, 0, 0]}, {"mesh": "one.obj", "name": "x"},
                    {"mesh": "ball.obj", "name": "left"}]})"),
                                          {});
  EXPECT_EQ(names_of_triangles(scene),
            (Names{"one", "left", "left/lid", "left/box", "lid", "box", "x", "left"}));
  EXPECT_EQ(part_names_of(scene),
            (Names{"one", "lid", "box", "left", "left/lid", "left/box", "x"}));
  const SceneData named = load_scene_file(
      dir.write("b.json", R"({"instances": [{"mesh": "two.obj", "name": "a"}]})"), {});
  EXPECT_EQ(part_names_of(named), (Names{"a/lid", "a/box"})) << "only names that are shown";
}

TEST(NamedParts, stay_with_their_instances_in_one_world) {
  const SceneData mesh = testing::load_text(testing::kSquare + kTriangle);
  PlacedPart a{0, {}}, b{0, {}};
  a.part = "a";
  b.part = "b";
  b.world = 1;
  const SceneData both = scene_of_instances({mesh}, {a, b});
  EXPECT_EQ(names_of_triangles(both), (Names{"a", "b"}));
  EXPECT_EQ(names_of_triangles(scene_of_world(both, 1)), Names{"b"});
}

TEST(NamedParts, of_added_meshes_are_there_too) {
  const TempDir dir;
  SceneRequest request;
  request.file = dir.write("a.obj", testing::kSquare + "g one\n" + kTriangle);
  request.meshes = {{dir.write("b.obj", testing::kSquare + "g two\n" + kTriangle)}};
  EXPECT_EQ(names_of_triangles(assemble(request)), (Names{"one", "two"}));
}

TEST(NamedParts, are_packed_with_the_scene) {
  const TempDir dir;
  const SceneData scene =
      testing::load_text(testing::kSquare + "g one\n" + kTriangle + "g two\n" + kTriangle);
  PackedWriter writer;
  add_scene(writer, scene, {});
  writer.write(dir / "a.bcast");
  EXPECT_EQ(names_of_triangles(scene_in(std::make_shared<const PackedFile>(dir / "a.bcast"))),
            (Names{"one", "two"}));
}

TEST(NamedParts, have_no_control_characters) {
  EXPECT_EQ(part_names_of(testing::load_text(testing::kSquare + "g a\x1b[2Jb\n" + kQuad)),
            Names{"a\\x1b[2Jb"});
}

}  // namespace named_parts_test
}  // namespace ballotcast::detail
