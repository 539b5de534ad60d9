// Tests filters of rays: every result equals that of a test of all triangles that the filter
// accepts.
#include "helpers/filters.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/sanitized.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace filters_test {

using testing::Filter;
using testing::filters_for;
using testing::Words;

/// A hit of a ray with a triangle, whether it counts or not.
struct Met {
  Hit hit;
  u32 instance;
  bool front;
  // True if this triangle owns the crossing: at a shared edge, only one triangle does.
  bool crosses;
  bool is_hit = true;  // false if it only crosses: the same hit is also in the list
};

/// Finds hits by testing all triangles, without a tree.
class TestsAll {
 public:
  explicit TestsAll(const Renderer& renderer)
      : prepared_(prepared_of(renderer)), scene_(scene_of(renderer)) {}

  /// All hits of a ray, in order.
  std::vector<Met> met_by(const Ray& given, u32 world) const {
    std::vector<Met> met;
    const bool has_instances = !scene_.instances.empty();
    const WorldTree* const tree = has_instances ? &prepared_.levels.worlds[world] : nullptr;
    const float magnitude = tree ? tree->frame.magnitude : prepared_.view.magnitude;
    const RayToCast cast = ray_to_cast(given, magnitude);
    if (!cast.setup.valid) return met;
    if (!has_instances) {
      test(cast.setup, cast.ray, {0, static_cast<u32>(scene_.mesh.triangles.size())}, met);
    } else if (largest_magnitude(cast.ray.direction) >= tree->least_slope) {
      for (u32 k = 0; k < scene_.instances.size(); ++k) test_instance(cast.ray, k, world, met);
    }
    std::stable_sort(met.begin(), met.end(), [](const Met& a, const Met& b) {
      return precedes(a.hit.t, a.hit.triangle, b.hit);
    });
    for (Met& each : met) give_back_if_far(given, magnitude, each.hit);
    return met;
  }

 private:
  /// A range of triangles of the scene's mesh, which belongs to an instance.
  struct Some {
    u32 first, count, instance = 0, first_id = 0;
  };

  void test_instance(const Ray& ray, u32 k, u32 world, std::vector<Met>& met) const {
    const SceneInstance& instance = scene_.instances[k];
    if ((scene_.worlds.empty() ? 0u : scene_.worlds[k]) != world || hides(instance.to_scene))
      return;
    if (!scene_.shapes.empty() && scene_.shapes[instance.mesh].kind != ShapeKind::none)
      return cross(ray, k, met);
    const Ray inside = transformed_ray(inverse_of(instance.to_scene), ray);
    const RaySetup setup = make_setup(inside, 1.0f, kLargestSlopeInside);
    if (setup.valid)
      test(setup, inside,
           {instance.first_triangle, scene_.parts[instance.mesh].count, k, instance.first_id}, met);
  }

  /// Adds the hits of a ray with instance k, which is a heightfield. heightfields_test.cpp compares
  /// them with those of triangles.
  void add_crossings(const Ray& ray, u32 k, AtEdges at_edges, std::vector<Met>& met) const {
    const SceneInstance& instance = scene_.instances[k];
    const HeightfieldView field = heightfield_of(prepared_.view, scene_.shapes[instance.mesh]);
    HeightsFrom from{ray.t_min, 0u};
    for (;;) {
      const HeightCrossing found =
          next_crossing(field, inverse_of(instance.to_scene), 1e6f, ray, from, ray.t_max, at_edges);
      if (!found.hit.found()) return;
      from = {found.hit.t, found.hit.triangle + 1u};
      if (!(found.hit.t > ray.t_min)) continue;
      const bool counts = at_edges == AtEdges::one;
      met.push_back({{found.hit.t, instance.first_id, found.hit.u, found.hit.v},
                     k,
                     found.front,
                     counts,
                     !counts});
    }
  }

  /// Adds the hits of a ray with instance k, which is a shape.
  void cross(const Ray& ray, u32 k, std::vector<Met>& met) const {
    const SceneInstance& instance = scene_.instances[k];
    if (scene_.shapes[instance.mesh].kind == ShapeKind::heightfield) {
      add_crossings(ray, k, AtEdges::all, met);
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(met.size());
      add_crossings(ray, k, AtEdges::one, met);
      std::sort(met.begin() + first, met.end(),
                [](const Met& a, const Met& b) { return comes_after(b.hit, a.hit); });
      return;
    }
    const ShapeCrossings found = cross_shape(scene_.shapes[instance.mesh], instance.to_scene, ray);
    for (u32 i = 0; i < found.count; ++i)
      if (found.t[i] > ray.t_min && found.t[i] <= ray.t_max)
        met.push_back({{found.t[i], instance.first_id, static_cast<float>(found.at[i].u),
                        static_cast<float>(found.at[i].v)},
                       k,
                       found.front[i],
                       true});
  }

  void test(const RaySetup& s, const Ray& ray, const Some& some, std::vector<Met>& met) const {
    for (u32 k = 0; k < some.count; ++k) {
      const TriangleRows t = scene_.mesh.rows_of(some.first + k);
      const TriangleRow &x = t.row[s.kx()], &y = t.row[s.ky()], &z = t.row[s.kz];
      const TrianglePlace place{some.first + k, some.instance};
      Hit hit = miss_of(ray);
      bool front = false;
      intersect_triangle(s, ray.t_min, x, y, z, hit, [&](const Hit&, bool its_side) {
        front = its_side;
        return true;
      });
      if (!hit.found() || is_hole(prepared_.view, place, hit)) continue;
      require_side(some.first + k, ray, front);
      hit.triangle = some.first_id + k;
      Crossing crossing;
      const bool crosses = cross_triangle(s, x, y, z, ray.t_min, ray.t_max, crossing);
      met.push_back({hit, some.instance, front, crosses});
    }
  }

  /// Checks the side of a hit in double precision, unless the triangle is seen nearly edge-on.
  void require_side(u32 triangle, const Ray& ray, bool front) const {
    const uvec3 t = scene_.mesh.triangles[triangle];
    const auto corner = [&](u32 k) { return dvec3(scene_.mesh.positions[k]); };
    const dvec3 normal = glm::cross(corner(t.y) - corner(t.x), corner(t.z) - corner(t.x));
    const dvec3 d(vec3(ray.direction));
    const double way = glm::dot(normal, d);
    const double lengths = std::sqrt(glm::dot(normal, normal) * glm::dot(d, d));
    if (std::abs(way) > 1e-3 * lengths) {
      ASSERT_EQ(front, way < 0.0) << "triangle " << triangle;
    }
  }

  const PreparedScene& prepared_;
  const SceneData& scene_;
};

/// The results that all functions must give for rays with a filter.
struct Answers {
  std::vector<Hit> closest;
  Words any, counts;
  AllHits all;
  std::vector<std::uint64_t> sums;
};

/// The hits of rays with a scene, found by testing all triangles.
class ByHand {
 public:
  /// `renderer`: a renderer of the scene, on any device.
  ByHand(const Renderer& renderer, const std::vector<Ray>& rays, const Words& worlds = {})
      : rays_(rays), triangles_(renderer.scene().triangle_count()) {
    const TestsAll tests(renderer);
    for (std::size_t i = 0; i < rays.size(); ++i)
      met_.push_back(tests.met_by(rays[i], worlds.empty() ? 0u : worlds[i]));
  }

  /// The expected results with a filter.
  Answers answers(const Filter& filter) const {
    Answers out;
    out.all.starts.push_back(0);
    out.sums.resize(triangles_);
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      Hit closest = miss_of(rays_[i]);
      u32 count = 0;
      for (const Met& met : met_[i]) {
        if (!filter.lets(i, met.front, met.hit.triangle, met.instance)) continue;
        if (!closest.found() && met.is_hit) closest = met.hit;
        if (!met.crosses) continue;
        out.all.hits.push_back(met.hit);
        ++count;
      }
      out.closest.push_back(closest);
      if (closest.found()) ++out.sums[closest.triangle];
      out.any.push_back(closest.found() ? 0u : kNoTriangle);
      out.counts.push_back(count);
      out.all.starts.push_back(out.all.hits.size());
    }
    return out;
  }

 private:
  const std::vector<Ray>& rays_;
  std::size_t triangles_;
  std::vector<std::vector<Met>> met_;  // the hits of each ray, in order
};

void require_right(Renderer& renderer, const std::vector<Ray>& rays, const Filter& filter,
                   const Answers& expected, const Words& worlds = {},
                   const CastOptions& options = {}) {
  SCOPED_TRACE(filter.name);
  if (!filter.instance_masks.empty()) renderer.set_masks(filter.instance_masks);
  const RayWorlds into{0, worlds.empty() ? nullptr : worlds.data()};
  const RayFilter of_rays = filter.of_rays();
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, options, into, of_rays);
  EXPECT_EQ(testing::first_difference(hits, expected.closest), hits.size());
  renderer.any(rays, hits, options, into, of_rays);
  for (std::size_t i = 0; i < rays.size(); ++i) ASSERT_EQ(hits[i].triangle, expected.any[i]) << i;
  Words counts(rays.size());
  renderer.count(rays, counts, into, of_rays);
  EXPECT_EQ(counts, expected.counts);
  const AllHits all = renderer.all(rays, into, of_rays);
  EXPECT_EQ(all.starts, expected.all.starts);
  EXPECT_EQ(testing::first_difference(all.hits, expected.all.hits), all.hits.size());
  std::vector<std::uint64_t> sums(expected.sums.size());
  renderer.hits_per_triangle(rays, sums, options, into, of_rays);
  EXPECT_EQ(sums, expected.sums);
  if (!filter.instance_masks.empty()) renderer.set_masks(Words(filter.instance_masks.size(), ~0u));
}

struct Case {
  const char* name;
  Scene scene;
};

/// Scenes with triangles at the same place, some with reversed corners; with holes; and with
/// instances, some of them mirrored, of meshes and of shapes.
std::vector<Case> cases() {
  return {{"soup", Scene(testing::scene_of(testing::soup(250, 31)))},
          {"copies", Scene(testing::scene_of(testing::repeated(testing::torus(5), 3)))},
          {"holes", Scene(std::make_shared<const SceneData>(testing::textured_scene()))},
          {"instances", testing::random_instances(12, 4)},
          {"instances with holes", testing::drawn_scene()},
          {"shapes", testing::shapes_and_meshes(14, 3)}};
}

std::vector<Ray> rays_for(const Scene& scene) {
  const bool has_instances = scene.instance_count() > 0;
  const Mesh mesh = has_instances ? testing::flattened(scene) : scene.data()->mesh;
  std::vector<Ray> rays = testing::rays_at(mesh, testing::kSanitized ? 100 : 200, 32);
  const std::vector<Ray> far = testing::far_rays_at(mesh, 100, 33);
  rays.insert(rays.end(), far.begin(), far.end());
  // Adds groups of rays from one point, which the CPU casts together. A group must begin at a
  // multiple of 64.
  rays.resize(rays.size() / 64 * 64);
  for (const testing::GroupCase& with : testing::kGroupCases) {
    const std::vector<Ray> some = testing::rays_of(with, mesh, 64);
    rays.insert(rays.end(), some.begin(), some.end());
  }
  return rays;
}

class FiltersOn : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, FiltersOn, testing::kDevices, testing::name_of_device);

TEST_P(FiltersOn, give_what_a_test_of_all_triangles_gives) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const std::vector<Ray> rays = rays_for(c.scene);
    RendererOptions in_parts;
    in_parts.device = GetParam();
    in_parts.partition = 3;
    Renderer fast(c.scene, {GetParam(), "fast", "bvh2"}),
        best(c.scene, {GetParam(), "best", "grid2"}), parts(c.scene, in_parts);
    const ByHand by_hand(fast, rays);
    for (const Filter& filter : filters_for(c.scene, rays)) {
      const Answers expected = by_hand.answers(filter);
      require_right(fast, rays, filter, expected);
      require_right(best, rays, filter, expected);
      require_right(parts, rays, filter, expected);
    }
  }
}

TEST_P(FiltersOn, hold_in_worlds_and_after_motion) {
  const Scene scene = testing::many_worlds(40, 7, 5);
  testing::Random random(6);
  const std::vector<Ray> rays = testing::rays_at(testing::flattened(scene), 400, 34);
  Words worlds;
  for (std::size_t i = 0; i < rays.size(); ++i) worlds.push_back(random.below(7));
  RendererOptions options;
  options.device = GetParam();
  options.moves = true;
  Renderer renderer(scene, options);
  const ByHand by_hand(renderer, rays, worlds);
  for (const Filter& filter : filters_for(scene, rays, worlds))
    require_right(renderer, rays, filter, by_hand.answers(filter), worlds);
  std::vector<Transform> moved;
  for (u32 i = 0; i < scene.instance_count(); ++i)
    moved.push_back(testing::random_transform(random, 0.5f, 2.0f, 6.0f));
  renderer.set_transforms(moved);
  renderer.follow();
  const Words masks(scene.instance_count(), 2u);
  const Filter filter{"moved", Sides::back, 6u, {}, {}, masks};
  const ByHand after(renderer, rays, worlds);
  require_right(renderer, rays, filter, after.answers(filter), worlds);
}

TEST(Filters, hold_in_every_pipeline_and_do_not_change_its_other_casts) {
  const Scene scene = testing::drawn_scene();
  const std::vector<Ray> rays = rays_for(scene);
  Renderer renderer(scene, {"emulated"});
  const Filter last = filters_for(scene, rays).back();
  const ByHand by_hand(renderer, rays);
  for (const Filter& filter : {last, Filter{"none"}}) {
    const Answers expected = by_hand.answers(filter);
    for (const char* pipeline : {"passes", "queue", "block", "warp"}) {
      SCOPED_TRACE(pipeline);
      require_right(renderer, rays, filter, expected, {}, CastOptions{pipeline});
    }
  }
}

Hit cast_at(Renderer& renderer, const Ray& ray, const RayFilter& filter) {
  Hit hit;
  renderer.closest({&ray, 1}, {&hit, 1}, {}, {}, filter);
  return hit;
}

TEST(Filters, choose_the_wall_that_is_asked_for) {
  const Scene cube(testing::scene_of(testing::cube()));
  const Ray down{{0.5f, 0.4f, 10.0f}, 0.0f, {0, 0, -1}, unbounded()};
  const Ray out{{0.5f, 0.4f, 0.5f}, 0.0f, {0, 0, -1}, unbounded()};
  Renderer renderer(cube, {"cpu"});
  EXPECT_EQ(cast_at(renderer, down, {Sides::front}).t, 9.0f);
  EXPECT_EQ(cast_at(renderer, down, {Sides::back}).t, 10.0f);
  EXPECT_FALSE(cast_at(renderer, out, {Sides::front}).found());
  EXPECT_EQ(cast_at(renderer, out, {Sides::back}).t, 0.5f);
  // A mirrored instance keeps the front of its mesh.
  const Transform mirror{{{-1, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  Renderer mirrored(make_scene(std::vector<Scene>{cube}, std::vector<Instance>{{0, mirror}}),
                    {"cpu"});
  EXPECT_EQ(cast_at(mirrored, down, {Sides::front}).t, 9.0f);
  EXPECT_EQ(cast_at(mirrored, down, {Sides::back}).t, 10.0f);
  // A triangle that is seen edge-on has no side, and is not hit.
  const Ray along{{-1.0f, 0.25f, 1.0f}, 0.0f, {1, 0, 0}, unbounded()};
  for (const Sides sides : {Sides::both, Sides::front, Sides::back}) {
    const Hit hit = cast_at(renderer, along, {sides});
    EXPECT_EQ(hit.t, sides == Sides::back ? 2.0f : 1.0f) << "only the walls across the ray";
  }
}

TEST(Filters, leave_out_one_of_several_triangles_at_a_place) {
  Renderer renderer(Scene(testing::scene_of(testing::repeated(testing::cube(), 3))), {"cpu"});
  const Ray down{{0.5f, 0.4f, 10.0f}, 0.0f, {0, 0, -1}, unbounded()};
  const Hit first = cast_at(renderer, down, {});
  RayFilter filter;
  filter.skip = &first.triangle;
  const Hit second = cast_at(renderer, down, filter);
  EXPECT_EQ(second.triangle, first.triangle + 12u);
  EXPECT_EQ(second.t, first.t);
}

TEST(Filters, that_have_no_meaning_are_refused) {
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const Scene cube(testing::scene_of(testing::cube()));
  Renderer renderer(cube, {"cpu"});
  const Ray ray{};
  RayFilter filter;
  filter.mask = 1;
  EXPECT_EQ(message_of([&] { cast_at(renderer, ray, filter); }),
            "rays have masks, but the scene has no instances");
  const std::uint32_t twelve = 12;
  filter = {};
  filter.skip = &twelve;
  EXPECT_EQ(message_of([&] { cast_at(renderer, ray, filter); }),
            "ray 0: skips triangle 12, but the scene has 12");
  EXPECT_EQ(message_of([&] {
              renderer.all({&ray, 1}, {}, filter);
            }),
            "ray 0: skips triangle 12, but the scene has 12");
  EXPECT_EQ(message_of([&] { renderer.set_masks(Words{1}); }),
            "masks are of instances, and the scene has none");
  Renderer instances(make_scene(std::vector<Scene>{cube}, std::vector<Instance>{{0}, {0}}),
                     {"cpu"});
  const std::uint32_t two = 2;
  filter = {};
  filter.skip_instances = &two;
  EXPECT_EQ(message_of([&] { cast_at(renderer, ray, filter); }),
            "rays skip instances, but the scene has none");
  EXPECT_EQ(message_of([&] { cast_at(instances, ray, filter); }),
            "ray 0: skips instance 2, but the scene has 2");
  filter = {};
  filter.skip_instance = two;
  EXPECT_EQ(message_of([&] { cast_at(instances, ray, filter); }),
            "rays skip instance 2, but the scene has 2");
  EXPECT_EQ(message_of([&] { instances.set_masks(Words{1}); }),
            "1 masks for a scene that has 2 instances");
}

TEST_P(FiltersOn, begin_with_the_masks_of_the_scene) {
  const Scene scene = testing::random_instances(20, 9);
  auto data = std::make_shared<SceneData>(*scene.data());
  for (u32 i = 0; i < scene.instance_count(); ++i) data->masks.push_back(i % 4u);
  Renderer by_scene(Scene(data), {GetParam()}), by_call(scene, {GetParam()});
  by_call.set_masks(data->masks);
  const std::vector<Ray> rays = testing::rays_at(testing::flattened(scene), 300, 35);
  std::vector<Hit> of_scene(rays.size()), of_call(rays.size()), of_all(rays.size());
  RayFilter filter;
  filter.mask = 2u;
  by_scene.closest(rays, of_scene, {}, {}, filter);
  by_call.closest(rays, of_call, {}, {}, filter);
  EXPECT_EQ(testing::first_difference(of_scene, of_call), rays.size());
  by_scene.set_masks(Words(data->masks.size(), ~0u));
  by_scene.closest(rays, of_all, {}, {}, filter);
  EXPECT_NE(testing::first_difference(of_scene, of_all), rays.size());
}

/// Two renderers in which every third instance is hidden: by its mask, or by its transform.
struct TwoWaysToHide {
  Scene scene = testing::random_instances(20, 9);
  Renderer by_mask, by_transform;

  explicit TwoWaysToHide(const char* device)
      : by_mask(scene, {device}), by_transform(with_transforms(), {device}) {
    Words masks(scene.instance_count(), 5u);
    for (u32 i = 0; i < masks.size(); i += 3) masks[i] = 0u;
    by_mask.set_masks(masks);
  }

 private:
  Scene with_transforms() const {
    auto data = std::make_shared<SceneData>(*scene.data());
    for (u32 i = 0; i < data->instances.size(); i += 3) data->instances[i].to_scene = kHidden;
    return Scene(data);
  }
};

TEST_P(FiltersOn, hide_instances_from_points) {
  TwoWaysToHide hidden(GetParam());
  testing::Random random(10);
  std::vector<Vec3f> points;
  for (u32 i = 0; i < 500; ++i) points.push_back(random.point(8.0f));
  const auto same = [&](const auto& ask, auto of_one) {
    std::vector<decltype(of_one)> expected(points.size()), got(points.size());
    ask(hidden.by_transform, expected);
    ask(hidden.by_mask, got);
    EXPECT_EQ(std::memcmp(expected.data(), got.data(), got.size() * sizeof of_one), 0);
  };
  same([&](Renderer& r, auto& out) { r.closest_points(points, out); }, Nearest{});
  same([&](Renderer& r, auto& out) { r.contains(points, out); }, std::uint8_t{});
  same([&](Renderer& r, auto& out) { r.winding_numbers(points, out); }, double{});
}

TEST_P(FiltersOn, hold_in_pictures) {
  TwoWaysToHide hidden(GetParam());
  RenderSettings settings;
  settings.width = 40;
  settings.height = 30;
  settings.samples = 1;
  settings.keep_hits = true;
  settings.camera.eye = Vec3d(0, 2, 14);
  settings.camera.look_at = Vec3d(0, 0, 0);
  for (const Sides sides : {Sides::both, Sides::front, Sides::back})
    for (const char* shading : {"lit", "depth", "visits"}) {
      SCOPED_TRACE(std::string(shading) + ", sides " + std::to_string(static_cast<int>(sides)));
      settings.sides = sides;
      settings.shading = shading;
      const Frame frame = hidden.by_mask.render(settings);
      if (settings.shading == "depth") {  // other shadings also depend on the size of the scene
        EXPECT_EQ(hash_of(frame.image), hash_of(hidden.by_transform.render(settings).image));
      }
      const std::vector<std::string> names{"triangle"};
      const PixelNumbers ids = hidden.by_mask.outputs(settings, names)[0];
      for (u32 pixel = 0; pixel < settings.width * settings.height; ++pixel) {
        const Ray ray =
            hidden.by_mask.pixel_ray(settings, pixel % settings.width, pixel / settings.width);
        const Hit hit = cast_at(hidden.by_mask, ray, {sides});
        ASSERT_TRUE(same_bits(frame.hits[pixel], hit)) << pixel;
        ASSERT_EQ(ids.integers[pixel],
                  hit.found() ? static_cast<int>(hidden.scene.locate(hit.triangle).triangle) : -1);
      }
    }
}

TEST(Filters, that_skip_an_instance_are_explained) {
  const Scene cube(testing::scene_of(testing::cube()));
  Renderer renderer(make_scene(std::vector<Scene>{cube}, std::vector<Instance>{{0}, {0}}), {"cpu"});
  const Ray down{{0.5f, 0.4f, 10.0f}, 0.0f, {0, 0, -1}, unbounded()};
  RayFilter filter;
  filter.skip_instance = 0u;
  const HitExplanation told = renderer.explain(down, false, 0, filter);
  EXPECT_EQ(renderer.scene().locate(told.hit.triangle).instance, 1u);
  EXPECT_NE(told.text.find("left out: the ray skips it"), told.text.npos) << told.text;
  EXPECT_NE(told.json.find("left_out"), told.json.npos);
  renderer.set_masks(Words{~0u, 0u});
  const HitExplanation none = renderer.explain(down, false, 0, filter);
  EXPECT_FALSE(none.hit.found());
  EXPECT_NE(none.text.find("left out: no bit of its mask"), none.text.npos) << none.text;
}

TEST(Filters, are_explained) {
  const Scene cube(testing::scene_of(testing::repeated(testing::cube(), 2)));
  Renderer renderer(cube, {"cpu"});
  const Ray down{{0.5f, 0.4f, 10.0f}, 0.0f, {0, 0, -1}, unbounded()};
  const HitExplanation told = renderer.explain(down, false, 0, {Sides::back});
  EXPECT_EQ(told.hit.t, 10.0f);
  EXPECT_NE(told.text.find("it is the front, which does not count"), told.text.npos) << told.text;
  RayFilter filter;
  const u32 first = cast_at(renderer, down, {}).triangle;
  filter.skip = &first;
  const HitExplanation other = renderer.explain(down, false, 0, filter);
  EXPECT_EQ(other.hit.triangle, first + 12u);
  EXPECT_EQ(other.hit.t, 9.0f);
}

}  // namespace filters_test
}  // namespace ballotcast::detail
