#include "scene/json/scene_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/error.hpp"
#include "scene/assemble.hpp"
#include "scene/json/json_section.hpp"
#include "scene/light/light.hpp"
#include "support/json.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace scene_file_test {

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

struct SceneFile : ::testing::Test {
  SceneFile() { dir.write("meshes/a.obj", kTriangle); }

  SceneData load(const std::string& json) {
    SceneData scene = assemble({dir.write("scene.json", json)});
    scene.mesh.require_valid();
    return scene;
  }
  std::string refusal(const std::string& json) {
    return message_of<InputError>([&] { load(json); });
  }

  TempDir dir;
};

TEST_F(SceneFile, reads_everything_that_can_be_given) {
  const SceneData scene = load(R"({ // a comment
    "meshes": ["meshes/a.obj"],
    "camera": {"eye": [1, 2, 3], "look_at": [0, 0, 0], "up": [0, 0, 1], "fov": 55},
    "sun": {"direction": [0, 1, 0], "color": [1, 0.5, 0.25], "strength": 2},
    "sky": {"zenith": [0, 0, 1], "horizon": [0, 1, 0], "ground": [1, 0, 0], "strength": 0.5},
    "up": [0, 0, 1], "shading": "normals", "exposure": 1.5, "white_balance": 3200,
    "light": "camera", "crease_angle": 10})");
  EXPECT_EQ(scene.name, "scene");
  ASSERT_TRUE(scene.camera.has_value());
  EXPECT_EQ(scene.camera->eye, Vec3d(1.0, 2.0, 3.0));
  EXPECT_EQ(scene.camera->fov, 55.0);
  EXPECT_EQ(scene.sun.color, Vec3f(1.0f, 0.5f, 0.25f));
  EXPECT_EQ(scene.sky.ground, Vec3f(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(scene.sky.strength, 0.5f);
  EXPECT_EQ(scene.up, dvec3(0.0, 0.0, 1.0));
  EXPECT_EQ(scene.shading, "normals");
  EXPECT_EQ(scene.exposure, 1.5f);
  EXPECT_EQ(scene.white_balance, "3200");
  EXPECT_EQ(scene.light, "camera");
}

TEST_F(SceneFile, needs_nothing_but_meshes) {
  const SceneData scene = load(R"({"meshes": ["meshes/a.obj"]})");
  EXPECT_FALSE(scene.camera.has_value());
  EXPECT_EQ(light_of(scene).sun.strength, Sun{}.strength);
}

TEST_F(SceneFile, in_utf16_is_refused_by_name) {
  for (const std::string mark : {"\xff\xfe", ""}) {
    std::string wide = mark;
    for (const char c : std::string(R"({"meshes": ["meshes/a.obj"]})")) wide += {c, '\0'};
    EXPECT_TRUE(contains(refusal(wide), "UTF-16 text; save it as UTF-8")) << refusal(wide);
  }
}

TEST_F(SceneFile, names_no_other_scene_file) {
  EXPECT_TRUE(contains(refusal(R"({"meshes": ["scene.json"]})"), "can't be a mesh of another one"));
}

TEST_F(SceneFile, scales_then_turns_then_moves) {
  const SceneData scene = load(R"({"meshes": [
    {"file": "meshes/a.obj", "scale": 2, "rotate_y": 90, "translate": [10, 0, 0]}]})");
  EXPECT_EQ(scene.mesh.positions[0], vec3(10.0f, 0.0f, 0.0f));
  EXPECT_EQ(scene.mesh.positions[1], vec3(10.0f, 0.0f, -2.0f));
  EXPECT_EQ(scene.mesh.positions[2], vec3(10.0f, 2.0f, 0.0f));
  EXPECT_NEAR(scene.mesh.corner_normals[0].x, 1.0f, 1e-6f);
}

TEST_F(SceneFile, joins_meshes_and_fills_what_only_some_have) {
  dir.write("meshes/b.mtl", "newmtl b\nKd 1 0 0\nnewmtl c\nKd 0 1 0\n");
  dir.write("meshes/b.obj",
            "mtllib b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.5\nvn 0 1 0\n"
            "usemtl c\nf 1/1/1 2/1/1 3/1/1\nusemtl b\nf 1/1/1 3/1/1 2/1/1\n");
  const SceneData scene =
      load(R"({"meshes": ["meshes/a.obj", {"file": "meshes/b.obj", "translate": [0, 0, 4]}],
               "crease_angle": 0})");
  const Mesh& mesh = scene.mesh;
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[1], uvec3(3, 4, 5));
  EXPECT_EQ(mesh.positions[3], vec3(0.0f, 0.0f, 4.0f));
  EXPECT_EQ(mesh.corner_normals[0], vec3(0.0f, 0.0f, 1.0f));
  EXPECT_EQ(mesh.corner_normals[3], vec3(0.0f, 1.0f, 0.0f));
  EXPECT_EQ(mesh.corner_texcoords[0], vec2(0.0f));
  EXPECT_EQ(mesh.corner_texcoords[3], vec2(0.5f));
  ASSERT_EQ(scene.materials.size(), 3u);
  EXPECT_EQ(scene.materials[mesh.material_of[0]].color, vec3(0.8f));
  EXPECT_EQ(scene.materials[mesh.material_of[1]].color, vec3(0.0f, 1.0f, 0.0f));
  EXPECT_EQ(scene.material_names[mesh.material_of[2]], "b");
}

TEST_F(SceneFile, joins_map_coordinates_around_one_origin) {
  dir.write("meshes/far.obj", "v 500000 0 0\nv 500001 0 0\nv 500000 1 0\nf 1 2 3\n");
  const SceneData scene =
      load(R"({"meshes": ["meshes/far.obj", {"file": "meshes/far.obj", "translate": [2, 0, 0]}]})");
  EXPECT_EQ(scene.origin.x, 500002.0);
  EXPECT_EQ(scene.mesh.positions[0].x, -2.0f);
  EXPECT_EQ(scene.mesh.positions[3].x, 0.0f);
}

TEST_F(SceneFile, refuses_placements_beyond_what_coordinates_can_be) {
  for (const char* place :
       {R"("translate": [1e15, 0, 0])", R"("translate": [0, -2e12, 0])", R"("scale": 1e30)"}) {
    const std::string message =
        refusal(R"({"meshes": [{"file": "meshes/a.obj", )" + std::string(place) + "}]}");
    EXPECT_TRUE(contains(message, "scene.json: a: its placement") && contains(message, "2^40"))
        << message;
  }
}

TEST_F(SceneFile, tells_what_rounding_takes_where_a_mesh_is_placed) {
  const std::string first = R"({"meshes": ["meshes/a.obj", {"file": "meshes/a.obj", )";
  for (const char* place : {R"("translate": [2e8, 0, 0])", R"("scale": 1e-30)"}) {
    const SceneData scene = load(first + place + "}]}");
    ASSERT_EQ(scene.warnings.size(), 1u) << place;
    EXPECT_TRUE(contains(scene.warnings[0], "a.obj: triangles that lose their area by rounding") &&
                contains(scene.warnings[0], "at its placement: 1"))
        << scene.warnings[0];
  }
  EXPECT_TRUE(load(first + R"("translate": [2, 0, 0]}]})").warnings.empty());
}

TEST_F(SceneFile, names_an_unknown_key_and_those_that_exist) {
  const std::string top = refusal(R"({"meshes": ["meshes/a.obj"], "sunn": {}})");
  EXPECT_TRUE(contains(top, "scene.json") && contains(top, "\"sunn\"") && contains(top, "exposure"))
      << top;
  const std::string inner =
      refusal(R"({"meshes": ["meshes/a.obj"], "camera": {"eye": [0,0,1], "lookat": [0,0,0]}})");
  EXPECT_TRUE(contains(inner, "\"camera\"") && contains(inner, "\"lookat\"") &&
              contains(inner, "look_at"))
      << inner;
  const std::string mesh = refusal(R"({"meshes": [{"file": "meshes/a.obj", "size": 2}]})");
  EXPECT_TRUE(contains(mesh, "meshes[0]") && contains(mesh, "rotate_y")) << mesh;
}

TEST_F(SceneFile, takes_as_much_light_as_options_do) {
  const auto with = [](const std::string& rest) {
    return R"({"meshes": ["meshes/a.obj"], )" + rest + "}";
  };
  EXPECT_EQ(load(with(R"("exposure": 1000000)")).exposure, 1e6f);
  const std::string words = "must be a number from 0 to 1000000, not ";
  for (const auto& [text, key] : {std::pair(R"("exposure": 1000001)", "exposure"),
                                  {R"("sun": {"strength": 1e7})", "sun.strength"},
                                  {R"("sky": {"strength": -0.5})", "sky.strength"}})
    EXPECT_TRUE(contains(refusal(with(text)), "scene.json: \"" + std::string(key) + "\" " + words))
        << refusal(with(text));
}

TEST_F(SceneFile, names_the_key_of_a_wrong_value) {
  const std::string begin = R"({"meshes": ["meshes/a.obj"], )";
  const std::pair<const char*, const char*> cases[] = {
      {R"("exposure": "bright"})", "\"exposure\""},
      {R"("exposure": -1})", "\"exposure\""},
      {R"("white_balance": "warm"})", "\"white_balance\""},
      {R"("white_balance": 900})", "\"white_balance\""},
      {R"("white_balance": [1, 1, 1]})", "\"white_balance\""},
      {R"("light": "lantern"})", "\"light\""},
      {R"("shading": 3})", "\"shading\""},
      {R"("up": [0, 0, 0]})", "\"up\""},
      {R"("up": [0, 1]})", "\"up\""},
      {R"("crease_angle": 200})", "\"crease_angle\""},
      {R"("sun": [1, 2, 3]})", "\"sun\""},
      {R"("sun": {"color": [1, "x", 0]}})", "\"sun.color\""},
      {R"("sky": {"strength": 1e99}})", "\"sky.strength\""},
      {R"("camera": {"eye": [0, 0, 1]}})", "\"look_at\""},
      {R"("camera": {"eye": [0, 0, 1], "look_at": [0, 0, 1]}})", "\"camera.look_at\""},
      {R"("camera": {"eye": [0, 0, 1], "look_at": [0, 0, 0], "fov": 180}})", "\"camera.fov\""},
      {R"("camera": {"eye": [0, 0, 1], "look_at": [0, 0, 0], "fov": 179.5}})", "0.0001 and 179"},
      {R"("camera": {"eye": [0, 0, 1], "look_at": [0, 0, 0], "up": [0, 0, 2]}})",
       "up is parallel to the line of sight"}};
  for (const auto& [text, key] : cases) {
    const std::string message = refusal(begin + text);
    EXPECT_TRUE(contains(message, key) && contains(message, "scene.json")) << message;
  }
}

TEST_F(SceneFile, refuses_what_is_no_scene) {
  EXPECT_TRUE(contains(refusal(""), "empty"));
  EXPECT_TRUE(contains(refusal("{\"meshes\": [}"), "line 1"));
  EXPECT_TRUE(contains(refusal("[1, 2]"), "object"));
  EXPECT_TRUE(contains(refusal("{}"), "\"meshes\""));
  EXPECT_TRUE(contains(refusal(R"({"meshes": []})"), "\"meshes\""));
  EXPECT_TRUE(contains(refusal(R"({"meshes": [7]})"), "meshes[0]"));
  EXPECT_TRUE(contains(refusal(R"({"meshes": ["meshes/a.obj\u0000.obj"]})"), "\\u0000"));
  EXPECT_TRUE(contains(refusal(std::string(100000, '[')), "nested"));
  const std::string missing = refusal(R"({"meshes": ["meshes/a.obj", "meshes/none.obj"]})");
  EXPECT_TRUE(contains(missing, "none.obj") && contains(missing, "scene.json")) << missing;
}

TEST_F(SceneFile, with_lamps_has_sun_and_sky_and_says_which_of_them_are_given) {
  dir.write("meshes/lamp.mtl", "newmtl lamp\nKe 5 5 5\n");
  const std::string lamp =
      dir.write("meshes/lamp.obj", "mtllib lamp.mtl\nusemtl lamp\n" + kTriangle);
  const SceneData alone = assemble({lamp});
  EXPECT_EQ(light_of(alone).sun.strength, Sun{}.strength);
  EXPECT_EQ(light_of(alone).sky.strength, Sky{}.strength);
  EXPECT_FALSE(is_given(alone.sun) || is_given(alone.sky));
  const SceneData with_sun = load(R"({"meshes": ["meshes/lamp.obj"], "sun": {}})");
  EXPECT_TRUE(is_given(with_sun.sun));
  EXPECT_FALSE(is_given(with_sun.sky));
}

TEST(ParseJson, takes_200_levels_and_no_more) {
  const auto nested = [](int levels) {
    return std::string(levels, '[') + "1" + std::string(levels, ']');
  };
  EXPECT_TRUE(parse_json(nested(200), "a.json", false).is_array());
  EXPECT_TRUE(contains(message_of<InputError>([&] { parse_json(nested(201), "a.json", false); }),
                       "a.json: nested more than 200 deep"));
  EXPECT_TRUE(
      contains(message_of<InputError>([] { parse_json("[1, {\"a\": }]", "a.json", false); }),
               "a.json: not JSON"));
  EXPECT_TRUE(contains(
      message_of<InputError>([] { parse_json("[{\"a\": [{}], \"a\": 1}]", "a.json", false); }),
      "\"a\" occurs twice"));
}

TEST(LoadScene, lists_what_it_reads_and_ignores_the_case_of_the_name) {
  const TempDir dir;
  const std::string message =
      message_of<InputError>([&] { assemble({dir.write("a.max", "solid")}); });
  EXPECT_TRUE(contains(message, "a.max") && contains(message, ".obj, .ply")) << message;
  EXPECT_EQ(assemble({dir.write("A.OBJ", kTriangle)}).mesh.triangles.size(), 1u);
}

TEST(BuiltinScene, is_valid_and_faces_outward) {
  const SceneData scene = builtin_scene_data();
  scene.mesh.require_valid();
  ASSERT_TRUE(scene.camera.has_value());
  EXPECT_GT(scene.mesh.triangles.size(), 5000u);
  ASSERT_EQ(scene.mesh.corner_normals.size(), scene.mesh.triangles.size() * 3);
  for (std::size_t i = 0; i < scene.mesh.triangles.size(); ++i) {
    const uvec3 t = scene.mesh.triangles[i];
    const vec3 a = scene.mesh.positions[t.x], b = scene.mesh.positions[t.y],
               c = scene.mesh.positions[t.z];
    const vec3 facing = cross(b - a, c - a);
    ASSERT_GT(dot(facing, facing), 0.0f) << i;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const vec3 n = scene.mesh.corner_normals[i * 3 + corner];
      ASSERT_NEAR(dot(n, n), 1.0f, 1e-5f) << i;
      ASSERT_GT(dot(n, facing), 0.0f) << i;
    }
  }
}

}  // namespace scene_file_test
}  // namespace ballotcast::detail
