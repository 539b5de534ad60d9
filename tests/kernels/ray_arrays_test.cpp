// Tests how kernels read rays from arrays with any strides, and write the fields of hits.
#include "kernels/queries/ray_arrays.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ballotcast::detail {
namespace ray_arrays_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Numbers that are the same for all rays.
StridedNumbers for_all(double x, double y = 0.0, double z = 0.0) {
  return {nullptr, {}, 1, 0, {x, y, z}};
}

/// Rays of shape (2, 3): the origins are columns 1 to 3 of rows of 5 floats, with the two axes
/// exchanged in memory. The directions are doubles whose components are not adjacent in memory.
struct Arrays : ::testing::Test {
  std::vector<float> rows = std::vector<float>(30);
  std::vector<double> ways = std::vector<double>(18);
  RayArrays arrays{};

  Arrays() {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = 100.0 + static_cast<double>(i);
    arrays.shape = {2, {2, 3}};
    arrays.origins = {rows.data() + 1, {5, 10}, 1, 0, {}};
    arrays.directions = {ways.data(), {3, 1}, 6, 1, {}};
    arrays.t_min = for_all(0.5);
    arrays.t_max = {ways.data(), {0, 1}, 0, 1, {}};
    arrays.origin = {1.0, 2.0, 3.0};
    arrays.ball = {{0.0, 0.0, 0.0}, 50.0};
  }
};

TEST_F(Arrays, are_read_by_their_strides_in_c_order) {
  for (u32 i = 0; i < 6; ++i) {
    const u32 a = i / 3, b = i % 3;
    std::vector<Ray> rays(6);
    PackRay::item(i, arrays, rays.data());
    const Ray& ray = rays[i];
    const float first = static_cast<float>(1 + 5 * a + 10 * b);
    EXPECT_EQ(ray.origin.x, first - 1.0f);
    EXPECT_EQ(ray.origin.y, first + 1.0f - 2.0f);
    EXPECT_EQ(ray.origin.z, first + 2.0f - 3.0f);
    EXPECT_EQ(ray.direction.x, static_cast<float>(100 + 3 * a + b));
    EXPECT_EQ(ray.direction.y, static_cast<float>(106 + 3 * a + b));
    EXPECT_EQ(ray.t_min, 0.5f);
    EXPECT_EQ(ray.t_max, static_cast<float>(100 + b));
  }
}

TEST_F(Arrays, of_points_lose_the_origin_of_the_scene) {
  std::vector<Vec3f> points(6);
  PackPoint::item(5, PointArray{arrays.shape, arrays.origins, arrays.origin}, points.data());
  EXPECT_EQ(points[5].x, 25.0f);
  EXPECT_EQ(points[5].z, 25.0f);
}

TEST_F(Arrays, with_a_nan_anywhere_are_marked) {
  const auto marked = [&](u32 i) {
    std::vector<u32> marks(6, 7);
    MarkNan::item(i, arrays, marks.data());
    return marks[i];
  };
  for (u32 i = 0; i < 6; ++i) EXPECT_EQ(marked(i), 0u);
  rows[1 + 5 + 20 + 2] = static_cast<float>(kNan);
  EXPECT_EQ(marked(5), 1u);
  EXPECT_EQ(marked(4), 0u);
  ways[6] = kNan;
  EXPECT_EQ(marked(0), 1u);
  EXPECT_EQ(marked(1), 0u);
  arrays.t_min = for_all(kNan);
  EXPECT_EQ(marked(1), 1u);
}

TEST_F(Arrays, of_doubles_keep_their_precision_from_far_away) {
  arrays.precise = 1;
  arrays.origin = {0.0, 0.0, 0.0};
  arrays.origins = for_all(-1e9, 0.25, 0.25);
  arrays.directions = for_all(2.0, 0.0, 0.0);
  arrays.t_max = for_all(1e12);
  std::vector<double> far(54, 0.25);  // origins; the second is the origin of the ray above
  far[9] = -1e9;
  const vec3 positions[] = {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}};
  const uvec3 corners(0, 1, 2);
  SceneView scene{};
  scene.mesh.positions = positions;
  scene.mesh.triangles = &corners;
  Ray ray;
  PackRay::item(0, arrays, &ray);
  EXPECT_LT(std::fabs(ray.origin.x), 100.0f) << "the ray starts near the scene";
  const Hit hit{(1.0f - ray.origin.x) / ray.direction.x, 0, 0.25f, 0.25f};
  double t = 0.0;
  StorePreciseT::item(0, scene, arrays, &hit, &t);
  EXPECT_EQ(t, 500000000.5);
  dvec3 place;
  StorePrecisePlace::item(0, arrays, &hit, &t, &place);
  EXPECT_EQ(place, dvec3(1.0, 0.25, 0.25));
  // The hits of all rays: two hits of ray 1, and none of the other rays.
  const Hit all[] = {hit, hit};
  const u64 starts[] = {0, 0, 2, 2, 2, 2, 2};
  double ts[3] = {-1.0, -1.0, -1.0};
  arrays.origins = {far.data(), {27, 9}, 1, 1, {}};
  for (u32 i = 0; i < 6; ++i) StorePreciseTOfAll::item(i, scene, arrays, starts, all, ts);
  EXPECT_EQ(ts[0], 500000000.5) << "by the ray that was hit";
  EXPECT_EQ(ts[1], 500000000.5);
  EXPECT_EQ(ts[2], -1.0);
  const Hit miss{0.0f, kNoTriangle, 0.0f, 0.0f};
  StorePreciseT::item(0, scene, arrays, &miss, &t);
  StorePrecisePlace::item(0, arrays, &miss, &t, &place);
  EXPECT_TRUE(std::isinf(t) && std::isnan(place.x));
}

TEST(HitFields, name_the_mesh_and_the_triangle_in_it) {
  const u32 starts[] = {3, 3, 10};  // the first triangles of meshes 1 to 3; mesh 1 is empty
  const auto at = [&](u32 id) {
    const Location64 found = location_of(SceneView{}, {starts, 3}, id);
    return std::vector<i64>{found.instance, found.mesh, found.triangle};
  };
  EXPECT_EQ(at(0), (std::vector<i64>{0, 0, 0}));
  EXPECT_EQ(at(2), (std::vector<i64>{0, 0, 2}));
  EXPECT_EQ(at(3), (std::vector<i64>{0, 2, 0}));
  EXPECT_EQ(at(12), (std::vector<i64>{0, 3, 2}));
  EXPECT_EQ(at(kNoTriangle), (std::vector<i64>{-1, -1, -1}));
}

}  // namespace ray_arrays_test
}  // namespace ballotcast::detail
