// Tests mesh files that assimp reads, if the program was built with assimp.
#include <gtest/gtest.h>

#include "helpers/meshes.hpp"
#include "loading.hpp"
#include "scene/formats/mesh_formats.hpp"

namespace ballotcast::detail {
namespace other_formats_test {

using testing::load_as;
using testing::warnings_of;
using testing::warns;

#define REQUIRE_ASSIMP() \
  if (other_suffixes().empty()) GTEST_SKIP() << "assimp is not built in"

const std::string kOffSquare = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

/// A Collada file with a square, under a node that moves it by (10, 0, 0) and doubles its size. Its
/// material is red and emits light.
std::string collada(const std::string& indices = "0 1 2 3") {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="red-fx"><profile_COMMON><technique sid="common"><phong>
<emission><color>0.5 0 0 1</color></emission><diffuse><color>1 0.25 0 1</color></diffuse>
</phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="red" name="red"><instance_effect url="#red-fx"/></material></library_materials>
<library_geometries><geometry id="square"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="m" count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>)" +
         indices + R"(</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node>
<translate>10 0 0</translate><scale>2 2 2</scale>
<instance_geometry url="#square"><bind_material><technique_common>
<instance_material symbol="m" target="#red"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

TEST(OtherFormats, the_same_square_is_the_same_mesh_as_from_an_obj_file) {
  REQUIRE_ASSIMP();
  const SceneData off = load_as("a.off", kOffSquare);
  const SceneData obj = load_as("a.obj", testing::kSquare + "f 1 2 3\nf 1 3 4\n");
  EXPECT_EQ(off.mesh.positions, obj.mesh.positions);
  EXPECT_EQ(off.mesh.triangles, obj.mesh.triangles);
  EXPECT_EQ(off.name, "a");
  EXPECT_EQ(warnings_of(off), "");
}

TEST(OtherFormats, nodes_place_meshes_and_materials_keep_their_colours) {
  REQUIRE_ASSIMP();
  const SceneData scene = load_as("a.dae", collada());
  ASSERT_EQ(scene.mesh.triangles.size(), 2u) << "a polygon of four corners";
  for (const vec3 p : scene.mesh.positions) {
    const vec3 world = vec3(dvec3(p) + scene.origin);
    EXPECT_TRUE(world.x == 10.0f || world.x == 12.0f) << world.x;
    EXPECT_TRUE(world.y == 0.0f || world.y == 2.0f) << world.y;
  }
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.25f, 0.0f));
  EXPECT_EQ(scene.materials[0].emission, vec3(0.5f, 0.0f, 0.0f));
  EXPECT_EQ(scene.material_names[0], "red");
}

TEST(OtherFormats, damaged_and_missing_files_are_refused_with_their_name) {
  REQUIRE_ASSIMP();
  const auto refusal = [](const std::string& name, const std::string& bytes) {
    return message_of<InputError>([&] { load_as(name, bytes); });
  };
  for (const std::string& text :
       {std::string(), std::string("<COLLADA"), collada().substr(0, 900), collada("0 1 2 77")}) {
    const std::string message = refusal("a.dae", text);
    EXPECT_TRUE(contains(message, "a.dae: ")) << message;
  }
  EXPECT_TRUE(contains(refusal("a.off", "OFF\n0 0 0\n"), "a.off: "));
  const std::string missing = message_of<InputError>([] { load_mesh("nowhere/a.fbx"); });
  EXPECT_TRUE(contains(missing, "nowhere/a.fbx")) << missing;
}

TEST(OtherFormats, are_not_called_like_results) {
  for (const std::string& suffix : other_suffixes())
    for (const char* const result :
         {".png", ".pfm", ".hdr", ".exr", ".xml", ".html", ".csv", ".svg"})
      EXPECT_NE(suffix, result);
}

TEST(OtherFormats, unknown_kinds_of_files_are_refused_with_what_is_known) {
  const std::string message = message_of<InputError>([] { load_as("a.picture", "x"); });
  EXPECT_TRUE(contains(message, "unknown kind of file; known are .obj")) << message;
  EXPECT_TRUE(contains(message, "assimp") == other_suffixes().empty()) << message;
  EXPECT_EQ(other_mesh_formats().empty(), other_suffixes().empty());
  if (!other_suffixes().empty()) return;
  const std::string other = message_of<InputError>([] { load_as("a.fbx", "x"); });
  EXPECT_TRUE(contains(other, "a.fbx: unknown kind of file")) << other;
}

}  // namespace other_formats_test
}  // namespace ballotcast::detail
