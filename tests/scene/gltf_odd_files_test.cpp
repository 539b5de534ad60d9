// Tests glTF files that break the specification, or are of another version, but can still be read.
#include <gtest/gtest.h>

#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_odd_files_test {

using testing::Gltf;
using testing::load;
using testing::refusal;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

vec3 first_corner(const SceneData& scene) {
  return scene.mesh.positions[scene.mesh.triangles[0].x] + vec3(scene.origin);
}

TEST(OddGltf, draws_every_index_of_refraction_of_the_extension) {
  const auto with = [](const std::string& ior) {
    Gltf gltf = triangle();
    gltf.primitive += R"(, "material": 0)";
    gltf.more = R"(, "materials": [{"extensions": {"KHR_materials_ior": {"ior": )" + ior + "}}}]";
    return load(gltf);
  };
  EXPECT_EQ(with("0").materials[0].specular.x, 1.0f);
  EXPECT_FLOAT_EQ(with("1").materials[0].specular.x, 0.0f);
  EXPECT_NEAR(with("1000").materials[0].specular.x, 0.996f, 1e-3f);
  EXPECT_NEAR(with("1e20").materials[0].specular.x, 1.0f, 1e-6f);
  EXPECT_EQ(with("1e20").materials[0].refraction, 1000.0f);
  EXPECT_TRUE(with("1000").warnings.empty()) << warnings_of(with("1000"));
  EXPECT_FLOAT_EQ(with("0.5").materials[0].specular.x, 0.04f);
  EXPECT_TRUE(warns(with("0.5"), "materials[0]: an ior must be 0 or at least 1; drawn with 1.5"));
}

TEST(OddGltf, draws_a_root_that_has_a_parent_where_its_parent_puts_it) {
  Gltf gltf = triangle();
  gltf.nodes =
      R"({"mesh": 0, "translation": [1, 0, 0]}, {"children": [0], "translation": [0, 8, 0]})";
  const SceneData inner = load(gltf);
  EXPECT_EQ(first_corner(inner), vec3(1.0f, 8.0f, 0.0f));
  EXPECT_TRUE(warns(inner, "roots that have a parent, placed as its children: 1"));
  for (const char* roots : {"0, 1", "1, 0", "1, 1"}) {
    gltf.roots = roots;
    const SceneData once = load(gltf);
    EXPECT_EQ(once.mesh.triangles.size(), 1u) << roots;
    EXPECT_EQ(once.warnings.size(), 1u) << warnings_of(once);
    EXPECT_EQ(first_corner(once), vec3(1.0f, 8.0f, 0.0f));
  }
}

TEST(OddGltf, draws_files_without_a_scene_and_without_a_default_scene) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "children": [1]}, {"mesh": 0})";
  const auto with = [&](const std::string& scenes) {
    std::string json = gltf.json(gltf.data_uri());
    const std::string given = R"("scenes": [{"nodes": [0]}], )";
    return load(json.replace(json.find(given), given.size(), scenes)).mesh.triangles.size();
  };
  EXPECT_EQ(with(""), 2u);
  EXPECT_EQ(with(R"("scenes": [], )"), 2u);
  EXPECT_EQ(with(R"("scenes": [{"nodes": [1]}, {"nodes": [0]}], )"), 1u);
  EXPECT_EQ(with(R"("scene": 1, "scenes": [{"nodes": [1]}, {"nodes": [0]}], )"), 2u);
  EXPECT_EQ(with(R"("scenes": [{}, {"nodes": [0]}], )"), 2u) << "the first one is empty";
}

TEST(OddGltf, draws_a_child_that_is_named_twice_once_and_names_nodes_below_themselves) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"children": [1, 1]}, {"mesh": 0})";
  const SceneData scene = load(gltf);
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "nodes[0]: names a child twice")) << warnings_of(scene);
  gltf.nodes = R"({"mesh": 0, "children": [1]}, {"children": [0]})";
  EXPECT_TRUE(contains(refusal(gltf), "\"nodes[0]\" is below itself")) << refusal(gltf);
}

TEST(OddGltf, reads_data_uris_however_they_are_written) {
  const Gltf gltf = triangle();
  const std::string data = testing::base64(gltf.buffer);
  std::string escaped;
  for (const char c : data) escaped += c == '/' ? "%2F" : c == '=' ? "%3d" : std::string(1, c);
  for (const std::string& uri :
       {"DATA:;base64," + data, "data:x/y;BASE64," + data, "data:base64," + data,
        "data:x/y;charset=utf-8;base64," + escaped, "data:;base64, " + data})
    EXPECT_EQ(load(gltf.json(R"("uri": ")" + uri + R"(", )")).mesh.triangles.size(), 1u) << uri;
}

TEST(OddGltf, finds_a_file_whose_name_looks_escaped) {
  const Gltf gltf = triangle();
  const TempDir dir;
  dir.write("100%25.bin", gltf.buffer);
  EXPECT_EQ(load_mesh(dir.write("a.gltf", gltf.json(R"("uri": "100%25.bin", )")), {})
                .mesh.triangles.size(),
            1u);
}

TEST(OddGltf, names_things_by_their_place_where_their_name_is_no_text) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "name": 5})";
  gltf.primitive += R"(, "material": 0)";
  gltf.more = R"(, "materials": [{"name": 7}])";
  EXPECT_EQ(load(gltf).material_names[0], "materials[0]");
}

TEST(OddGltf, leaves_out_cameras_that_say_too_little) {
  for (const char* camera : {R"("type": "perspective", "perspective": {})", R"("type": "fish")",
                             R"("type": "orthographic", "orthographic": {"ymag": 0})"}) {
    Gltf gltf = triangle();
    gltf.nodes = R"({"mesh": 0, "camera": 0})";
    gltf.more = std::string(R"(, "cameras": [{)") + camera + "}]";
    const SceneData scene = load(gltf);
    EXPECT_FALSE(scene.camera.has_value()) << camera;
    EXPECT_TRUE(warns(scene, "cameras[0]") && warns(scene, "left out")) << warnings_of(scene);
  }
}

/// A GLB of two chunks, JSON and binary, each with a claimed length and its bytes.
std::string glb(u32 json_length, const std::string& json, u32 bin_length, const std::string& bin) {
  std::string bytes = "glTF";
  testing::append_bytes(bytes, u32{2});
  testing::append_bytes(bytes, static_cast<u32>(28 + json.size() + bin.size()));
  testing::append_bytes(bytes, json_length);
  bytes += "JSON" + json;
  testing::append_bytes(bytes, bin_length);
  return bytes + std::string("BIN\0", 4) + bin;
}

TEST(OddGltf, reads_chunks_whose_padding_or_its_length_was_forgotten) {
  const Gltf gltf = triangle();
  std::string json = gltf.json();
  const u32 bin = static_cast<u32>(gltf.buffer.size());
  for (int i = 0; i < 4; ++i, json += ' ') {
    const u32 length = static_cast<u32>(json.size());
    EXPECT_EQ(load(glb(length, json, bin, gltf.buffer)).mesh.triangles.size(), 1u);
    const std::string padded = json + std::string((4 - length % 4) % 4, ' ');
    EXPECT_EQ(load(glb(length, padded, bin, gltf.buffer)).mesh.triangles.size(), 1u);
  }
  // Bytes beyond the length in the header are no chunk.
  EXPECT_TRUE(
      warns(load(testing::glb_of(gltf.json(), gltf.buffer) + "twelve bytes"), "the header"));
}

TEST(OddGltf, reads_other_slips_of_writers) {
  Gltf gltf = triangle();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string json = gltf.json(gltf.data_uri());
    return load(json.replace(json.find(from), from.size(), to));
  };
  EXPECT_EQ(with(R"("byteOffset": 0)", R"("byteOffset": 0, "byteStride": 0)").mesh.triangles.size(),
            1u);
  EXPECT_EQ(with("base64,", "base64,\\n ").mesh.triangles.size(), 1u);
  const std::string empty =
      R"(, {"type": "VEC3", "componentType": 5126, "count": 0}], "bufferViews")";
  gltf.primitive += R"(}, {"attributes": {"POSITION": 1}}, {"attributes": {})";
  const SceneData scene = with(R"(], "bufferViews")", empty);
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "primitives without positions left out: 1"));
  gltf = triangle();
  std::string json = gltf.json();
  json.resize((json.size() + 3) / 4 * 4 + 4, '\0');
  const std::string bytes =
      glb(static_cast<u32>(json.size()), json, static_cast<u32>(gltf.buffer.size()), gltf.buffer);
  EXPECT_EQ(load(bytes).mesh.triangles.size(), 1u);
  const std::string unstated = std::string(bytes).replace(8, 4, std::string(4, '\0'));
  EXPECT_EQ(load(unstated).mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(load(unstated), "the header states 0 bytes"));
  EXPECT_EQ(with(R"("count": 3)", R"("count": 3, "sparse": {"count": 0, "indices": {},
                                    "values": {}})")
                .mesh.triangles.size(),
            1u);
  // The length includes padding that is missing.
  EXPECT_EQ(load(glb(static_cast<u32>(json.size()), json, static_cast<u32>(gltf.buffer.size()) + 3,
                     gltf.buffer))
                .mesh.triangles.size(),
            1u);
}

TEST(OddGltf, says_what_is_wrong_with_a_header_of_letters) {
  const Gltf gltf = triangle();
  std::string json = gltf.json();
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const u32 bin = static_cast<u32>(gltf.buffer.size());
  const std::string bytes = glb(static_cast<u32>(json.size()), json + "abcd", bin, gltf.buffer);
  EXPECT_TRUE(contains(refusal(bytes), "this is no header of a chunk")) << refusal(bytes);
  EXPECT_FALSE(contains(refusal(bytes), "164"));  // 164 is how "abcd" as a number begins
  const std::string letters = std::string(bytes).replace(12, 4, "wxyz");
  EXPECT_TRUE(contains(refusal(letters), "that number is the text \"wxyz\" in the file"))
      << refusal(letters);
  EXPECT_TRUE(contains(refusal("<!DOCTYPE html>"), "not a glTF file: it seems to be a web page"));
}

TEST(OddGltf, names_the_version_of_old_files_and_says_what_to_do) {
  for (const std::string old :
       {R"({"asset": {"version": "1.0"}})", R"({"asset": {"version": 1.0}})",
        R"({"meshes": {"a": {}}, "nodes": {}})", "glTF\x01"}) {
    const std::string bytes = old.size() < 8 ? old + std::string(20, '\0') : old;
    EXPECT_TRUE(contains(refusal(bytes), "this is glTF 1.0, and only glTF 2.0 is read; convert it"))
        << refusal(bytes);
  }
  EXPECT_TRUE(contains(refusal(R"({"asset": {"version": "3.0"}})"), "must be 2.0, not \"3.0\""));
  EXPECT_TRUE(contains(refusal(R"({"asset": {"version": "2.0", "minVersion": "2.1"}})"),
                       "\"asset.minVersion\" must be 2.0, not \"2.1\""));
  std::string number = triangle().json(triangle().data_uri());
  EXPECT_EQ(load(number.replace(number.find("\"2.0\""), 5, "2.0")).mesh.triangles.size(), 1u);
}

}  // namespace gltf_odd_files_test
}  // namespace ballotcast::detail
