// Tests scene files with instances.
#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/error.hpp"
#include "scene/assemble.hpp"
#include "support/png.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace instances_file_test {

constexpr const char* kTriangle = "mtllib m.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
constexpr const char* kQuad =
    "mtllib m.mtl\nusemtl blue\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
constexpr const char* kMaterials = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";

class InstancesFile : public ::testing::Test {
 protected:
  InstancesFile() {
    write("triangle.obj", kTriangle);
    write("quad.obj", kQuad);
    write("m.mtl", kMaterials);
  }

  std::string write(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }

  /// Writes a grey PNG of 16 bits.
  void write_png16(const std::string& name, u32 width, u32 height, std::vector<u16> samples) {
    const std::vector<u8> bytes = testing::png_of(
        {.width = width, .height = height, .depth = 16, .color = 0, .numbers = std::move(samples)});
    write(name, {bytes.begin(), bytes.end()});
  }

  /// The bytes of floats.
  static std::string floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
  }

  SceneData load(const std::string& json, u32 frame = 0) {
    write("s.json", json);
    SceneRequest request;
    request.file = folder_ / "s.json";
    request.frame = frame;
    return assemble(request);
  }

  std::string refusal(const std::string& json) {
    try {
      load(json);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

 private:
  TempDir folder_;
};

vec3 shift_of(const SceneInstance& instance) {
  return {instance.to_scene.rows[0][3], instance.to_scene.rows[1][3], instance.to_scene.rows[2][3]};
}

TEST_F(InstancesFile, loads_each_mesh_once) {
  const SceneData scene = load(R"({"instances": [
      {"mesh": "quad.obj"}, {"mesh": "triangle.obj", "translate": [1, 2, 3]},
      {"mesh": "quad.obj", "transform": [2, 0, 0, 4,  0, 3, 0, 5,  0, 0, 1, 6]}]})");
  ASSERT_EQ(scene.parts.size(), 2u);
  EXPECT_EQ(scene.mesh.triangles.size(), 3u);
  EXPECT_EQ(scene.triangle_count(), 5u);
  ASSERT_EQ(scene.instances.size(), 3u);
  EXPECT_EQ(scene.instances[1].first_id, 2u);
  EXPECT_EQ(scene.instances[2].first_id, 3u);
  EXPECT_EQ(shift_of(scene.instances[1]), vec3(1, 2, 3));
  EXPECT_EQ(scene.instances[2].to_scene.rows[1][1], 3.0f);
  EXPECT_EQ(shift_of(scene.instances[2]), vec3(4, 5, 6));
  EXPECT_EQ(scene.bounds().high, vec3(6, 8, 6));
}

TEST_F(InstancesFile, takes_transforms_as_rows_and_as_one_list) {
  const std::string begin = R"({"instances": [{"mesh": "triangle.obj", "transform": )";
  const SceneData expected = load(begin + "[1,0,0,4, 0,3,0,5, 0,0,1,6]}]}");
  for (const char* given :
       {"[[1,0,0,4], [0,3,0,5], [0,0,1,6]]", "[[1,0,0,4], [0,3,0,5], [0,0,1,6], [0,0,0,1]]",
        "[1,0,0,4, 0,3,0,5, 0,0,1,6, 0,0,0,1]"}) {
    const SceneData scene = load(begin + given + "}]}");
    EXPECT_EQ(shift_of(scene.instances[0]), shift_of(expected.instances[0])) << given;
    EXPECT_EQ(scene.instances[0].to_scene.rows[1][1], 3.0f) << given;
  }
  for (const auto& [given, why] :
       {std::pair{"[[1,0,0,4], [0,3,0,5], [0,0,1,6], [0,0,1,1]]", "a fourth row other than"},
        std::pair{"[[1,0,0], [0,3,0], [0,0,1]]", "3 or 4 rows of 4 numbers"},
        std::pair{"[1,0,0,4, 0,3,0,5]", "3 or 4 rows of 4 numbers"},
        std::pair{"[[1,0,0,4], [0,\"3\",0,5], [0,0,1,6]]", "3 or 4 rows of 4 numbers"},
        std::pair{"[[1,0,0,4], 0,3,0,5, [0,0,1,6]]", "3 or 4 rows of 4 numbers"},
        std::pair{"7", "3 or 4 rows of 4 numbers"}}) {
    const std::string message = message_of<InputError>([&] { load(begin + given + "}]}"); });
    EXPECT_TRUE(contains(message, "transform") && contains(message, why)) << message;
  }
}

TEST_F(InstancesFile, puts_meshes_before_instances) {
  const SceneData scene = load(R"({"meshes": ["quad.obj", "triangle.obj"],
      "instances": [{"mesh": "triangle.obj", "rotate_y": 90, "scale": 2}]})");
  ASSERT_EQ(scene.parts.size(), 2u);
  EXPECT_EQ(scene.parts[0].count, 3u);
  ASSERT_EQ(scene.instances.size(), 2u);
  EXPECT_EQ(scene.instances[1].first_id, 3u);
  // The rotation is from z towards x, as for a placement.
  EXPECT_EQ(scene.instances[1].to_scene.rows[2][0], -2.0f);
  EXPECT_EQ(scene.instances[1].to_scene.rows[0][2], 2.0f);
}

TEST_F(InstancesFile, gives_instances_materials_by_name) {
  const SceneData scene = load(R"({"instances": [{"mesh": "triangle.obj"},
      {"mesh": "triangle.obj", "material": "red"}, {"mesh": "quad.obj", "material": "red"}]})");
  EXPECT_EQ(scene.instances[0].material, kOwnMaterials);
  EXPECT_EQ(scene.material_names[scene.instances[1].material], "red");
  EXPECT_EQ(scene.material_names[scene.instances[2].material], "red");
}

TEST_F(InstancesFile, gives_instances_materials_of_their_own) {
  const SceneData scene = load(R"({"instances": [{"mesh": "quad.obj"},
      {"mesh": "quad.obj", "material": {"color": [0.1, 0.2, 0.3], "metallic": 1, "roughness": 0.5}},
      {"mesh": "quad.obj", "material": {"emission": [4, 5, 6]}}]})");
  EXPECT_EQ(scene.instances[0].material, kOwnMaterials);
  const Material& metal = scene.materials[scene.instances[1].material];
  EXPECT_EQ(metal.color, vec3(0.1f, 0.2f, 0.3f));
  EXPECT_EQ(metal.metallic, 1.0f);
  EXPECT_EQ(metal.roughness, 0.5f);
  EXPECT_EQ(scene.materials[scene.instances[2].material].emission, vec3(4, 5, 6));
  EXPECT_EQ(scene.material_names.size(), scene.materials.size());
  EXPECT_TRUE(scene.has_emitters());
}

TEST_F(InstancesFile, gives_instances_masks) {
  const SceneData scene = load(R"({"meshes": ["quad.obj"], "instances": [
      {"mesh": "quad.obj", "mask": 5}, {"mesh": "quad.obj"},
      {"mesh": "quad.obj", "mask": 0}]})");
  EXPECT_EQ(scene.masks, (std::vector<u32>{kEveryBit, 5u, kEveryBit, 0u}));
  EXPECT_TRUE(load(R"({"instances": [{"mesh": "quad.obj", "mask": 4294967295}]})").masks.empty());
}

TEST_F(InstancesFile, keeps_the_precision_of_instances_far_away) {
  const SceneData scene = load(R"({"instances": [{"mesh": "quad.obj", "translate": [5e6, 0, 0.25]},
      {"mesh": "quad.obj", "translate": [5000000.125, 0, 0]}]})");
  EXPECT_NE(scene.origin.x, 0.0);
  EXPECT_EQ(scene.origin.x + double{shift_of(scene.instances[1]).x}, 5000000.125);
}

TEST_F(InstancesFile, moves_instances_by_keyframes) {
  const char* const json = R"({"instances": [{"mesh": "quad.obj", "keyframes": [
      {"frame": 0, "translate": [0, 0, 0]}, {"frame": 10, "translate": [10, 0, 0]}]}]})";
  EXPECT_EQ(shift_of(load(json, 0).instances[0]), vec3(0, 0, 0));
  EXPECT_EQ(shift_of(load(json, 4).instances[0]), vec3(4, 0, 0));
}

TEST_F(InstancesFile, is_a_scene_alone_and_can_not_be_joined_with_meshes) {
  const std::string file = write("i.json", R"({"instances": [{"mesh": "quad.obj"},
      {"mesh": "quad.obj", "translate": [0, 0, 3]}]})");
  const std::string other = write("other.obj", kTriangle);
  SceneRequest request;
  request.meshes = {{file}};
  EXPECT_EQ(assemble(request).triangle_count(), 4u);
  const auto refused = [&] {
    try {
      assemble(request);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("i.json: has instances; it can't be placed, or"),
                std::string::npos)
          << error.what();
    }
  };
  request.file = other;
  refused();
  request.file = file;
  request.meshes = {{other}};
  refused();
  request.file.clear();
  request.meshes = {{file, {.scale = 2.0}}};
  refused();
}

TEST_F(InstancesFile, names_what_is_wrong) {
  const auto expect = [&](const std::string& json, const std::string& part) {
    EXPECT_NE(refusal(json).find(part), std::string::npos) << refusal(json);
  };
  expect(R"({"instances": []})", "\"instances\" must be a list of at least one instance");
  expect(R"({})", "\"meshes\"");
  expect(R"({"instances": [{"transform": [1]}]})", "\"instances[0]\" needs the key \"mesh\"");
  expect(R"({"instances": [{"mesh": "quad.obj", "transform": [1, 2]}]})",
         "\"instances[0].transform\"");
  expect(R"({"instances": [{"mesh": "quad.obj", "scale": 2,
             "transform": [1,0,0,0, 0,1,0,0, 0,0,1,0]}]})",
         "exclude each other");
  expect(R"({"instances": [{"mesh": "quad.obj", "scale": 0}]})", "must be above 0");
  expect(R"({"meshes": ["triangle.obj"], "instances": [{"mesh": "quad.obj"}, {"mesh": "quad.obj",
             "transform": [1,0,0,0, 0,0,0,0, 0,0,1,0]}]})",
         "instances[1]: its transform flattens the mesh");
  expect(R"({"instances": [{"mesh": "quad.obj", "material": "green"}]})",
         "instances[0]: no material of this mesh, or of one before it, is called 'green'");
  expect(R"({"instances": [{"mesh": "quad.obj", "material": {"color": [1, -1, 0]}}]})",
         "\"instances[0].material.color\"");
  expect(R"({"instances": [{"mesh": "quad.obj", "mask": -1}]})", "\"instances[0].mask\"");
  expect(R"({"instances": [{"mesh": "quad.obj", "keyframes": [{"frame": 0, "mask": 1}]}]})",
         "\"instances[0].keyframes[0].mask\" can't change from frame to frame");
  expect(R"({"instances": [{"mesh": "none.obj"}]})", "none.obj");
  expect(R"({"instances": [{"mesh": "quad.obj", "size": 1}]})",
         "\"instances[0].size\" is for shapes");
}

TEST_F(InstancesFile, has_shapes_beside_meshes) {
  const SceneData scene = load(R"({"instances": [
      {"shape": "sphere", "size": 0.5, "translate": [1, 0, 0]}, {"mesh": "quad.obj"},
      {"shape": "box", "size": [1, 2, 3], "material": {"color": [1, 0, 0]}},
      {"shape": "sphere", "size": [0.5], "name": "ball"}]})");
  ASSERT_EQ(scene.parts.size(), 3u);  // equal shapes are one part
  ASSERT_EQ(scene.shapes.size(), 3u);
  EXPECT_EQ(scene.shapes[0].kind, ShapeKind::sphere);
  EXPECT_EQ(scene.shapes[0].size[0], 0.5f);
  EXPECT_EQ(scene.shapes[1].kind, ShapeKind::none);
  EXPECT_EQ(scene.shapes[2].kind, ShapeKind::box);
  EXPECT_EQ(scene.shapes[2].size[2], 3.0f);
  EXPECT_EQ(scene.triangle_count(), 5u);
  EXPECT_EQ(scene.instances[3].mesh, 0u);
  EXPECT_EQ(part_names_of(scene).back(), "ball");
  const Aabb box = scene.bounds();
  EXPECT_EQ(box.low, vec3(-1, -2, -3));
  EXPECT_EQ(box.high, vec3(1.5f, 2, 3));
}

TEST_F(InstancesFile, has_heightfields) {
  // 3 x 2 pixels; the top row of a picture has the highest y.
  write_png16("grey.png", 3, 2, {0, 65535, 32768, 13107, 0, 0});
  write("heights.pfm", "Pf\n2 2\n-1.0\n" + floats({5, 6, 7, 8}));
  const SceneData scene = load(R"({"instances": [
      {"shape": "heightfield", "size": [2, 3], "heights": "grey.png", "range": [-1, 4]},
      {"shape": "heightfield", "size": [2, 3], "heights": "heights.pfm", "diagonal": "falling"},
      {"shape": "heightfield", "size": [1, 1], "heights": [[1, 2, 3], [4, 5, 6.5]]},
      {"shape": "sphere", "size": 1},
      {"shape": "heightfield", "size": [2, 3], "heights": "grey.png", "range": [-1, 4],
       "translate": [9, 0, 0]}]})");
  ASSERT_EQ(scene.height_grids.size(), 3u);  // equal heightfields are one
  ASSERT_EQ(scene.parts.size(), 4u);
  const auto heights = [&](u32 part) {
    const HeightfieldView field(scene.height_grids.data(), scene.heights.data(),
                                scene.shapes[part]);
    const float* const first = field.heights;
    return std::vector<float>(first, first + field.grid.columns * field.grid.rows);
  };
  EXPECT_EQ(heights(0), (std::vector<float>{0, -1, -1, -1, 4, -1 + 5 * 32768.0f / 65535.0f}));
  EXPECT_EQ(heights(1), (std::vector<float>{5, 6, 7, 8}));  // a PFM begins with its lowest row
  EXPECT_EQ(heights(2), (std::vector<float>{1, 2, 3, 4, 5, 6.5f}));
  EXPECT_EQ(scene.height_grids[0].falling, 0u);
  EXPECT_EQ(scene.height_grids[1].falling, 1u);
  EXPECT_EQ(scene.instances[4].mesh, 0u);
  EXPECT_EQ(scene.files.size(), 3u);
  const Aabb box = scene.bounds();
  EXPECT_EQ(box.low, vec3(-2, -3, -1));
  EXPECT_EQ(box.high, vec3(11, 3, 8));
}

TEST_F(InstancesFile, refuses_heightfields_that_make_no_sense) {
  write_png16("grey.png", 3, 2, {0, 1, 2, 3, 4, 5});
  write_png16("dot.png", 1, 1, {0});
  write("nan.pfm", "Pf\n2 2\n-1.0\n" + floats({5, std::nanf(""), 7, 8}));
  write("colour.pfm", "PF\n1 1\n-1.0\n" + floats({1, 2, 3}));
  const auto expect = [&](const std::string& keys, const std::string& part) {
    const std::string text =
        refusal("{\"instances\": [{\"shape\": \"heightfield\", " + keys + "}]}");
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("s.json"), std::string::npos) << text;
  };
  expect(R"("size": [1, 1])", "needs the key \"heights\"");
  expect(R"("heights": [[1, 2], [3, 4]])", "needs the key \"size\"");
  expect(R"("size": [1, 1], "heights": "none.png", "range": [0, 1])", "none.png");
  expect(R"("size": [1, 1], "heights": "grey.png")", "grey.png: needs \"range\"");
  expect(R"("size": [1, 1], "heights": "quad.obj", "range": [0, 1])", "quad.obj: heights are read");
  expect(R"("size": [1, 1], "heights": "dot.png", "range": [0, 1])", "1 columns and 1 rows, but");
  expect(R"("size": [1, 1], "heights": "nan.pfm")", "nan.pfm: heightfield: the height in column 1");
  expect(R"("size": [1, 1], "heights": "nan.pfm", "range": [0, 1])", "\"range\" has no meaning");
  expect(R"("size": [1, 1], "heights": "colour.pfm")", "heights must be grey");
  expect(R"("size": [1, 1], "heights": [[1]])", "1 columns and 1 rows, but there must be from 2");
  expect(R"("size": [1, 1], "heights": [[1, 2], [3]])", "rows of the same length; its row 1");
  expect(R"("size": [1, 1], "heights": [1, 2])", "or a list of rows");
  expect(R"("size": [1, 1], "heights": [[1, 2], [3, "a"]])", "must be numbers; in its row 1");
  expect(R"("size": [1, 1], "heights": [[1, 2], [3, 1e9]])", "row 1 is 1e+09, but must be from");
  expect(R"("size": [1, 0], "heights": [[1, 2], [3, 4]])", "heightfield: size 2");
  expect(R"("size": 1, "heights": [[1, 2], [3, 4]])", "instances[0].size");
  expect(R"("size": [1, 1], "heights": [[1, 2], [3, 4]], "diagonal": "up")",
         "unknown diagonal 'up'; known: rising, falling");
  expect(R"("size": [1, 1], "heights": [[1, 2], [3, 4]], "range": [0, 1])",
         "\"instances[0].range\" is for the heights of a picture");
  EXPECT_NE(refusal(R"({"instances": [{"mesh": "quad.obj", "heights": "a.png"}]})")
                .find("\"instances[0].heights\" is for the shape"),
            std::string::npos);
}

TEST_F(InstancesFile, refuses_shapes_that_make_no_sense) {
  const auto of = [&](const std::string& entry) {
    return refusal("{\"instances\": [{" + entry + "}]}");
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? std::string() : text;
  };
  EXPECT_EQ(has(of(R"("shape": "ball", "size": 1)"), "unknown shape 'ball'; known: sphere, "), "");
  EXPECT_EQ(has(of(R"("shape": "sphere")"), "needs the key \"size\""), "");
  EXPECT_EQ(has(of(R"("shape": "sphere", "size": 0)"), "sphere: size 1 (of: radius) is 0, but"),
            "");
  EXPECT_EQ(has(of(R"("shape": "sphere", "size": -1)"), "is -1, but must be from"), "");
  EXPECT_EQ(has(of(R"("shape": "box", "size": [1, 2])"), "box: needs 3 sizes"), "");
  EXPECT_EQ(has(of(R"("shape": "box", "size": ["a", 2, 3])"), "instances[0].size"), "");
  EXPECT_EQ(has(of(R"("shape": "disc", "size": 1e30)"), "is 1e+30, but must be from"), "");
  EXPECT_EQ(has(of(R"("shape": "disc", "size": 1, "mesh": "quad.obj")"), "exclude each other"), "");
  EXPECT_EQ(of(R"("shape": "capsule", "size": [1, 0])"), "");
}

}  // namespace instances_file_test
}  // namespace ballotcast::detail
