#include <gtest/gtest.h>

#include <cmath>

#include "helpers/meshes.hpp"
#include "scene/assemble.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_loader_test {

using testing::Gltf;
using testing::load;
using testing::refusal;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

std::vector<vec3> corners_of(const SceneData& scene) {
  std::vector<vec3> corners;
  for (const uvec3 t : scene.mesh.triangles)
    for (const u32 i : {t.x, t.y, t.z}) corners.push_back(scene.mesh.positions[i]);
  return corners;
}

TEST(GltfLoader, reads_buffers_of_every_kind) {
  const Gltf gltf = triangle();
  const TempDir dir;
  const std::string bin = dir.write("my buffer.bin", gltf.buffer);
  const std::string path = dir.write("a.gltf", gltf.json(R"("uri": "my%20buffer.bin", )"));
  const SceneData beside = load_gltf(path);
  EXPECT_EQ(beside.files, (std::vector<std::string>{path, bin}));
  EXPECT_EQ(corners_of(beside), corners_of(load(gltf)));
  EXPECT_EQ(corners_of(beside), corners_of(load(testing::glb_of(gltf.json(), gltf.buffer))));
  EXPECT_TRUE(beside.warnings.empty()) << warnings_of(beside);
  EXPECT_EQ(beside.name, "a");
}

TEST(GltfLoader, reads_every_type_of_component) {
  Gltf gltf;
  gltf.add<std::int16_t>({0, 0, 0, 32767, 0, 0, 0, -32768, 0}, "VEC3", 5122, 3,
                         R"(, "normalized": true)");
  gltf.add<std::int8_t>({0, 0, 0, 3, 0, 0, 0, -2, 0}, "VEC3", 5120, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 1})";
  const std::vector<vec3> corners = corners_of(load(gltf));
  ASSERT_EQ(corners.size(), 6u);
  EXPECT_EQ(corners[1], vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(corners[2], vec3(0.0f, -1.0f, 0.0f));
  EXPECT_EQ(corners[4], vec3(3.0f, 0.0f, 0.0f));
  EXPECT_EQ(corners[5], vec3(0.0f, -2.0f, 0.0f));
}

TEST(GltfLoader, reads_indices_strips_and_fans) {
  const auto ids = [](const std::string& mode, const std::vector<u8>& indices) {
    Gltf gltf;
    gltf.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0}, 3);
    gltf.add<u8>(indices, "SCALAR", 5121, 1);
    gltf.primitive = R"("attributes": {"POSITION": 0}, "indices": 1, "mode": )" + mode;
    const SceneData scene = load(gltf);
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    return scene.mesh.triangles;
  };
  using Ids = std::vector<uvec3>;
  EXPECT_EQ(ids("4", {0, 1, 2, 2, 1, 3}), (Ids{{0, 1, 2}, {2, 1, 3}}));
  EXPECT_EQ(ids("5", {0, 1, 2, 3, 4}), (Ids{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  // The strips are joined by repeated vertices.
  EXPECT_EQ(ids("5", {0, 1, 2, 2, 1, 3}), (Ids{{0, 1, 2}, {2, 3, 1}}));
  EXPECT_EQ(ids("6", {0, 1, 3, 2}), (Ids{{1, 3, 0}, {3, 2, 0}}));
}

TEST(GltfLoader, replaces_what_a_sparse_accessor_names) {
  Gltf gltf = triangle();
  gltf.add<std::uint16_t>({2}, "SCALAR", 5123, 1);
  gltf.add_floats({5, 6, 7}, 3);
  const std::string sparse =
      R"(, "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": 5123},
                      "values": {"bufferView": 2}})";
  gltf.accessors.insert(gltf.accessors.find('}'), sparse);
  EXPECT_EQ(corners_of(load(gltf))[2], vec3(5.0f, 6.0f, 7.0f));
  gltf.buffer[36] = 3;
  EXPECT_TRUE(contains(refusal(gltf), "accessors[0].sparse.indices")) << refusal(gltf);
}

TEST(GltfLoader, reads_interleaved_views) {
  Gltf gltf;
  gltf.add_floats({0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0}, 1);
  gltf.views.insert(gltf.views.size() - 1, R"(, "byteStride": 16)");
  gltf.accessors = R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3})";
  EXPECT_EQ(corners_of(load(gltf))[2], vec3(0.0f, 1.0f, 0.0f));
}

TEST(GltfLoader, places_meshes_at_their_nodes) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"translation": [10, 0, 0], "children": [1, 2]},
    {"mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "scale": [2, 2, 2]},
    {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]})";
  const std::vector<vec3> corners = corners_of(load(gltf));
  ASSERT_EQ(corners.size(), 6u);
  EXPECT_NEAR(corners[1].x, 10.0f, 1e-6f);
  EXPECT_NEAR(corners[1].y, 2.0f, 1e-6f);
  EXPECT_NEAR(corners[2].x, 8.0f, 1e-6f);
  EXPECT_EQ(corners[4], vec3(11.0f, 0.0f, 5.0f));
}

TEST(GltfLoader, keeps_front_sides_and_normals_under_mirrors_and_uneven_scales) {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 1, 0, 1, 1, 0, 0, 1}, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0, "NORMAL": 1})";
  gltf.nodes = R"({"mesh": 0, "scale": [-1, 4, 1]})";
  const SceneData scene = load(gltf);
  EXPECT_GT(scene.mesh.normal_of(0).z, 0.0);
  // A normal is scaled by the inverse of the scale: (0, 1/4, 1).
  const vec3 tilted = unit_or(vec3(0.0f, 0.25f, 1.0f), vec3(0.0f));
  EXPECT_EQ(scene.mesh.corner_normals[0], vec3(0.0f, 0.0f, 1.0f));
  EXPECT_NEAR(dot(scene.mesh.corner_normals[2], tilted), 1.0f, 1e-6f);
}

TEST(GltfLoader, refuses_graphs_that_are_no_trees) {
  const auto graph = [](const std::string& nodes, const std::string& roots) {
    Gltf gltf = triangle();
    gltf.nodes = nodes;
    gltf.roots = roots;
    return refusal(gltf);
  };
  EXPECT_TRUE(contains(graph(R"({"mesh": 0, "children": [0]})", "0"), "is below itself"));
  EXPECT_TRUE(contains(graph(R"({"children": [1]}, {"children": [0]})", "0"), "is below itself"));
  EXPECT_TRUE(contains(graph(R"({"children": [2]}, {"children": [2]}, {})", "0, 1"),
                       "\"nodes[2]\" has two parents"));
  EXPECT_TRUE(contains(graph(R"({"mesh": 0})", "7"), "from 0 to 0"));
  EXPECT_TRUE(contains(graph(R"({"mesh": 3})", "0"), "\"nodes[0].mesh\" must be an integer"));
  EXPECT_TRUE(contains(graph(R"({"children": [1]}, {"children": [2]}, {"children": [1]})", "0"),
                       "two parents"));
  EXPECT_TRUE(contains(graph(R"({"mesh": 0, "rotation": [0, 0, 0, 0]})", "0"), "length 1"));
}

TEST(GltfLoader, survives_deep_graphs) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0})";
  constexpr int kDeep = 20000;
  for (int i = 1; i < kDeep; ++i)
    gltf.nodes += R"(, {"children": [)" + std::to_string(i - 1) + "]}";
  gltf.roots = std::to_string(kDeep - 1);
  EXPECT_EQ(load(gltf).mesh.triangles.size(), 1u);
}

TEST(GltfLoader, reads_colours_of_vertices) {
  Gltf gltf = triangle();
  gltf.add<u8>({255, 0, 51, 255, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 5121, 4,
               R"(, "normalized": true)");
  gltf.primitive = R"("attributes": {"POSITION": 0, "COLOR_0": 1})";
  const SceneData scene = load(gltf);
  ASSERT_EQ(scene.mesh.vertex_colors.size(), 3u);
  // Vertex colours of glTF are linear.
  EXPECT_EQ(scene.mesh.vertex_colors[0], vec3(1.0f, 0.0f, 0.2f));
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f));
}

TEST(GltfLoader, uses_the_camera_and_the_sun_of_the_file) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "children": [1, 2, 3]},
    {"camera": 0, "translation": [1, 2, 3]},
    {"extensions": {"KHR_lights_punctual": {"light": 0}}, "rotation": [-0.7071067811865476, 0, 0, 0.7071067811865476]},
    {"extensions": {"KHR_lights_punctual": {"light": 1}}})";
  gltf.more =
      R"(, "cameras": [{"type": "perspective", "perspective": {"yfov": 1.0471975511965976}}],
    "extensions": {"KHR_lights_punctual": {"lights": [
      {"type": "directional", "color": [1, 0.5, 0.25], "intensity": 3}, {"type": "point"}]}})";
  const SceneData scene = load(gltf);
  ASSERT_TRUE(scene.camera.has_value());
  EXPECT_EQ(scene.camera->eye, Vec3d(1.0, 2.0, 3.0));
  EXPECT_EQ(scene.camera->look_at, Vec3d(1.0, 2.0, 2.0));
  EXPECT_NEAR(scene.camera->fov, 60.0, 1e-9);
  ASSERT_TRUE(scene.sun.direction.has_value());
  EXPECT_NEAR(scene.sun.direction->y, 1.0, 1e-9);  // the light shines down, so the sun is above
  EXPECT_EQ(scene.sun.color, Vec3f(1.0f, 0.5f, 0.25f));
  EXPECT_EQ(scene.sun.strength, 3.0f);
  EXPECT_TRUE(warns(scene, "lights left out (only the first directional light is used): 1"));
  const TempDir dir;
  dir.write("a.gltf", gltf.json(gltf.data_uri()));
  EXPECT_TRUE(assemble({dir.write("a.json", R"({"meshes": ["a.gltf"]})")}).camera.has_value());
  const SceneData two = assemble({dir.write("b.json", R"({"meshes": ["a.gltf", "a.gltf"]})")});
  EXPECT_FALSE(two.camera.has_value());
  EXPECT_TRUE(warns(two, "cameras and suns of meshes"));
}

TEST(GltfLoader, uses_orthographic_cameras_and_leaves_out_unusable_ones) {
  const auto with = [](const std::string& camera) {
    Gltf gltf = triangle();
    gltf.nodes = R"({"mesh": 0, "camera": 0})";
    gltf.more = R"(, "cameras": [{)" + camera + "}]";
    return load(gltf);
  };
  const SceneData scene = with(R"("type": "orthographic", "orthographic": {"ymag": 3})");
  ASSERT_TRUE(scene.camera.has_value());
  EXPECT_EQ(scene.camera->ortho_height, 6.0);
  const SceneData none = with(R"("type": "perspective", "perspective": {"yfov": 4})");
  EXPECT_FALSE(none.camera.has_value());
  EXPECT_TRUE(warns(none, "cameras[0]: left out: ")) << warnings_of(none);
}

TEST(GltfLoader, says_what_it_leaves_out) {
  Gltf gltf = triangle();
  gltf.primitive = R"("attributes": {"POSITION": 0}},
    {"attributes": {"POSITION": 0}, "mode": 1)";
  const SceneData scene = load(gltf);
  EXPECT_TRUE(warns(scene, "lines and points left out: 1")) << warnings_of(scene);
}

TEST(GltfLoader, draws_flat_unless_a_crease_angle_is_given) {
  const std::string sphere = testing::as_gltf(testing::sphere(8));
  EXPECT_TRUE(load(sphere).mesh.corner_normals.empty());
  EXPECT_FALSE(load(sphere, {60.0}).mesh.corner_normals.empty());
}

TEST(GltfLoader, refuses_what_it_does_not_understand) {
  EXPECT_TRUE(contains(refusal(""), "empty file"));
  EXPECT_TRUE(contains(refusal("{"), "not JSON"));
  EXPECT_TRUE(contains(refusal("{}"), "needs the key \"asset\""));
  EXPECT_TRUE(contains(refusal(R"({"asset": {"version": "1.0"}})"), "only glTF 2.0 is read"));
  EXPECT_TRUE(contains(refusal(R"({"asset": {"version": "2.0"}})"), "no triangles"));
  Gltf gltf = triangle();
  gltf.more = R"(, "extensionsRequired": ["KHR_texture_basisu"])";
  EXPECT_TRUE(contains(refusal(gltf), "needs the extension \"KHR_texture_basisu\""));
  gltf = triangle();
  gltf.primitive = R"("attributes": {})";
  EXPECT_TRUE(contains(refusal(gltf), "no triangles"));
  gltf.add_floats({0, 0, 1}, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0, "NORMAL": 1})";
  EXPECT_TRUE(contains(refusal(gltf), "has 1 elements for 3 positions"));
  gltf.primitive = R"("attributes": {"POSITION": 0, "TEXCOORD_0": 0})";
  EXPECT_TRUE(contains(refusal(gltf), "it must be VEC2"));
  gltf.primitive = R"("attributes": {"POSITION": 0}, "indices": 0)";
  EXPECT_TRUE(contains(refusal(gltf), "must be SCALAR"));
}

TEST(GltfLoader, refuses_bytes_that_are_not_there) {
  const auto with = [](const std::string& from, const std::string& to) {
    const Gltf gltf = triangle();
    std::string json = gltf.json(gltf.data_uri());
    return refusal(json.replace(json.find(from), from.size(), to));
  };
  EXPECT_TRUE(contains(with(R"("count": 3)", R"("count": 4)"),
                       "\"accessors[0]\" has 4 elements, which end at byte 48"));
  EXPECT_TRUE(contains(with(R"("count": 3)", R"("count": 2000000000)"), "which end at byte"));
  EXPECT_TRUE(contains(with(R"("count": 3)", R"("count": 3, "byteOffset": 4294967295)"), "end at"));
  EXPECT_TRUE(contains(with(R"("byteOffset": 0)", R"("byteOffset": 1)"), "takes bytes 1 to 37"));
  EXPECT_TRUE(contains(with(R"({"bufferView": 0, )", "{"), "no triangles"));
  std::string huge = R"({"type": "VEC3", "componentType": 5126, "count": 2147483647})";
  EXPECT_TRUE(contains(
      with(R"({"bufferView": 0, "type": "VEC3", "componentType": 5126, "count": 3})", huge),
      "is far larger than the file"));
  EXPECT_TRUE(contains(with("base64,", "base64,!"), "malformed data URI"));
  const Gltf gltf = triangle();
  EXPECT_TRUE(contains(refusal(gltf.json(R"("uri": "no.bin", )")), "was not found"));
  EXPECT_TRUE(contains(refusal(gltf.json()), "no binary chunk"));
  const std::string glb = testing::glb_of(gltf.json(), gltf.buffer);
  for (std::size_t length = 0; length < glb.size(); ++length) refusal(glb.substr(0, length));
  EXPECT_TRUE(contains(refusal(glb.substr(0, 100)), "byte 12: the file is cut off: it has 100 of"));
  std::string lie = glb;
  lie.replace(12, 4, "\xff\xff\xff\x7f");
  EXPECT_TRUE(contains(refusal(lie), "byte 20: the file is cut off"));
  lie = glb;
  lie[4] = 1;
  EXPECT_TRUE(contains(refusal(lie), "this is glTF 1.0"));
  EXPECT_TRUE(warns(load(glb + "1234567"), "the header states"));
}

TEST(GltfLoader, leaves_out_triangles_whose_indices_leave_the_array) {
  Gltf gltf = triangle();
  gltf.add<u32>({0, 1, 2, 0, 1, 3, 0, 1, 0xffffffffu}, "SCALAR", 5125, 1);
  gltf.primitive = R"("attributes": {"POSITION": 0}, "indices": 1)";
  const SceneData scene = load(gltf);
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "does not have: 2 (first: face 2, meshes[0].primitives[0])"))
      << warnings_of(scene);
}

TEST(GltfLoader, keeps_large_coordinates_precise) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "translation": [4500000.125, 0, 0]})";
  const SceneData scene = load(gltf);
  EXPECT_EQ(scene.origin.x + double{scene.mesh.positions[0].x}, 4500000.125);
}

}  // namespace gltf_loader_test
}  // namespace ballotcast::detail
