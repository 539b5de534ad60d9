// Tests that the device cpu finds the same hits through its wide trees as through the tree of the
// layout, which it uses when leaf visits are counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "backends/cpu/wide_trace.hpp"
#include "backends/device/backend.hpp"
#include "backends/host/host_scene.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/sanitized.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast::detail {
namespace wide_test {

/// Compares all crossings of rays with the crossings that the emulated device finds in the tree of
/// the layout.
void compare_crossings(const PreparedScene& scene, ResidentScene& cpu, const std::vector<Ray>& rays,
                       const RayWorlds& worlds) {
  const auto emulated = backend_called("emulated").upload(scene);
  std::vector<u32> counts(rays.size()), expected_counts(rays.size());
  const auto count = [&](ResidentScene& machine, std::vector<u32>& out) {
    machine.answer(query<CrossingCounts>(rays.data(), rays.size(), worlds, out.data()));
  };
  count(cpu, counts);
  count(*emulated, expected_counts);
  ASSERT_EQ(counts, expected_counts);
  std::vector<u64> starts = {0};
  for (const u32 n : counts) starts.push_back(starts.back() + n);
  std::vector<Hit> hits(starts.back()), expected(starts.back());
  const auto store = [&](ResidentScene& machine, std::vector<Hit>& out) {
    Query asked = query<Crossings>(rays.data(), rays.size(), worlds, out.data());
    asked.starts = starts.data();
    machine.answer(asked);
  };
  store(cpu, hits);
  store(*emulated, expected);
  ASSERT_EQ(testing::first_difference(hits, expected), hits.size());
}

/// Casts rays without counting visits, until the wide trees are built, and compares the hits with
/// those of a cast that counts visits.
void compare(const PreparedScene& scene, const std::vector<Ray>& rays,
             const RayWorlds& worlds = {}) {
  const auto cpu = backend_called("cpu").upload(scene);
  for (const RayKind kind : {RayKind::closest, RayKind::any}) {
    std::vector<Hit> expected(rays.size()), hits(rays.size());
    std::vector<u32> visits(rays.size());
    cpu->cast(kind, rays.data(), expected.data(), visits.data(), rays.size(), {}, worlds);
    for (u32 turn = 0; turn < 3; ++turn) {
      cpu->cast(kind, rays.data(), hits.data(), nullptr, rays.size(), {}, worlds);
      ASSERT_EQ(testing::first_difference(hits, expected), hits.size());
    }
  }
  compare_crossings(scene, *cpu, rays, worlds);
  WideScene wide(scene);
  EXPECT_TRUE(wide.is_worth_it(3 * rays.size())) << "so few rays never met a wide tree";
}

TEST(Wide, casts_find_the_hits_of_the_layouts_tree) {
  const u32 count = testing::kSanitized ? 3000 : 10000;
  for (const LayoutInfo& layout : layouts())
    for (const BuilderInfo& builder : builders()) {
      SCOPED_TRACE(std::string(layout.name) + ", " + std::string(builder.name));
      const Mesh mesh = testing::soup(3000, 21);
      const auto scene = prepare(testing::scene_of(mesh), builder.name, layout.name);
      compare(*scene, testing::rays_at(mesh, count, 22));
      compare(*scene, testing::far_rays_at(mesh, count / 4, 23));
    }
}

TEST(Wide, groups_of_rays_from_one_point_find_them_too) {
  const Mesh mesh = testing::soup(testing::kSanitized ? 500 : 3000, 21);
  for (const BuilderInfo& builder : builders()) {
    const auto scene = prepare(testing::scene_of(mesh), builder.name);
    for (const testing::GroupCase& with : testing::kGroupCases) {
      SCOPED_TRACE(std::string(builder.name) + ", " + with.what);
      compare(*scene, testing::rays_of(with, mesh, testing::kSanitized ? 1500 : 3000));
    }
  }
}

TEST(Wide, groups_give_up_or_decline_without_a_change) {
  const testing::GroupCase cases[] = {
      // A group of rays meets so many triangles that it gives up; the next rays then walk alone.
      {"small triangles", {0.5f, 0.5f, -30.0f}, {0.0f, 0.0f, 1.0f}, 0.03f, 0.0f, unbounded()},
      {"small ones, up to a distance",
       {0.5f, 0.5f, -30.0f},
       {0.0f, 0.0f, 1.0f},
       0.03f,
       0.0f,
       30.2f},
      {"from far away", {0.5f, 0.5f, -3e5f}, {0.0f, 0.0f, 1.0f}, 1e-6f, 0.0f, unbounded()},
      {"too wide for 64, not for 16",
       {0.5f, 0.5f, -9.0f},
       {0.0f, 0.0f, 1.0f},
       0.11f,
       0.0f,
       unbounded()},
  };
  const Mesh mesh = testing::soup(3000, 21);
  const auto scene = prepare(testing::scene_of(mesh));
  for (const testing::GroupCase& with : cases) {
    SCOPED_TRACE(with.what);
    std::vector<Ray> rays = testing::rays_of(with, mesh, 6000);
    // Some rays make it impossible to cast their group as one.
    for (std::size_t i = 640; i < 1280; i += 64) rays[i + i / 64u] = idle_ray();
    for (std::size_t i = 1280; i < 1920; i += 64) rays[i + 17].t_min = 0.5f;
    for (std::size_t i = 1920; i < 2560; i += 64) rays[i + 40].origin.y += 0.25f;
    for (std::size_t i = 2560; i < 3200; i += 64) rays[i + 9].direction = {1.0f, 0.0f, 0.0f};
    for (std::size_t i = 3200; i < 3840; i += 64) rays[i + 63].t_max = 31.0f;
    compare(*scene, rays);
  }
}

TEST(Wide, groups_pass_where_surfaces_are_cut_out) {
  const SceneData textured = testing::textured_scene();
  const auto scene = prepare(std::make_shared<SceneData>(textured));
  ASSERT_TRUE(scene->view.has_cutouts);
  const Aabb box = textured.mesh.bounds();
  std::vector<Ray> rays;
  for (u32 i = 0; i < 6400u; ++i) {
    const vec3 origin = box.center() + box.extent() * vec3(0.3f, 0.4f, 2.0f);
    const auto random = [&](u32 salt, u32 of) { return unit_float(hash_pair(salt, of)) - 0.5f; };
    const vec3 at =
        box.center() + box.extent() * vec3(random(1, i / 64u), random(2, i / 64u), 0.0f);
    const vec3 beside =
        largest_magnitude(box.extent()) * 0.05f * vec3(random(3, i), random(4, i), 0.0f);
    rays.push_back({origin, 0.0f, at + beside - origin, unbounded()});
  }
  compare(*scene, rays);
}

/// Compares hits of rays that take turns, as they do in large scenes; here in a small scene.
void compare_turns(const PreparedScene& scene, std::vector<Ray> rays) {
  rays.resize(rays.size() / kWidth * kWidth);
  const auto count = static_cast<u32>(rays.size());
  const auto cpu = backend_called("cpu").upload(scene);
  WideScene wide(scene);
  ASSERT_TRUE(wide.is_worth_it(u64{1} << 40));
  for (const RayKind kind : {RayKind::closest, RayKind::any}) {
    std::vector<Hit> expected(count), hits(count);
    std::vector<u32> visits(count);
    cpu->cast(kind, rays.data(), expected.data(), visits.data(), count, {});
    with_host_view(scene, {}, [&](const auto& view) {
      if (kind == RayKind::any)
        trace_in_turns<RayKind::any>(view, wide, 0, count, rays.data(), hits.data());
      else
        trace_in_turns<RayKind::closest>(view, wide, 0, count, rays.data(), hits.data());
    });
    ASSERT_EQ(testing::first_difference(hits, expected), hits.size());
  }
}

TEST(Wide, rays_that_take_turns_find_the_same) {
  const Mesh mesh = testing::soup(3000, 21);
  const auto scene = prepare(testing::scene_of(mesh));
  std::vector<Ray> rays = testing::rays_at(mesh, 8000, 22);
  for (const Ray& far : testing::far_rays_at(mesh, 800, 23)) rays.push_back(far);
  for (std::size_t i = 0; i < rays.size(); i += 13) rays[i] = idle_ray();
  compare_turns(*scene, rays);
  for (const u32 few : {8u, 16u, 24u}) compare_turns(*scene, {rays.begin(), rays.begin() + few});
  compare_turns(*scene, std::vector<Ray>(64, idle_ray()));

  const SceneData textured = testing::textured_scene();
  const auto with_holes = prepare(std::make_shared<SceneData>(textured));
  compare_turns(*with_holes, testing::rays_at(textured.mesh, 4000, 24));
  // A tree with a single leaf.
  const Mesh few = testing::soup(5, 3);
  compare_turns(*prepare(testing::scene_of(few)), testing::rays_at(few, 800, 4));
}

TEST(Wide, surfaces_that_are_cut_out_are_not_hit) {
  const SceneData textured = testing::textured_scene();
  const auto scene = prepare(std::make_shared<SceneData>(textured));
  ASSERT_TRUE(scene->view.has_cutouts);
  compare(*scene, testing::rays_at(textured.mesh, 5000, 24));
}

TEST(Wide, instances_are_hit_in_every_world) {
  const Scene instances = testing::random_instances(40, 25);
  const auto scene = prepare(instances.data());
  compare(*scene, testing::rays_at(testing::flattened(instances), 5000, 26));
}

TEST(Wide, cut_out_instances) {
  const Scene drawn = testing::drawn_scene();
  const auto scene = prepare(drawn.data());
  compare(*scene, testing::rays_at(testing::flattened(drawn), 20000, 27));
}

TEST(Wide, a_triangle_lies_in_one_leaf_or_more_and_in_a_leaf_once) {
  const Mesh mesh = testing::soup(3000, 28);
  for (const BuilderInfo& builder : builders()) {
    SCOPED_TRACE(builder.name);
    const auto scene = prepare(testing::scene_of(mesh), builder.name);
    WideScene wide(*scene);
    ASSERT_TRUE(wide.is_worth_it(mesh.triangles.size()));
    const WideTree& tree = wide.tree();
    std::vector<u32> leaves_of(mesh.triangles.size());
    for (const WideNode& node : tree.nodes)
      for (const u32 child : node.child) {
        if (!is_leaf(child)) continue;
        std::vector<u32> ids;
        for (const u32 id : tree.blocks[block_of(child)].id)
          if (id != kNoTriangle) ids.push_back(id);
        for (const u32 id : ids) EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1);
        for (const u32 id : ids) ++leaves_of[id];
      }
    for (u32 id = 0; id < mesh.triangles.size(); ++id) {
      // Copies of triangles are left out of the tree.
      if (leaves_of[id] == 0u && !scene->copies.starts.empty()) continue;
      ASSERT_GE(leaves_of[id], 1u) << id;
      ASSERT_TRUE(builder.cuts || leaves_of[id] == 1u) << id;
    }
  }
}

TEST(Wide, trees_are_made_anew_if_making_them_was_stopped) {
  const auto scene = prepare(testing::random_instances(9, 31).data());
  WideScene wide(*scene);
  constexpr u64 kEnough = 1u << 20;
  const auto make_late = [&] {
    std::this_thread::sleep_for(2 * StopToken::kPause);
    wide.is_worth_it(kEnough);
  };
  EXPECT_THROW(stoppable([] { return true; }, make_late), Stopped);
  ASSERT_TRUE(wide.is_worth_it(kEnough));
  for (std::size_t mesh = 0; mesh < scene->levels.meshes.size(); ++mesh)
    EXPECT_TRUE(is_somewhere(wide.tree_of_mesh(mesh).root)) << mesh;
}

TEST(Wide, a_tree_follows_vertices_that_move) {
  const Mesh mesh = testing::soup(2000, 29);
  RendererOptions options;
  options.device = "cpu";
  options.moves = true;
  const Scene scene(testing::scene_of(mesh));
  Renderer moving(scene, options);
  const std::vector<Ray> rays = testing::rays_at(mesh, 6000, 30);
  std::vector<Hit> hits(rays.size()), expected(rays.size());
  std::vector<Vec3f> vertices(mesh.positions.begin(), mesh.positions.end());
  for (const float shift : {0.0f, 0.25f, -0.5f}) {
    for (Vec3f& v : vertices) v.y += shift;
    moving.set_vertices(vertices);
    moving.follow();
    moving.closest(rays, hits);
    RendererOptions still;
    still.device = "emulated";
    Renderer(testing::with_vertices(scene, vertices), still).closest(rays, expected);
    ASSERT_EQ(testing::first_difference(hits, expected), hits.size());
  }
}

}  // namespace wide_test
}  // namespace ballotcast::detail
