// Tests that walks through a tree, and through the wide tree made from it, give the same bits as a
// plain loop over all triangles.
#include <gtest/gtest.h>

#include "backends/cpu/wide_trace.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/brute_force.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace walk_test {

/// The closest hit. The walk is stored at each leaf, loaded again, and continued.
template <class Layout>
Hit rested(const TraceView<Layout>& view, const Ray& ray) {
  Hit hit;
  auto walk = Layout::start();
  const RayBatch<Layout> batch{&ray, &hit, &walk, nullptr, 1, RayKind::closest};
  hit = miss_of(ray_to_cast(ray, view.scene.magnitude).ray);
  while (stage_leaf(view, batch, 0)) test_staged_leaf(view, batch, 0);
  give_back_if_far(ray, view.scene.magnitude, hit);
  return hit;
}

template <class Layout>
class EveryLayout : public ::testing::Test {
 public:
  static void compare(const Mesh& mesh, u32 rays, u32 seed) {
    compare(mesh, testing::rays_at(mesh, rays, seed));
  }

  static void compare(const Mesh& mesh, const std::vector<Ray>& rays) {
    const auto scene = prepare(testing::scene_of(mesh));
    std::vector<Hit> expected;
    for (const Ray& ray : rays) expected.push_back(testing::brute_force(*scene, ray));
    for (const BuilderInfo& builder : builders()) {
      SCOPED_TRACE(builder.name);
      compare_in_tree_of(builder.name, mesh, rays, expected);
    }
  }

 private:
  static void compare_in_tree_of(std::string_view builder, const Mesh& mesh,
                                 const std::vector<Ray>& rays,
                                 const std::vector<Hit>& by_brute_force) {
    const auto scene = prepare(testing::scene_of(mesh), builder, Layout::info.name);
    const auto view = trace_view<TraceView<Layout>>(scene->arrays);
    WideScene wide(*scene);
    ASSERT_TRUE(wide.is_worth_it(1u << 20));
    const auto count = static_cast<u32>(rays.size());
    std::vector<Hit> wide_closest(count), wide_any(count);
    trace_each_wide(view, wide, 0, count, rays.data(), RayKind::closest, wide_closest.data());
    trace_each_wide(view, wide, 0, count, rays.data(), RayKind::any, wide_any.data());
    u32 found = 0;
    for (u32 i = 0; i < count; ++i) {
      const Ray& ray = rays[i];
      const Hit& expected = by_brute_force[i];
      Hit closest, any, alone_closest, alone_any;
      trace_whole(view, 0, ray, RayKind::closest, closest);
      trace_whole(view, 0, ray, RayKind::any, any);
      trace_wide(view, wide, 0, ray, RayKind::closest, alone_closest);
      trace_wide(view, wide, 0, ray, RayKind::any, alone_any);
      ASSERT_TRUE(testing::same_bits(closest, expected))
          << "t " << closest.t << " primitive " << closest.triangle << ", expected " << expected.t
          << " " << expected.triangle << "; ray " << ray.origin.x << " " << ray.origin.y << " "
          << ray.origin.z << " -> " << ray.direction.x << " " << ray.direction.y << " "
          << ray.direction.z;
      ASSERT_TRUE(testing::same_bits(alone_closest, expected));
      ASSERT_TRUE(testing::same_bits(wide_closest[i], expected));
      const Hit answer = {ray.t_max, expected.found() ? 0u : kNoTriangle, 0.0f, 0.0f};
      ASSERT_TRUE(testing::same_bits(any, answer));
      ASSERT_TRUE(testing::same_bits(alone_any, answer));
      ASSERT_TRUE(testing::same_bits(wide_any[i], answer));
      ASSERT_TRUE(testing::same_bits(rested(view, ray), expected));
      found += expected.found() ? 1 : 0;
    }
    EXPECT_GT(found, rays.size() / 10);
  }
};

template <class... Rows>
::testing::Types<Rows...> as_test_types(TypeList<Rows...>);
using LayoutTypes = decltype(as_test_types(Layouts{}));
TYPED_TEST_SUITE(EveryLayout, LayoutTypes);

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_in_a_sphere) {
  this->compare(testing::sphere(16), 4000, 1);
}

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_in_a_soup_with_slivers_and_duplicates) {
  this->compare(testing::soup(1500, 2), 6000, 2);
}

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_far_from_the_origin) {
  for (const float far : {1e3f, 1e5f, 1e7f}) {
    Mesh mesh = testing::soup(400, 3);
    for (vec3& p : mesh.positions) p = p * (far * 1e-3f) + vec3(far, -far, 0.5f * far);
    this->compare(mesh, 2000, 3);
  }
}

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_for_rays_from_far_away) {
  for (const float scale : {1e-3f, 1.0f, 1e2f}) {
    Mesh mesh = testing::soup(400, 5);
    for (vec3& p : mesh.positions) p *= scale;
    this->compare(mesh, testing::far_rays_at(mesh, 2000, 5));
  }
}

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_at_any_scale) {
  for (const float scale : {1e-5f, 1e-3f, 1e4f, 1e8f}) {
    Mesh mesh = testing::soup(400, 4);
    for (vec3& p : mesh.positions) p *= scale;
    this->compare(mesh, 2000, 4);
  }
}

TYPED_TEST(EveryLayout, finds_what_brute_force_finds_in_tiny_meshes) {
  for (u32 count = 1; count < 12; ++count) {
    Mesh mesh = testing::sphere(2);
    mesh.triangles.resize(std::min<std::size_t>(count, mesh.triangles.size()));
    this->compare(mesh, 500, count);
  }
}

TYPED_TEST(EveryLayout, finds_nothing_in_an_empty_mesh) {
  const auto scene = prepare(testing::scene_of({}), "binned-sah", TypeParam::info.name);
  const auto view = trace_view<TraceView<TypeParam>>(scene->arrays);
  Hit hit;
  EXPECT_EQ(trace_whole(view, 0, {{0, 0, 0}, 0, {0, 0, 1}, 1e30f}, RayKind::closest, hit), 0u);
  EXPECT_FALSE(hit.found());
}

}  // namespace walk_test
}  // namespace ballotcast::detail
