// Tests that explanations agree with what casts do.
#include "render/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/device/device_choice.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/renderer.hpp"
#include "geometry/far_origin.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace explain_test {

const float kFar = unbounded();

std::vector<ExplainedTriangle> triangles_of(const Explanation& e) {
  std::vector<ExplainedTriangle> all;
  for (const auto& step : e.steps)
    if (const auto* leaf = std::get_if<ExplainedLeaf>(&step))
      all.insert(all.end(), leaf->triangles.begin(), leaf->triangles.end());
  return all;
}

/// The verdict of the explanation about a triangle; "" if the triangle was not tested.
std::string verdict_of(const Explanation& e, u32 triangle) {
  for (const ExplainedTriangle& t : triangles_of(e))
    if (t.triangle == triangle) return t.verdict;
  return "";
}

TEST(Explain, ends_with_the_hit_of_a_cast_after_as_many_leaves) {
  const std::shared_ptr<const SceneData> scenes[] = {
      testing::scene_of(testing::soup(800, 4)),
      std::make_shared<SceneData>(testing::textured_scene()), testing::scene_of({})};
  for (const auto& scene : scenes)
    for (const std::string& layout : testing::layout_names()) {
      const auto prepared = prepare(scene, "balanced", layout);
      const auto cpu = choose_backend("cpu").backend->upload(*prepared);
      std::vector<Ray> rays = testing::rays_at(scene->mesh, 700, 6);
      for (const Ray& far : testing::far_rays_at(scene->mesh, 300, 6)) rays.push_back(far);
      std::vector<Hit> hits(rays.size());
      std::vector<u32> visits(rays.size());
      for (const RayKind kind : {RayKind::closest, RayKind::any}) {
        cpu->cast(kind, rays.data(), hits.data(), visits.data(), rays.size(), {});
        for (std::size_t i = 0; i < rays.size(); ++i) {
          const Explanation e = explain(*prepared, rays[i], kind);
          const bool same =
              kind == RayKind::any ? e.hit.found() == hits[i].found() : same_bits(e.hit, hits[i]);
          ASSERT_TRUE(same) << layout << " ray " << i;
          ASSERT_EQ(e.leaves(), visits[i]) << layout << " ray " << i;
          u32 taken = kNoTriangle;
          for (const ExplainedTriangle& t : triangles_of(e)) {
            if (t.taken) taken = t.triangle;
            ASSERT_EQ(t.taken, t.verdict.starts_with("taken")) << t.verdict;
          }
          ASSERT_EQ(taken, e.hit.triangle);
          ASSERT_EQ(e.surface.has_value(), kind == RayKind::closest && hits[i].found());
        }
      }
    }
}

TEST(Explain, visits_from_far_away_what_is_visited_from_nearby) {
  const auto scene = testing::scene_of(testing::sphere(60));  // the diameter of the sphere is 2
  for (const std::string& layout : testing::layout_names())
    for (const BuilderInfo& builder : builders()) {
      const auto prepared = prepare(scene, builder.name, layout);
      for (const vec3 direction : {vec3(0, 0, -1), vec3(0, 4, 0), vec3(-0.25f, 0, 0)}) {
        const auto seen_from = [&](float distance) {
          const vec3 place = vec3(0.1f, 0.2f, 0.15f) * (vec3(1.0f) - abs(sign(direction)));
          return explain(*prepared, {place - sign(direction) * distance, 0.0f, direction, kFar},
                         RayKind::closest);
        };
        const Explanation near = seen_from(4.0f);
        ASSERT_TRUE(near.hit.found());
        EXPECT_EQ(near.shift, 0.0);
        for (const float sizes : {20.0f, 1e2f, 1e3f, 1e5f, 1e6f, 1e9f}) {
          SCOPED_TRACE(sizes);
          const Explanation far = seen_from(2.0f * sizes);
          EXPECT_EQ(far.hit.triangle, near.hit.triangle);
          EXPECT_LE(far.nodes(), 2 * near.nodes());
          EXPECT_LE(far.triangles(), 2 * near.triangles() + 2);
          EXPECT_EQ(far.shift > 0.0, 2.0f * sizes > kFarOrigin);
        }
      }
    }
}

TEST(Explain, tells_entries_and_boxes_alike_for_every_layout) {
  const auto scene = testing::scene_of(testing::sphere(12));
  const Ray ray{{-3, 0.1f, 0.2f}, 0.0f, {1, 0, 0}, kFar};
  const Explanation a = explain(*prepare(scene, "fast", "bvh2"), ray, RayKind::closest);
  const Explanation b = explain(*prepare(scene, "fast", "grid2"), ray, RayKind::closest);
  for (const Explanation* e : {&a, &b}) {
    const auto& root = std::get<ExplainedNode>(e->steps.at(0));
    Aabb whole = root.children[0].child.box;
    whole.include(root.children[1].child.box);
    for (const float side : {whole.low.x, whole.low.y, whole.low.z}) EXPECT_NEAR(side, -1, 1e-3);
    for (const float side : {whole.high.x, whole.high.y, whole.high.z}) EXPECT_NEAR(side, 1, 1e-3);
    const ExplainedChild& first = root.children[root.first];
    EXPECT_TRUE(first.entered);
    EXPECT_NEAR(first.child.entry, first.child.box.low.x + 3.0f, 1e-3);
  }
  EXPECT_TRUE(same_bits(a.hit, b.hit));
}

TEST(Explain, names_the_reason) {
  Mesh mesh;
  const auto square_at = [&](float z) {  // appends one triangle around the z axis
    const u32 first = static_cast<u32>(mesh.positions.size());
    for (const vec3 p : {vec3(-1, -1, z), vec3(2, -1, z), vec3(-1, 2, z)})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
  };
  for (const float z : {2.0f, 1.0f, 1.0f, -1.0f, 9.0f}) square_at(z);
  // Triangles 1 and 2 coincide, but do not count as copies.
  std::swap(mesh.triangles[2].x, mesh.triangles[2].y);
  for (const vec3 p : {vec3(3, 3, 0), vec3(4, 3, 5), vec3(3, 4, 0)}) mesh.positions.push_back(p);
  mesh.triangles.push_back({15, 16, 17});
  const auto prepared = prepare(testing::scene_of(mesh), "fast", "bvh2");
  const Ray ray{{0, 0, 0}, 0.0f, {0, 0, 1}, 5.0f};
  const Explanation e = explain(*prepared, ray, RayKind::closest);
  EXPECT_EQ(e.hit.triangle, 1u);
  EXPECT_TRUE(verdict_of(e, 1).starts_with("taken"));
  const std::string twin = verdict_of(e, 2);
  EXPECT_NE(twin.find("id is smaller"), twin.npos) << twin;
  mesh.triangles.resize(mesh.triangles.size() + 7, uvec3(mesh.triangles[1]));
  const auto with_copies = prepare(testing::scene_of(mesh), "fast", "bvh2");
  for (const ExplainedTriangle& t : triangles_of(explain(*with_copies, ray, RayKind::closest)))
    EXPECT_EQ(t.copies, t.triangle == 1 ? 7u : 0u);
  // The ray can't hit triangles 3, 4 and 5. They may still be tested, because a leaf holds several
  // triangles.
  const std::vector<ExplainedTriangle> all = triangles_of(e);
  for (const ExplainedTriangle& t : all) {
    if (t.triangle == 3) {
      EXPECT_NE(t.verdict.find("t_min"), t.verdict.npos) << t.verdict;
    }
    if (t.triangle == 4) {
      EXPECT_NE(t.verdict.find("t_max"), t.verdict.npos) << t.verdict;
    }
    if (t.triangle == 5) {
      EXPECT_NE(t.verdict.find("beside"), t.verdict.npos) << t.verdict;
    }
  }
  ASSERT_TRUE(e.surface);
  EXPECT_EQ(e.surface->material, "grey");
  EXPECT_NEAR(e.surface->facing, 1.0f, 1e-6);
  EXPECT_FALSE(explain(*prepared, idle_ray(), RayKind::closest).valid);
}

TEST(Explain, is_a_call_of_the_renderer) {
  RendererOptions on_cpu;
  on_cpu.device = "cpu";
  const std::vector<Vec3f> corners = {{-1, -1, 2}, {2, -1, 2}, {-1, 2, 2}, {9, 9, 9}};
  Renderer renderer(make_scene(corners, {{{0, 1, 2}, {0, 2, 3}}}), on_cpu);
  const Ray ray{{0, 0, 0}, 0.0f, {0, 0, 1}, kFar};
  const HitExplanation told = renderer.explain(ray);
  Hit hit;
  renderer.closest({&ray, 1}, {&hit, 1});
  EXPECT_TRUE(same_bits(told.hit, hit));
  ASSERT_FALSE(told.tested.empty());
  for (const TestedTriangle& test : told.tested) {
    EXPECT_EQ(test.taken, test.triangle == 0) << test.verdict;
    EXPECT_FALSE(test.taken && test.t != 2.0) << test.t;
  }
  EXPECT_NE(told.text.find("cpu       finds the same"), told.text.npos) << told.text;
  EXPECT_NE(told.json.find("\"verdict\""), told.json.npos);
  EXPECT_NE(renderer.explain(ray, true).text.find("any hit"), told.text.npos);
  EXPECT_THROW(renderer.explain(ray, false, 1), UsageError);
  const Ray far{{0, 0, -1e6f}, 0.0f, {0, 0, 1}, kFar};
  EXPECT_NEAR(renderer.explain(far).tested.at(0).t, 1000002.0, 0.1) << "along the given ray";
}

TEST(Explain, goes_through_the_centres_of_pixels) {
  RendererOptions on_cpu;
  on_cpu.device = "cpu";
  Renderer renderer(builtin_scene(), on_cpu);
  RenderSettings picture;
  picture.width = 24;
  picture.height = 16;
  picture.shading = "facing";
  picture.samples = 1;
  picture.keep_hits = true;
  const Frame frame = renderer.render(picture);
  u32 same = 0;
  for (u32 y = 0; y < 16; ++y)
    for (u32 x = 0; x < 24; ++x)
      same += renderer.explain(renderer.pixel_ray(picture, x, y)).hit.triangle ==
              frame.hits[24 * y + x].triangle;
  EXPECT_GT(same, 24u * 16 * 8 / 10) << "samples lie elsewhere in the same pixel";
  EXPECT_THROW(renderer.pixel_ray(picture, 24, 0), UsageError);
  EXPECT_THROW(renderer.pixel_ray(picture, 0, 16), UsageError);
}

}  // namespace explain_test
}  // namespace ballotcast::detail
