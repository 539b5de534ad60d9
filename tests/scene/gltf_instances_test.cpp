// Tests glTF files whose nodes become instances: results are the same as with copied meshes.
#include <gtest/gtest.h>

#include <cmath>

#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_instances_test {

using testing::copying;
using testing::Gltf;
using testing::load;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

/// A file that is loaded with instances and with copied meshes.
struct Both {
  SceneData placed, copied;

  explicit Both(const Gltf& gltf) : placed(load(gltf, copying(0))), copied(load(gltf)) {
    EXPECT_FALSE(placed.instances.empty());
    EXPECT_TRUE(copied.instances.empty());
    EXPECT_EQ(placed.triangle_count(), copied.triangle_count());
  }
};

Renderer renderer_of(const SceneData& scene) {
  return Renderer(Scene(std::make_shared<const SceneData>(scene)), {"cpu"});
}

/// Rounds coordinates to few bits, so that kExact transforms are exact for them.
std::vector<float> coarse(const Array<vec3>& positions) {
  std::vector<float> numbers;
  for (const vec3& p : positions)
    for (const float c : {p.x, p.y, p.z}) numbers.push_back(std::floor(c * 64.0f) / 64.0f);
  return numbers;
}

u32 add_indices(Gltf& gltf, const Mesh& mesh) {
  std::vector<u32> indices;
  for (const uvec3& t : mesh.triangles) indices.insert(indices.end(), {t.x, t.y, t.z});
  return gltf.add<u32>(indices, "SCALAR", 5125, 1);
}

/// A file with two meshes: a ball with a texture on a lamp, and a coloured ring without a material.
Gltf town(const std::string& nodes, const std::string& roots) {
  Gltf gltf;
  const Mesh ball = testing::sphere(5), ring = testing::torus(5);
  gltf.add_floats(coarse(ball.positions), 3);
  add_indices(gltf, ball);
  gltf.add_floats(coarse(ball.positions), 3);
  std::vector<float> uv, colors;
  for (const vec3& p : ball.positions) uv.insert(uv.end(), {p.x, p.y});
  gltf.add_floats(uv, 2);
  gltf.add_floats(coarse(ring.positions), 3);
  add_indices(gltf, ring);
  for (const vec3& p : ring.positions) colors.insert(colors.end(), {std::abs(p.x), 0.5f, 0.25f});
  gltf.add_floats(colors, 3);
  gltf.primitive =
      R"("attributes": {"POSITION": 0, "NORMAL": 2, "TEXCOORD_0": 3}, "indices": 1, "material": 0},
        {"attributes": {"POSITION": 4}, "indices": 5, "material": 1}]}, {"primitives": [
        {"attributes": {"POSITION": 4, "COLOR_0": 6}, "indices": 5)";
  const std::vector<u8> png =
      encode_png({2, 2, {{200, 100, 50}, {10, 20, 30}, {90, 90, 0}, {0, 250, 3}}});
  gltf.more = R"(, "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0,
      "extensions": {"KHR_texture_transform": {"scale": [2, 3], "offset": [0.5, 0]}}}}},
      {"emissiveFactor": [1, 0.5, 0]}], "textures": [{"source": 0}],
    "images": [{"uri": "data:image/png;base64,)" +
              testing::base64({png.begin(), png.end()}) + R"("}])";
  gltf.nodes = nodes;
  gltf.roots = roots;
  return gltf;
}

/// Nodes with exact transforms: translations by powers of two, and rotations that exchange the
/// axes.
const char* const kExact = R"({"mesh": 0, "translation": [4, 0, 0]},
    {"mesh": 1, "matrix": [0,1,0,0, 0,0,1,0, 1,0,0,0, -4,2,0,1]}, {"children": [3, 4]},
    {"mesh": 0, "matrix": [0,0,1,0, 1,0,0,0, 0,1,0,0, 0,-8,0,1]},
    {"mesh": 0, "translation": [0, 0, 8]})";

/// Nodes with transforms that round: rotated, stretched and mirrored.
const char* const kRounded = R"({"mesh": 0, "rotation": [0.1, 0.7, 0.3, 0.64], "scale": [1, 2, 0.7],
    "translation": [5.1, 0.3, 0]}, {"mesh": 1, "rotation": [0.5, -0.1, 0.4, 0.76]},
    {"mesh": 0, "scale": [-1.1, 1, 1], "translation": [-5, 0.1, 0.2]}, {"mesh": 0})";

/// The hit with u and v for the order of corners in the file, because copies of mirrored triangles
/// reverse the order of corners.
Hit as_in_file(Hit hit, const PreparedScene& placed) {
  const TrianglePlace at = place_of(placed.view, hit.triangle);
  if (hit.found() && mirrors(placed.view.instances.list[at.instance].to_scene))
    std::swap(hit.u, hit.v);
  return hit;
}

TEST(GltfInstances, number_triangles_as_copies_do) {
  const Both both(town(kExact, "0, 1, 2"));
  const SceneData &placed = both.placed, &copied = both.copied;
  ASSERT_EQ(placed.parts.size(), 2u);
  ASSERT_EQ(placed.instances.size(), 4u);
  EXPECT_EQ(placed.mesh.triangles.size(), placed.parts[0].count + placed.parts[1].count);
  EXPECT_EQ(placed.instances[1].mesh, 1u);
  EXPECT_EQ(placed.material_names, copied.material_names);
  EXPECT_EQ(placed.textures.size(), 1u);
  EXPECT_TRUE(placed.warnings.empty()) << warnings_of(placed);
  EXPECT_TRUE(placed.has_emitters());
  const Renderer of_placed = renderer_of(placed), of_copied = renderer_of(copied);
  const PreparedScene &a = prepared_of(of_placed), &b = prepared_of(of_copied);
  EXPECT_EQ(a.lights.emitters.size(), b.lights.emitters.size());
  for (u32 id = 0; id < copied.triangle_count(); ++id) {
    const TrianglePlace at = place_of(a.view, id), other = place_of(b.view, id);
    const Corners corners = corners_of(a.view, at, 0.0f, 0.0f),
                  expected = corners_of(b.view, other, 0.0f, 0.0f);
    ASSERT_EQ(corners.a, expected.a) << id;
    ASSERT_EQ(corners.b, expected.b) << id;
    ASSERT_EQ(corners.c, expected.c) << id;
    ASSERT_EQ(placed.mesh.material_of[at.triangle], copied.mesh.material_of[id]) << id;
    ASSERT_EQ(texcoord_at(a.view, at, 0.25f, 0.5f), texcoord_at(b.view, other, 0.25f, 0.5f));
    ASSERT_EQ(vertex_color_at(a.view, at, 0.25f, 0.5f),
              vertex_color_at(b.view, other, 0.25f, 0.5f));
  }
}

TEST(GltfInstances, are_hit_with_the_bits_of_copies_where_transforms_are_exact) {
  const Both both(town(kExact, "0, 1, 2"));
  std::vector<Ray> rays = testing::rays_at(both.copied.mesh, 4000, 5);
  for (Ray& ray : rays) ray.origin = vec3(glm::floor(vec3(ray.origin) * 256.0f) / 256.0f + 0.0f);
  std::vector<Hit> hits(rays.size()), expected(rays.size());
  renderer_of(both.placed).closest(rays, hits);
  renderer_of(both.copied).closest(rays, expected);
  u32 found = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_TRUE(same_bits(hits[i], expected[i])) << i;
    found += hits[i].found() ? 1 : 0;
  }
  EXPECT_GT(found, 1000u);
}

TEST(GltfInstances, look_like_copies_where_transforms_round_or_mirror) {
  const Both both(town(kRounded, "0, 1, 2, 3"));
  const std::vector<Ray> rays = testing::rays_at(both.copied.mesh, 4000, 5);
  std::vector<Hit> hits(rays.size()), expected(rays.size());
  Renderer placed = renderer_of(both.placed), copied = renderer_of(both.copied);
  placed.closest(rays, hits);
  copied.closest(rays, expected);
  const PreparedScene &a = prepared_of(placed), &b = prepared_of(copied);
  u32 same = 0, others = 0, mirrored = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    // At an edge, a ray may hit the neighbouring triangle.
    if (hits[i].triangle != expected[i].triangle) ++others;
    if (hits[i].triangle != expected[i].triangle || !hits[i].found()) continue;
    ++same;
    const Hit hit = as_in_file(hits[i], a);
    mirrored += hit.u != hits[i].u ? 1 : 0;
    const Surface s = surface_at(a.view, rays[i], hits[i]);
    const Surface t = surface_at(b.view, rays[i], expected[i]);
    EXPECT_LT(largest_magnitude(s.position - t.position), 1e-4f) << i;
    EXPECT_EQ(s.front, t.front) << i;
    EXPECT_GT(dot(s.geometric_normal, t.geometric_normal), 0.999f) << i;
    // Copies have normals of length 1 at the corners, before they are interpolated.
    EXPECT_GT(dot(s.normal, t.normal), 0.97f) << i;
    const TrianglePlace at = place_of(a.view, hit.triangle), other = place_of(b.view, hit.triangle);
    const vec3 color = color_at(a.view, at, hits[i].u, hits[i].v);
    const vec3 same_color = color_at(b.view, other, expected[i].u, expected[i].v);
    EXPECT_LT(largest_magnitude(color - same_color), 0.01f) << i;
  }
  EXPECT_GT(same, 1000u);
  EXPECT_GT(mirrored, 100u);
  EXPECT_LT(others, rays.size() / 10);
}

TEST(GltfInstances, leave_out_triangles_that_can_not_be_drawn_once) {
  Gltf gltf;
  gltf.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0}, 3);
  // Two of the four triangles have no area.
  gltf.add<u8>({0, 0, 1, 0, 1, 2, 0, 1, 3, 1, 3, 2}, "SCALAR", 5121, 1);
  gltf.add<u8>({0, 1, 3}, "SCALAR", 5121, 1);
  gltf.add<u8>({3, 2, 0}, "SCALAR", 5121, 1);
  const std::string shared = R"("attributes": {"POSITION": 0}, "indices": )";
  const std::string next = "}]}, {\"primitives\": [{";
  gltf.primitive = shared + "1" + next + shared + "2" + next + shared + "3";
  gltf.nodes = R"({"mesh": 0}, {"mesh": 1}, {"mesh": 2, "translation": [0, 0, 1]},
      {"mesh": 0, "translation": [0, 0, 2]}, {"mesh": 0, "translation": [0, 0, 4]})";
  gltf.roots = "0, 1, 2, 3, 4";
  const Both both(gltf);
  ASSERT_EQ(both.placed.parts.size(), 3u);
  EXPECT_EQ(both.placed.parts[0].count, 2u);
  EXPECT_EQ(both.placed.parts[1].count, 0u);
  EXPECT_EQ(both.placed.parts[1].vertices, 0u);
  EXPECT_EQ(both.placed.parts[2].first, 2u);
  EXPECT_EQ(both.placed.parts[2].first_vertex, 4u);
  EXPECT_EQ(both.placed.parts[2].vertices, 3u);
  EXPECT_EQ(both.placed.instances[3].first_id, 3u);
  ASSERT_EQ(both.placed.warnings.size(), 1u) << warnings_of(both.placed);
  EXPECT_TRUE(warns(both.placed, "they have no area: 3 (first: face 1, meshes[0].primitives[0])"))
      << warnings_of(both.placed);
}

TEST(GltfInstances, tell_warnings_once_and_keep_the_view_of_the_file) {
  Gltf gltf = triangle();
  gltf.add_floats({2, 0, 0, 0, 0, 0, 0, 0, 0}, 3);
  gltf.primitive = R"("attributes": {"POSITION": 0, "COLOR_0": 1}}, {"mode": 1)";
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "camera": 0, "translation": [0, 0, 1]},
      {"extensions": {"KHR_lights_punctual": {"light": 0}}})";
  gltf.roots = "0, 1, 2";
  gltf.more = R"(, "cameras": [{"type": "perspective", "perspective": {"yfov": 1}}],
      "extensions": {"KHR_lights_punctual": {"lights": [{"type": "directional"}]}})";
  const SceneData scene = load(gltf, copying(0));
  EXPECT_EQ(scene.instances.size(), 2u);
  EXPECT_TRUE(warns(scene, "colours of vertices"));
  EXPECT_TRUE(warns(scene, "lines and points left out: 1"));
  EXPECT_EQ(scene.warnings.size(), 2u) << warnings_of(scene);
  ASSERT_TRUE(scene.camera.has_value());
  EXPECT_EQ(scene.camera->eye, Vec3d(0.0, 0.0, 1.0));
  EXPECT_TRUE(scene.sun.direction.has_value());
}

TEST(GltfInstances, keep_the_precision_of_large_coordinates) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "translation": [4500000.125, 0, 0]},
      {"mesh": 0, "translation": [4500001.25, 0, 0]})";
  gltf.roots = "0, 1";
  const Both nodes(gltf);
  EXPECT_EQ(nodes.placed.origin, nodes.copied.origin);
  EXPECT_EQ(nodes.placed.origin.x + double{nodes.placed.instances[0].to_scene.rows[0][3]},
            4500000.125);
  // The mesh lies far away, and a node moves it back to the origin.
  gltf = {};
  gltf.add_floats({4500000, 0, 0, 4500001, 0, 0, 4500000, 0.125f, 0}, 3);
  gltf.nodes = R"({"mesh": 0, "translation": [-4500000, 0, 0]},
      {"mesh": 0, "matrix": [0,1,0,0, -1,0,0,0, 0,0,1,0, 0,-4500000,0,1]})";
  gltf.roots = "0, 1";
  const Both mesh(gltf);
  EXPECT_NE(mesh.placed.parts[0].origin.x, 0.0);
  EXPECT_EQ(mesh.placed.bounds().low, mesh.copied.bounds().low);
  EXPECT_EQ(mesh.placed.bounds().high, mesh.copied.bounds().high);
}

}  // namespace gltf_instances_test
}  // namespace ballotcast::detail
