// Tests heightfields: every hit is that of a mesh with the same triangles, bit for bit.
#include "helpers/heightfields.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "ballotcast/error.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "helpers/sanitized.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace heightfields_test {

using testing::kReliefs;
using testing::Random;
using testing::Relief;

/// The same instances of heightfields and of meshes with their triangles.
struct Twins {
  Scene fields, meshes;
};

Twins twins(const std::vector<OwnHeightfield>& all, u32 count, u32 seed) {
  std::vector<Scene> fields, meshes;
  for (const OwnHeightfield& field : all) {
    fields.push_back(make_scene(field.view()));
    meshes.push_back(Scene(testing::scene_of(testing::mesh_of(field))));
  }
  Random random(seed);
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i)
    instances.push_back(
        {i % static_cast<u32>(all.size()),
         i == 0 ? Transform{} : testing::random_transform(random, 0.3f, 2.0f, 2.0f)});
  return {make_scene(fields, instances), make_scene(meshes, instances)};
}

std::vector<OwnHeightfield> fields_of_all_kinds(u32 seed) {
  std::vector<OwnHeightfield> all;
  const std::pair<u32, u32> sizes[] = {{2, 2}, {2, 7}, {9, 3}, {17, 33}, {30, 26}, {65, 64}};
  u32 i = seed;
  for (const auto& [columns, rows] : sizes)
    for (const Relief relief : {kReliefs[i % 4], kReliefs[(i + 1) % 4]}) {
      all.push_back(testing::heightfield(columns, rows, relief,
                                         i % 3 == 0 ? Diagonal::falling : Diagonal::rising, i));
      ++i;
    }
  return all;
}

/// A crossing, with the index of its triangle in the mesh or in the grid.
using Met = std::tuple<u32, u32, u32>;  // bits of t, instance, triangle

Met met(const Scene& scene, const Hit& hit) {
  const Location at = scene.locate(hit.triangle);
  const SceneData& data = *scene.data();
  u32 triangle = at.triangle;
  if (!data.shapes.empty()) {
    const HeightGrid& grid = data.height_grids[static_cast<u32>(data.shapes[at.mesh].size[2])];
    triangle = cell_triangle_at(grid, hit.u, hit.v).index(grid);
  }
  return {bits_of(hit.t), at.instance, triangle};
}

std::vector<Met> all_met(const Scene& scene, Span<const Hit> hits) {
  std::vector<Met> all;
  for (const Hit& hit : hits) all.push_back(met(scene, hit));
  std::sort(all.begin(), all.end());
  return all;
}

/// Compares all queries of rays. `sides`: which sides count.
void require_twins(const Twins& scenes, Renderer& fields, Renderer& meshes,
                   const std::vector<Ray>& rays, Sides sides) {
  RayFilter filter;
  filter.sides = sides;
  const std::size_t n = rays.size();
  std::vector<Hit> a(n), b(n);
  fields.closest(rays, a, {}, {}, filter);
  meshes.closest(rays, b, {}, {}, filter);
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(a[i].found(), b[i].found()) << "ray " << i;
    if (!a[i].found()) continue;
    ++found;
    ASSERT_EQ(met(scenes.fields, a[i]), met(scenes.meshes, b[i])) << "ray " << i;
    ASSERT_TRUE(a[i].u >= 0.0f && a[i].u <= 1.0f && a[i].v >= 0.0f && a[i].v <= 1.0f);
  }
  EXPECT_GT(found, n / 8);
  std::vector<Hit> any_a(n), any_b(n);
  fields.any(rays, any_a, {}, {}, filter);
  meshes.any(rays, any_b, {}, {}, filter);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(any_a[i].found(), any_b[i].found()) << i;
  std::vector<std::uint32_t> count_a(n), count_b(n);
  fields.count(rays, count_a, {}, filter);
  meshes.count(rays, count_b, {}, filter);
  ASSERT_EQ(count_a, count_b);
  const AllHits all_a = fields.all(rays, {}, filter), all_b = meshes.all(rays, {}, filter);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(all_met(scenes.fields, all_a.of(i)), all_met(scenes.meshes, all_b.of(i)))
        << "ray " << i;
}

std::vector<Ray> rays_for(const Scene& meshes, u32 count, u32 seed) {
  const Mesh mesh = testing::flattened(meshes);
  std::vector<Ray> rays = testing::rays_at(mesh, count, seed);
  const std::vector<Ray> far = testing::far_rays_at(mesh, count / 2, seed + 1);
  rays.insert(rays.end(), far.begin(), far.end());
  return rays;
}

class HeightfieldsOn : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, HeightfieldsOn, testing::kDevices, testing::name_of_device);

TEST_P(HeightfieldsOn, are_hit_like_meshes_of_their_triangles) {
  const u32 count = testing::kSanitized ? 100 : 1500;
  for (u32 seed = 0; seed < 2; ++seed) {
    const Twins scenes = twins(fields_of_all_kinds(seed), 14, 5 + seed);
    const std::vector<Ray> rays = rays_for(scenes.meshes, count, 70 + seed);
    for (const char* layout : {"bvh2", "grid2"}) {
      SCOPED_TRACE(layout);
      Renderer fields(scenes.fields, {GetParam(), "fast", layout}),
          meshes(scenes.meshes, {GetParam(), "fast", layout});
      for (const Sides sides : {Sides::both, Sides::front, Sides::back})
        require_twins(scenes, fields, meshes, rays, sides);
    }
  }
}

TEST(Heightfields, are_crossed_once_at_edges_and_corners) {
  // Integers are exact in all of the ray's arithmetic, so rays really meet edges and corners.
  for (const Diagonal diagonal : {Diagonal::rising, Diagonal::falling}) {
    Random random(3);
    OwnHeightfield field;
    field.of = {9, 9, {}, {8, 8}, diagonal};
    for (u32 i = 0; i < 81; ++i) field.heights.push_back(static_cast<float>(random.below(3)));
    const Twins scenes = twins({field}, 1, 1);
    std::vector<Ray> rays;
    for (int x = -9; x <= 9; ++x)
      for (int y = -9; y <= 9; ++y) {
        const vec3 at(static_cast<float>(x), static_cast<float>(y), 0.0f);
        rays.push_back({at + vec3(0, 0, 9), 0.0f, {0, 0, -1}, unbounded()});
        rays.push_back({at - vec3(0, 0, 9), 0.0f, {0, 0, 2}, unbounded()});
        for (int k = 0; k < 8; ++k) {
          const vec3 way(static_cast<float>(random.below(3)) - 1.0f,
                         static_cast<float>(random.below(3)) - 1.0f,
                         static_cast<float>(random.below(3)) - 1.0f);
          rays.push_back({at + vec3(0, 0, static_cast<float>(random.below(3))), -unbounded(), way,
                          unbounded()});
        }
      }
    Renderer fields(scenes.fields, {"cpu"}), meshes(scenes.meshes, {"cpu"});
    require_twins(scenes, fields, meshes, rays, Sides::both);
    const Ray down{{0.25f, 0.5f, 9}, 0.0f, {0, 0, -1}, unbounded()};
    std::uint32_t crossings = 0;
    fields.count({&down, 1}, {&crossings, 1});
    EXPECT_EQ(crossings, 1u);
  }
}

TEST(Heightfields, with_more_crossings_than_a_list_holds_give_all_of_them) {
  // A comb: the ray along x crosses a wall of steps in every column.
  OwnHeightfield comb;
  comb.of = {301, 4, {}, {10, 1}, Diagonal::rising};
  for (u32 i = 0; i < 4 * 301; ++i) comb.heights.push_back(i % 301 % 2 == 0 ? -1.0f : 1.0f);
  const Twins scenes = twins({comb}, 1, 1);
  std::vector<Ray> rays;
  for (int i = 0; i < 40; ++i)
    rays.push_back({{-20, -0.9f + 0.04f * static_cast<float>(i), -0.5f},
                    0.0f,
                    {1, 0, 0.03f * static_cast<float>(i % 2)},
                    unbounded()});
  for (const char* device : {"cpu", "emulated"}) {
    Renderer fields(scenes.fields, {device}), meshes(scenes.meshes, {device});
    EXPECT_EQ(fields.all(rays).of(0).size(), 300u);
    require_twins(scenes, fields, meshes, rays, Sides::both);
  }
}

TEST(Heightfields, are_found_again_after_they_have_moved_and_in_worlds) {
  Twins scenes = twins(fields_of_all_kinds(7), 12, 8);
  Random random(9);
  std::vector<Transform> moved;
  for (u32 i = 0; i < 12; ++i) moved.push_back(testing::random_transform(random, 0.5f, 2, 2));
  const std::vector<Ray> rays = rays_for(scenes.meshes, 300, 11);
  for (const char* device : {"cpu", "emulated"}) {
    RendererOptions options;
    options.device = device;
    options.moves = true;
    Renderer fields(scenes.fields, options), meshes(scenes.meshes, options);
    for (Renderer* each : {&fields, &meshes}) {
      each->set_transforms(moved);
      each->follow();
    }
    require_twins(scenes, fields, meshes, rays, Sides::both);
  }
}

TEST(Heightfields, have_points_and_normals_of_their_triangles) {
  const Twins scenes = twins(fields_of_all_kinds(3), 12, 4);
  const std::vector<Ray> rays = testing::rays_at(testing::flattened(scenes.meshes), 2000, 5);
  Renderer fields(scenes.fields, {"cpu"}), meshes(scenes.meshes, {"cpu"});
  std::vector<Hit> a(rays.size()), b(rays.size());
  fields.closest(rays, a);
  meshes.closest(rays, b);
  const SceneView &of_fields = prepared_of(fields).view, &of_meshes = prepared_of(meshes).view;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!a[i].found()) continue;
    const Surface p = surface_at(of_fields, rays[i], a[i]);
    const Surface q = surface_at(of_meshes, rays[i], b[i]);
    ASSERT_LT(largest_magnitude(p.position - q.position), 2e-5f) << i;
    // Seen nearly edge-on, rounding of corners decides on the side.
    if (std::abs(dot(q.geometric_normal, unit_or(rays[i].direction, vec3(1)))) < 1e-4f) continue;
    ASSERT_LT(largest_magnitude(p.normal - q.geometric_normal), 1e-4f) << i;
    ASSERT_EQ(p.front, q.front) << i;
  }
}

TEST(Heightfields, keep_the_triangle_of_a_hit_in_its_u_and_v) {
  Random random(5);
  for (const auto& [columns, rows] : {std::pair<u32, u32>{2, 2}, {65537, 3}, {3, 40000}, {100, 7}})
    for (const bool falling : {false, true}) {
      HeightGrid grid{};
      grid.columns = columns;
      grid.rows = rows;
      grid.falling = falling;
      for (u32 i = 0; i < 20000; ++i) {
        const CellTriangle t{random.below(columns - 1), random.below(rows - 1), random.below(2)};
        float b = i % 5 == 0 ? 0.0f : i % 5 == 1 ? 1.0f : random.unit();
        float c = i % 3 == 0 ? 0.0f : random.unit() * (1.0f - b);
        const vec2 at = place_in_grid(grid, t, b, c);
        const CellTriangle again = cell_triangle_at(grid, at.x, at.y);
        ASSERT_EQ(again.index(grid), t.index(grid));
        ASSERT_TRUE(at.x >= 0.0f && at.x <= 1.0f && at.y >= 0.0f && at.y <= 1.0f);
      }
    }
}

/// The text of the error that making a scene throws, or "".
std::string error_of(const OwnHeightfield& field) {
  try {
    make_scene(field.view());
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Heightfields, that_make_no_sense_are_refused) {
  OwnHeightfield good = testing::heightfield(4, 3, Relief::noise, Diagonal::rising, 1);
  EXPECT_EQ(error_of(good), "");
  const auto changed = [&](auto change) {
    OwnHeightfield bad = good;
    change(bad);
    return error_of(bad);
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(changed([](auto& f) { f.of.columns = f.of.rows = 1, f.heights.resize(1); }),
      "1 columns and 1 rows, but there must be from 2");
  has(changed([](auto& f) { f.of.rows = 1; }), "4 columns and 1 rows");
  has(changed([](auto& f) { f.of.columns = 70000; }), "from 2 to 65537");
  has(changed([](auto& f) { f.of.columns = f.of.rows = 65000; }), "the limit is 2^30");
  has(changed([](auto& f) { f.heights.pop_back(); }), "but 11 heights");
  for (const float bad : {std::nanf(""), unbounded(), -2e6f})
    has(changed([&](auto& f) { f.heights[6] = bad; }), "column 2 of row 1");
  for (const float bad : {0.0f, -1.0f, std::nanf(""), 1e7f})
    has(changed([&](auto& f) { f.of.size[1] = bad; }), "heightfield: size 2");
  EXPECT_THROW(make_scene(Shape{ShapeKind::heightfield, {1, 1, 0}}), UsageError);
  const Scene scene = make_scene(good.view());
  Renderer renderer(scene, {"cpu"});
  const Vec3f point{0, 0, 0};
  double number = 0;
  EXPECT_THROW(renderer.winding_numbers({&point, 1}, {&number, 1}), UsageError);
}

}  // namespace heightfields_test
}  // namespace ballotcast::detail
