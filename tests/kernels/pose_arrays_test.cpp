// Tests how kernels read poses from arrays with any strides, and make transforms and rays of them.
#include "kernels/queries/pose_arrays.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "helpers/instances.hpp"
#include "scene/instances/instances.hpp"

namespace ballotcast::detail {
namespace pose_arrays_test {

using testing::Random;

/// Poses of 2 worlds with 3 things each, in rows of 12 numbers: a matrix and a position.
template <class Real>
struct Rows {
  std::vector<Real> numbers = std::vector<Real>(2 * 3 * 12);

  explicit Rows(u32 seed) {
    Random random(seed);
    for (Real& number : numbers) number = static_cast<Real>(random.between(-2.0f, 2.0f));
  }
  /// The poses in this order of axes: worlds, things.
  PoseArrays arrays() const {
    const auto part = [&](u32 first) {
      return StridedNumbers{numbers.data() + first, {36, 12}, 1, sizeof(Real) == 8 ? 1u : 0u, {}};
    };
    return {{2, {2, 3}}, {part(0), part(3), part(6)}, part(9)};
  }
  Affine pose(u32 i) const {
    const Real* const m = numbers.data() + 12 * i;
    return {{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}, {m[9], m[10], m[11]}};
  }
};

bool same(const Transform& a, const Transform& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class Real>
void transforms_equal_those_of_the_host() {
  const Rows<Real> rows(1);
  const dvec3 origin(1.5, -2.0, 1e3), meshes[] = {{0, 0, 0}, {5, 6, 7}};
  SceneData scene;
  scene.parts.resize(2);
  std::vector<dvec3> mesh_origins;
  std::vector<PlacedPart> placed;
  for (u32 i = 0; i < 6; ++i) {
    scene.parts[i % 2].origin = meshes[i % 2];
    mesh_origins.push_back(meshes[i % 2]);
    placed.push_back({i % 2, rows.pose(i)});
  }
  const std::vector<Transform> expected = transforms_of(scene, placed, origin).transforms;
  for (u32 i = 0; i < 6; ++i) {
    std::vector<Transform> to(6);
    PackTransform::item(i, rows.arrays(), {nullptr, 1, 3, mesh_origins.data(), origin}, to.data());
    EXPECT_TRUE(same(to[i], expected[i])) << i;
  }
}

TEST(PoseArrays, become_the_transforms_that_the_host_computes) {
  transforms_equal_those_of_the_host<float>();
  transforms_equal_those_of_the_host<double>();
}

TEST(PoseArrays, may_have_more_poses_than_instances) {
  const Rows<float> rows(2);
  const u32 chosen[] = {0, 2};  // two instances per world; pose 1 moves nothing
  for (u32 i = 0; i < 4; ++i) {
    std::vector<Transform> to(4);
    PackTransform::item(i, rows.arrays(), {chosen, 2, 3, nullptr, {}}, to.data());
    const u32 pose = 3 * (i / 2) + chosen[i % 2];
    EXPECT_TRUE(same(to[i], transform_of(rows.pose(pose), {}, {}))) << i;
  }
}

TEST(PoseArrays, of_zeros_hide_instances) {
  Rows<float> rows(3);
  std::fill(rows.numbers.begin(), rows.numbers.end(), -0.0f);
  Transform to;
  PackTransform::item(0, rows.arrays(), {nullptr, 1, 3, nullptr, {1, 2, 3}}, &to);
  EXPECT_TRUE(same(to, kHidden));
}

TEST(SensorRays, start_at_the_sensor_of_their_world) {
  const Rows<double> rows(4);
  PoseArrays sensors = rows.arrays();
  sensors.shape = {1, {2}};  // the first thing of each world
  const dvec3 own[] = {{0, 0, 0}, {1, 0, 0}, {0.5, -1, 2}, {0, 3, -1}};
  const dvec3 origin(10, 20, 30);
  for (u32 i = 0; i < 4; ++i) {
    std::vector<Ray> rays(4);
    std::vector<u32> worlds(4, 9);
    PlaceRay::item(i, sensors, {own, 2, -1e-37f, origin}, rays.data(), worlds.data());
    const Affine pose = rows.pose(3 * (i / 2));
    const vec3 from(pose.point(own[2 * (i % 2)]) - origin),
        way(pose.direction(own[2 * (i % 2) + 1]));
    EXPECT_EQ(vec3(rays[i].origin), from);
    EXPECT_EQ(vec3(rays[i].direction), way);
    EXPECT_EQ(rays[i].t_min, -1e-37f);
    EXPECT_EQ(rays[i].t_max, unbounded());
    EXPECT_EQ(worlds[i], i / 2);
  }
}

TEST(Ranges, have_the_number_of_the_instance_that_was_hit) {
  const std::vector<Scene> meshes = {Scene(testing::scene_of(testing::sphere(4)))};
  std::vector<Instance> instances;
  for (u32 i = 0; i < 6; ++i) instances.push_back({0, moved_by(0, 0, 0), kOwnMaterials, i / 3});
  const Scene made = make_scene(meshes, instances);
  const SceneData& scene = *made.data();
  SceneView view{};
  view.instances = {scene.instances.data(), static_cast<u32>(scene.instances.size())};
  const i32 numbers[] = {7, -5, 9};
  const u32 first = scene.instances[5].first_id;
  const Hit hits[] = {{2.5f, first + 3, 0, 0}, {unbounded(), kNoTriangle, 0, 0}};
  float ranges[2] = {};
  i32 found[2] = {};
  for (u32 i = 0; i < 2; ++i) StoreRange::item(i, view, numbers, 3, -1.0f, hits, ranges, found);
  EXPECT_EQ(ranges[0], 2.5f);
  EXPECT_EQ(found[0], 9);
  EXPECT_EQ(ranges[1], -1.0f);
  EXPECT_EQ(found[1], -1);
}

}  // namespace pose_arrays_test
}  // namespace ballotcast::detail
