// Compares trees that kernels build over moved instances with trees that the host builds.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/emulated_build_machine.hpp"
#include "helpers/instances.hpp"
#include "kernels/build/moving_worlds.hpp"

namespace ballotcast::detail {
namespace worlds_test {

using testing::Random;
using testing::random_transform;

/// A scene with instances of three meshes, one of which is empty, in `world_count` worlds.
Scene worlds_of(u32 instance_count, u32 world_count, u32 seed) {
  Random random(seed);
  const std::vector<Scene> meshes = {Scene(testing::scene_of(testing::sphere(4))),
                                     Scene(testing::scene_of(testing::soup(7, 9))),
                                     make_scene(std::vector<Vec3f>(), std::vector<Triangle>())};
  std::vector<Instance> instances;
  for (u32 i = 0; i < instance_count; ++i) {
    instances.push_back(
        {random.below(9) == 0 ? 2u : i % 2u, random_transform(random, 0.2f, 2.0f, 9.0f)});
    instances.back().world = random.below(world_count);
  }
  instances[0].world = world_count - 1;
  return make_scene(meshes, instances);
}

/// A scene whose instances move on the emulated machine.
template <class Layout>
class OnMachine {
 public:
  OnMachine(const Scene& scene, u64 seed, u32 deepest = kDeepestLevel)
      : prepared_(prepare(scene.data(), "ploc", Layout::info.name)),
        machine_(seed),
        worlds_(machine_, prepared_->levels.entries, prepared_->levels.boxes, deepest),
        instances_(scene.data()->instances),
        nodes_(prepared_->levels.upper.nodes.size()),
        walks_(prepared_->levels.instances.size()),
        to_scene_(walks_.size()),
        trees_(prepared_->levels.worlds) {}

  void move(const std::vector<Transform>& transforms) {
    machine_.each<TakeTransforms>("take", static_cast<u32>(transforms.size()), transforms.data(),
                                  instances_.data());
    std::fill(nodes_.begin(), nodes_.end(), NodeBytes{});
    worlds_.template follow<Layout>(machine_, instances_.data(),
                                    reinterpret_cast<typename Layout::Node*>(nodes_.data()),
                                    walks_.data(), to_scene_.data(), trees_.data());
  }

  /// Expects the trees that the host builds for these transforms.
  void expect_same(const Scene& scene, const std::vector<Transform>& transforms) const {
    auto data = std::make_shared<SceneData>(*scene.data());
    set_transforms(*data, transforms, boxes_of_parts(*data));
    const auto fresh = prepare(data, "ploc", Layout::info.name);
    const TwoLevels& levels = fresh->levels;
    const WorldEntries& entries = levels.entries;
    for (u32 w = 0; w < entries.world_count(); ++w) {
      SCOPED_TRACE("world " + std::to_string(w));
      EXPECT_EQ(std::memcmp(&trees_[w], &levels.worlds[w], sizeof trees_[w]), 0);
      const u32 first = entries.firsts[w], end = entries.firsts[w + 1];
      if (levels.worlds[w].frame.shape.root == kNowhere) continue;
      const auto* nodes = reinterpret_cast<const typename Layout::Node*>(nodes_.data());
      const auto* expected =
          reinterpret_cast<const typename Layout::Node*>(levels.upper.nodes.data());
      for (u32 i = first; i < end; ++i)
        ASSERT_EQ(std::memcmp(nodes + i, expected + i, sizeof *nodes), 0) << "node " << i;
      for (u32 i = first; i < end; ++i)
        ASSERT_EQ(std::memcmp(&walks_[i], &levels.instances[i], sizeof walks_[i]), 0)
            << "instance " << i;
      EXPECT_EQ(std::memcmp(&to_scene_[first], &levels.to_scene[first],
                            (end - first) * sizeof(Transform)),
                0);
    }
  }

  UnusableInstances unusable() const { return *worlds_.unusable(); }

  /// The hits of rays that are cast into a world.
  std::vector<Hit> hits(const std::vector<Ray>& rays, u32 world) const {
    SceneArrays arrays = prepared_->arrays;
    arrays.upper_nodes = nodes_.data();
    arrays.walk_instances = walks_.data();
    arrays.walk_to_scene = to_scene_.data();
    arrays.worlds = trees_.data();
    std::vector<Hit> hits(rays.size());
    with_view_in<Layout>(arrays, {world}, [&](const auto& view) {
      for (std::size_t i = 0; i < rays.size(); ++i)
        trace_whole(view, 0, rays[i], RayKind::closest, hits[i]);
    });
    return hits;
  }

 private:
  std::shared_ptr<const PreparedScene> prepared_;
  EmulatedBuildMachine machine_;
  MovingWorlds<EmulatedBuildMachine> worlds_;
  std::vector<SceneInstance> instances_;
  std::vector<NodeBytes> nodes_;
  std::vector<WalkInstance> walks_;
  std::vector<Transform> to_scene_;
  std::vector<WorldTree> trees_;
};

/// New transforms of all instances. If `hides_some`, some instances are hidden.
std::vector<Transform> moved(const Scene& scene, u32 seed, bool hides_some) {
  Random random(seed);
  std::vector<Transform> transforms;
  for (u32 i = 0; i < scene.instance_count(); ++i) {
    transforms.push_back(random_transform(random, 0.2f, 2.0f, 9.0f));
    if (hides_some && random.below(3) == 0) transforms.back() = kHidden;
  }
  return transforms;
}

template <class Layout>
void expect_host_trees(const Scene& scene, u64 seed) {
  OnMachine<Layout> machine(scene, seed);
  for (u32 frame = 0; frame < 4; ++frame) {
    const std::vector<Transform> transforms = moved(scene, frame, frame % 2 == 1);
    machine.move(transforms);
    machine.expect_same(scene, transforms);
    EXPECT_EQ(machine.unusable().count, 0u);
  }
  const std::vector<Transform> stacked(scene.instance_count());
  machine.move(stacked);
  machine.expect_same(scene, stacked);
}

TEST(WorldKernels, make_the_trees_of_the_host_with_any_order_of_lanes) {
  struct Case {
    u32 instances, worlds;
  };
  for (const Case c : {Case{1, 1}, Case{2, 1}, Case{9, 1}, Case{300, 1}, Case{40, 40}, Case{500, 3},
                       Case{700, 90}, Case{70, 1000}})
    for (const u64 seed : {0u, 1u, 2u}) {
      SCOPED_TRACE(std::to_string(c.instances) + " instances, " + std::to_string(c.worlds) +
                   " worlds, seed " + std::to_string(seed));
      const Scene scene = worlds_of(c.instances, c.worlds, c.instances);
      expect_host_trees<bvh2::Layout>(scene, seed);
      expect_host_trees<grid2::Layout>(scene, seed);
    }
}

/// Rays through the positions of instances.
std::vector<Ray> rays_at(const std::vector<Transform>& transforms) {
  Random random(5);
  std::vector<Ray> rays;
  for (const Transform& m : transforms)
    for (u32 k = 0; k < 3; ++k) {
      const vec3 from = random.point(20.0f);
      const vec3 to = vec3(m.rows[0][3], m.rows[1][3], m.rows[2][3]) + random.point(0.5f);
      rays.push_back({from, 0.0f, to - from, 1e30f});
    }
  return rays;
}

template <class Layout>
void expect_balanced(u64 seed) {
  const Scene scene = worlds_of(600, 3, 8);
  OnMachine<Layout> machine(scene, seed), shallow(scene, seed, 2);
  for (u32 frame = 0; frame < 3; ++frame) {
    const std::vector<Transform> transforms = moved(scene, frame, frame == 1);
    machine.move(transforms);
    shallow.move(transforms);
    const std::vector<Ray> rays = rays_at(transforms);
    for (u32 world = 0; world < 3; ++world) {
      const std::vector<Hit> expected = machine.hits(rays, world);
      EXPECT_EQ(testing::first_difference(expected, shallow.hits(rays, world)), rays.size());
      EXPECT_GT(std::count_if(expected.begin(), expected.end(),
                              [](const Hit& hit) { return hit.found(); }),
                100);
    }
  }
}

TEST(WorldKernels, make_balanced_trees_where_others_would_be_too_deep) {
  for (const u64 seed : {0u, 1u}) {
    expect_balanced<bvh2::Layout>(seed);
    expect_balanced<grid2::Layout>(seed);
  }
}

TEST(WorldKernels, leave_out_instances_with_unusable_transforms) {
  const Scene scene = worlds_of(200, 2, 8);
  OnMachine<grid2::Layout> machine(scene, 1);
  const std::vector<Transform> good = moved(scene, 1, false);
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (const float bad : {kNaN, kInfinite, -kInfinite, 0.0f, 1e30f, 1e-30f}) {
    SCOPED_TRACE(bad);
    std::vector<Transform> broken = good, hidden = good;
    u32 count = 0, first = kNoTriangle;
    const SceneData& data = *scene.data();
    for (u32 i = 20; i < broken.size(); i += 7) {
      if (data.parts[data.instances[i].mesh].count == 0) continue;
      broken[i].rows[i % 3][0] = broken[i].rows[i % 3][1] = broken[i].rows[i % 3][2] = bad;
      if (i % 2 == 1 && bad != 0.0f && !(bad > 0.0f && bad < 1.0f)) {
        broken[i] = good[i];
        broken[i].rows[i % 3][3] = bad;  // invalid only because it is too far away
      }
      hidden[i] = kHidden;
      first = std::min(first, i);
      ++count;
    }
    machine.move(broken);
    EXPECT_EQ(machine.unusable().count, count);
    EXPECT_EQ(~machine.unusable().first_inverted, first);
    const std::vector<Ray> rays = rays_at(good);
    const std::vector<Hit> hits = machine.hits(rays, 1);
    machine.move(hidden);
    EXPECT_EQ(machine.unusable().count, 0u);
    EXPECT_EQ(testing::first_difference(hits, machine.hits(rays, 1)), rays.size());
    machine.move(good);
    machine.expect_same(scene, good);
  }
}

}  // namespace worlds_test
}  // namespace ballotcast::detail
