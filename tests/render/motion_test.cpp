// Tests scenes whose vertices move: every result equals that of a scene that has these vertices
// from the start.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ballotcast/frame.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace motion_test {

using testing::with_vertices;

/// The vertices of a scene, rotated about the y axis by an angle that grows with the height.
std::vector<Vec3f> swirled(const Scene& scene, float turns) {
  std::vector<Vec3f> vertices = scene.vertices();
  for (Vec3f& p : vertices) {
    const float angle = turns * p.y, s = std::sin(angle), c = std::cos(angle);
    p = {c * p.x + s * p.z, p.y + 0.1f * std::sin(5.0f * p.x), c * p.z - s * p.x};
  }
  return vertices;
}

struct Answers {
  std::string picture, hits, crossings;
  bool operator==(const Answers&) const = default;
};

Answers answers(Renderer& renderer, const Mesh& mesh) {
  RenderSettings settings;
  settings.width = 20;
  settings.height = 15;
  settings.samples = 2;
  settings.shading = "lit";
  const std::vector<Ray> rays = testing::rays_at(mesh, 700, 4);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  return {hash_of(renderer.render(settings).image), hash_of(hits),
          hash_of(renderer.all(rays).hits)};
}

std::string tree_of(const Renderer& renderer) { return hash_of(prepared_of(renderer).encoded); }

class MotionOn : public ::testing::TestWithParam<const char*> {};

TEST_P(MotionOn, gives_the_results_of_a_scene_that_stands_still) {
  const Scene scene(std::make_shared<const SceneData>(builtin_scene_data()));
  struct Pose {
    std::vector<Vec3f> vertices;
    Follow mode;
    Mesh mesh;
    Answers expected;  // the same for all trees and layouts
  };
  std::vector<Pose> poses;
  for (const auto& [turns, mode] :
       {std::pair(0.3f, Follow::refit), std::pair(1.0f, Follow::automatic),
        std::pair(-2.0f, Follow::rebuild), std::pair(0.0f, Follow::refit)}) {
    const std::vector<Vec3f> vertices = swirled(scene, turns);
    const Scene still = with_vertices(scene, vertices);
    Renderer fresh(still, {GetParam(), "sbvh"});
    const Mesh& mesh = still.data()->mesh;
    poses.push_back({vertices, mode, mesh, answers(fresh, mesh)});
  }
  for (const char* builder : {"ploc", "balanced", "binned-sah"})
    for (const std::string& layout : testing::layout_names()) {
      RendererOptions options{GetParam(), builder, layout};
      options.moves = true;
      Renderer moving(scene, options);
      for (const Pose& pose : poses) {
        SCOPED_TRACE(std::string(builder) + " " + layout + " " +
                     std::to_string(&pose - poses.data()));
        moving.set_vertices(pose.vertices);
        moving.follow(pose.mode);
        EXPECT_EQ(answers(moving, pose.mesh), pose.expected);
      }
    }
}

TEST_P(MotionOn, of_instances_gives_the_results_of_instances_that_stand_still) {
  const Scene scene = testing::random_instances(20, 1);
  for (const std::string& layout : testing::layout_names()) {
    RendererOptions options{GetParam(), "balanced", layout};
    options.moves = true;
    Renderer moving(scene, options);
    for (u32 frame = 1; frame < 5; ++frame) {
      const Scene other = testing::random_instances(20, frame);
      std::vector<Transform> transforms;
      for (const SceneInstance& instance : other.data()->instances)
        transforms.push_back(instance.to_scene);
      moving.set_transforms(transforms);
      moving.follow();
      options.moves = false;
      Renderer fresh(other, options);
      const Mesh target = testing::flattened(other);
      EXPECT_EQ(answers(moving, target), answers(fresh, target)) << layout << frame;
      EXPECT_EQ(hash_of_trees(prepared_of(moving)), hash_of_trees(prepared_of(fresh)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MotionOn, testing::kDevices, testing::name_of_device);

TEST(Motion, without_any_gives_the_same_tree) {
  const Scene scene(std::make_shared<const SceneData>(builtin_scene_data()));
  for (const BuilderInfo& row : builders()) {
    if (row.cuts) continue;
    for (const LayoutInfo& layout : layouts()) {
      RendererOptions options{"cpu", std::string(row.name), std::string(layout.name)};
      options.moves = true;
      Renderer renderer(scene, options);
      const std::string before = tree_of(renderer);
      renderer.set_vertices(scene.vertices());
      renderer.follow(Follow::refit);
      EXPECT_EQ(tree_of(renderer), before);
      renderer.follow(Follow::rebuild);
      EXPECT_EQ(tree_of(renderer), before);
      EXPECT_EQ(renderer.wear(), 1.0);
    }
  }
}

TEST(Motion, that_is_refitted_gives_the_tree_of_any_number_of_threads_and_way) {
  const Scene scene(std::make_shared<const SceneData>(builtin_scene_data()));
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer one(scene, options), many(scene, options);
  one.set_vertices(swirled(scene, 1.5f));
  one.follow(Follow::refit);
  for (const float turns : {0.2f, -3.0f, 1.5f}) {
    many.set_vertices(swirled(scene, turns));
    many.follow(Follow::refit);
  }
  EXPECT_EQ(tree_of(one), tree_of(many));
}

TEST(Motion, that_wears_the_tree_out_rebuilds_it) {
  const Scene scene(std::make_shared<const SceneData>(builtin_scene_data()));
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer refitted(scene, options), automatic(scene, options);
  const std::vector<Vec3f> vertices = swirled(scene, 9.0f);
  refitted.set_vertices(vertices);
  refitted.follow(Follow::refit);
  EXPECT_GT(refitted.wear(), kWornOut);
  automatic.set_vertices(vertices);
  automatic.follow();
  EXPECT_EQ(automatic.wear(), 1.0);
  // All triangles are twice as far apart and twice as large, so the refitted tree has become no
  // slower.
  std::vector<Vec3f> larger = scene.vertices();
  for (Vec3f& p : larger) p = {2.0f * p.x, 2.0f * p.y, 2.0f * p.z};
  automatic.set_vertices(scene.vertices());
  automatic.follow(Follow::rebuild);
  automatic.set_vertices(larger);
  automatic.follow(Follow::refit);
  EXPECT_EQ(automatic.wear(), 1.0);
}

TEST(Motion, moves_lamps_too) {
  SceneData data = builtin_scene_data();
  for (Material& material : data.materials) material.emission = vec3(1.0f, 0.5f, 0.25f);
  const Scene scene(std::make_shared<const SceneData>(data));
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer moving(scene, options);
  const std::vector<Vec3f> vertices = swirled(scene, 2.0f);
  moving.set_vertices(vertices);
  moving.follow();
  const Scene still = with_vertices(scene, vertices);
  Renderer fresh(still, {"cpu"});
  EXPECT_EQ(answers(moving, still.data()->mesh), answers(fresh, still.data()->mesh));
}

TEST(Motion, of_triangles_at_one_place_parts_them) {
  const std::vector<Vec3f> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer renderer(make_scene(corners, triangles), options);
  const std::vector<Ray> rays = {{{0.2f, 0.2f, 5.0f}, 0.0f, {0.0f, 0.0f, -1.0f}, 100.0f}};
  EXPECT_EQ(renderer.all(rays).hits.size(), 2u);
  std::vector<Vec3f> apart = corners;
  for (std::size_t i = 3; i < 6; ++i) apart[i].z = 2.0f;
  renderer.set_vertices(apart);
  renderer.follow();
  std::vector<Hit> hits(1);
  renderer.closest(rays, hits);
  EXPECT_EQ(hits[0].triangle, 1u);
  EXPECT_EQ(hits[0].t, 3.0f);
}

TEST(Motion, is_refused_where_it_can_not_be) {
  const Scene scene(std::make_shared<const SceneData>(builtin_scene_data()));
  Renderer still(scene, {"cpu"});
  const std::string why = "this renderer's vertices can't move: set RendererOptions::moves";
  EXPECT_EQ(message_of<UsageError>([&] { still.set_vertices(scene.vertices()); }), why);
  EXPECT_EQ(message_of<UsageError>([&] { still.follow(); }), why);
  EXPECT_EQ(message_of<UsageError>([&] { still.wear(); }), why);
  RendererOptions options{"cpu", "sbvh"};
  options.moves = true;
  EXPECT_EQ(message_of<UsageError>([&] { Renderer r(scene, options); }),
            "builder sbvh cuts triangles, so its trees can't follow vertices that move; those of "
            "ploc, ploc-reinserted, binned-sah can");
  options.builder = "best";
  Renderer renderer(scene, options);
  const std::size_t count = scene.vertices().size();
  std::vector<Vec3f> vertices(count - 1);
  EXPECT_EQ(message_of<UsageError>([&] { renderer.set_vertices(vertices); }),
            std::to_string(count - 1) + " vertices for a scene that has " + std::to_string(count));
  vertices = scene.vertices();
  const std::string before = tree_of(renderer);
  vertices[scene.data()->mesh.triangles[7].y].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message_of<InputError>([&] { renderer.set_vertices(vertices); }), "");
  renderer.follow(Follow::rebuild);
  EXPECT_EQ(tree_of(renderer), before);
}

TEST(Motion, of_nothing_is_none) {
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer renderer(make_scene(std::vector<Vec3f>(), std::vector<Triangle>()), options);
  renderer.set_vertices(std::vector<Vec3f>());
  renderer.follow();
  EXPECT_EQ(renderer.wear(), 1.0);
}

TEST(Motion, of_instances_is_refused_where_it_makes_no_sense) {
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer still(builtin_scene(), options), placed(testing::random_instances(3, 1), options);
  std::vector<Transform> transforms(3);
  EXPECT_THROW(still.set_transforms(transforms), UsageError);
  EXPECT_NO_THROW(placed.set_transforms(transforms));
  EXPECT_THROW(placed.set_vertices(placed.scene().vertices()), UsageError);
  EXPECT_EQ(placed.wear(), 1.0);
  transforms[1].rows[0][0] = 0.0f;
  try {
    placed.set_transforms(transforms);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("instance 1"), std::string::npos) << error.what();
  }
  transforms.pop_back();
  EXPECT_THROW(placed.set_transforms(transforms), UsageError);
  Renderer fixed(testing::random_instances(3, 1), {"cpu"});
  EXPECT_THROW(fixed.set_transforms(transforms), UsageError);
}

}  // namespace motion_test
}  // namespace ballotcast::detail
