// Tests that copies of triangles are found and left out of trees, but never missing from results.
#include "bvh/copies.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bvh/tree_checks.hpp"
#include "helpers/brute_force.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "render/explain.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace copies_test {

bool always(u32) { return true; }

/// The ids of the copies of `first`.
std::vector<u32> copies_of(const Copies& copies, u32 first) {
  return {copies.ids.begin() + copies.starts[first], copies.ids.begin() + copies.starts[first + 1]};
}

TEST(Copies, have_the_same_corners_in_the_same_order) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0},
                    {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {std::nextafter(1.0f, 2.0f), 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 6}, {1, 2, 0},  // corners rotated
                    {2, 1, 0},                        // seen from behind
                    {3, 4, 5},                        // other vertices at the same positions
                    {0, 7, 2}, {0, 1, 2}, {0, 1, 6}};
  const Copies copies = find_copies(mesh, always);
  ASSERT_EQ(copies.starts.size(), mesh.triangles.size() + 1);
  EXPECT_EQ(copies_of(copies, 0), (std::vector<u32>{4, 6}));
  EXPECT_EQ(copies_of(copies, 1), (std::vector<u32>{7}));
  for (const u32 id : {2u, 3u, 4u, 5u, 6u, 7u}) EXPECT_TRUE(copies_of(copies, id).empty()) << id;
  EXPECT_EQ(marked(copies, mesh.triangles.size()),
            (std::vector<bool>{false, false, false, false, true, false, true, true}));
  const Copies fewer = find_copies(mesh, [](u32 id) { return id != 0; });
  EXPECT_EQ(copies_of(fewer, 4), (std::vector<u32>{6}));
}

TEST(Copies, are_none_where_no_triangle_repeats_another) {
  for (const Mesh& mesh : {Mesh{}, testing::sphere(30), testing::torus(20)}) {
    const Copies copies = find_copies(mesh, always);
    EXPECT_TRUE(copies.starts.empty() && copies.ids.empty());
    EXPECT_EQ(copies.view().starts, nullptr);
    EXPECT_TRUE(marked(copies, mesh.triangles.size()).empty());
  }
}

TEST(Copies, are_in_no_tree) {
  const Mesh once = testing::soup(700, 3), mesh = testing::repeated(once, 9);
  const Copies copies = find_copies(mesh, always);
  const std::size_t others = once.triangles.size() - find_copies(once, always).ids.size();
  EXPECT_EQ(copies.ids.size(), mesh.triangles.size() - others);
  for (const BuilderInfo& row : builders()) {
    const BinaryTree tree = Builder{&row, row.rounds}.build(mesh, copies);
    EXPECT_EQ(defect_of(tree, mesh, copies), "") << row.name;
    EXPECT_NE(defect_of(tree, mesh), "") << row.name << ": its copies should be missing";
    EXPECT_NE(defect_of(Builder{&row, row.rounds}.build(mesh), mesh, copies), "") << row.name;
  }
}

TEST(Copies, change_no_hit) {
  const auto scene = testing::scene_of(testing::repeated(testing::soup(200, 6), 12));
  const std::vector<Ray> rays = testing::rays_at(scene->mesh, 1000, 4);
  std::vector<Hit> expected;
  for (const char* device : {"cpu", "emulated"})
    for (const std::string& layout : testing::layout_names()) {
      Renderer renderer(scene, {device, "balanced", layout});
      std::vector<Hit> closest(rays.size()), any(rays.size());
      renderer.closest(rays, closest);
      renderer.any(rays, any);
      if (expected.empty())
        for (const Ray& ray : rays)
          expected.push_back(testing::brute_force(prepared_of(renderer), ray));
      ASSERT_EQ(testing::first_difference(closest, expected), rays.size()) << device << layout;
      for (std::size_t i = 0; i < rays.size(); ++i)
        ASSERT_EQ(any[i].found(), expected[i].found()) << "ray " << i;
    }
}

TEST(Copies, of_what_may_be_cut_out_are_tested_each) {
  SceneData scene = testing::textured_scene();
  Material solid;
  scene.materials.push_back(solid);
  scene.material_names.push_back("solid");
  Mesh& mesh = scene.mesh;
  const auto once = static_cast<u32>(mesh.triangles.size());
  mesh = testing::repeated(std::move(mesh), 4);
  const auto repeat = [](auto& corners) {
    const auto one = corners;
    for (u32 i = 1; i < 4; ++i) corners.insert(corners.end(), one.begin(), one.end());
  };
  repeat(mesh.corner_normals);
  repeat(mesh.corner_texcoords);
  // The scene contains the mesh four times at the same place: twice with holes, then twice without.
  for (u32 i = 0; i < 4 * once; ++i) mesh.material_of.push_back(i < 2 * once ? 0 : 1);
  Renderer renderer(std::make_shared<const SceneData>(std::move(scene)), {"cpu"});
  EXPECT_EQ(prepared_of(renderer).copies.ids.size(), once);
  const std::vector<Ray> rays = testing::rays_at(scene_of(renderer).mesh, 4000, 4);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  const AllHits all = renderer.all(rays);
  u32 through_holes = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!hits[i].found()) continue;
    const u32 layer = hits[i].triangle / once;
    ASSERT_TRUE(layer == 0 || layer == 2) << "the first of two that are alike";
    through_holes += layer == 2 ? 1 : 0;
    const auto crossings = all.of(i);
    const auto solids = std::count_if(crossings.begin(), crossings.end(),
                                      [&](const Hit& hit) { return hit.triangle >= 2 * once; });
    ASSERT_EQ(solids % 2, 0) << "both of two that are alike";
  }
  EXPECT_GT(through_holes, 100u);
}

TEST(Copies, in_a_pile_cost_a_ray_one_test) {
  const auto scene = testing::scene_of(testing::repeated(testing::soup(3, 8), 100000));
  Renderer renderer(scene, {"cpu"});
  const uvec3 corners = scene->mesh.triangles[1];
  const auto& p = scene->mesh.positions;
  const vec3 middle = (p[corners.x] + p[corners.y] + p[corners.z]) / 3.0f;
  const Ray ray{middle - vec3(0, 0, 5), 0.0f, vec3(0, 0, 1), unbounded()};
  const Explanation e = explain(prepared_of(renderer), ray, RayKind::closest);
  ASSERT_TRUE(e.hit.found());
  EXPECT_LT(e.hit.triangle, 3u);
  EXPECT_LE(e.triangles(), 10u);
  // Renderer::all() finds every copy, in the order of ids.
  const AllHits all = renderer.all({&ray, 1});
  const auto hits = all.of(0);
  ASSERT_EQ(hits.size() % 100000, 0u);
  for (u32 i = 0; i < 100000; ++i) ASSERT_EQ(hits[i].triangle, e.hit.triangle + 3 * i);
}

}  // namespace copies_test
}  // namespace ballotcast::detail
