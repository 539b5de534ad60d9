// Tests scenes of instances: rays hit what they hit in each mesh, and ids lead to instances.
#include "scene/instances/instances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "kernels/pipelines/pipelines.hpp"
#include "kernels/strategies/strategies.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace instances_test {

using testing::drawn_scene;
using testing::flattened;
using testing::Random;
using testing::random_transform;

/// A scene without instances.
Scene still(Mesh mesh) { return Scene(testing::scene_of(std::move(mesh))); }

constexpr float kForever = std::numeric_limits<float>::infinity();

/// The closest hit, found by testing every triangle of every instance. The transform of a ray into
/// an instance is written out here.
Hit tested_one_by_one(const Scene& scene, const Ray& ray) {
  const SceneData& data = *scene.data();
  Hit best = miss_of(ray);
  for (const SceneInstance& instance : data.instances) {
    const Transform w = inverse_of(instance.to_scene);
    const auto point = [&](int i, const Vec3f& p) {
      return std::fma(w.rows[i][0], p.x,
                      std::fma(w.rows[i][1], p.y, std::fma(w.rows[i][2], p.z, w.rows[i][3])));
    };
    const auto direction = [&](int i, const Vec3f& d) {
      return std::fma(w.rows[i][0], d.x, std::fma(w.rows[i][1], d.y, w.rows[i][2] * d.z));
    };
    const Ray inside{
        {point(0, ray.origin), point(1, ray.origin), point(2, ray.origin)},
        ray.t_min,
        {direction(0, ray.direction), direction(1, ray.direction), direction(2, ray.direction)},
        ray.t_max};
    // The value 1 only matters for boxes.
    const RaySetup s = make_setup(inside, 1.0f, kLargestSlopeInside);
    for (u32 i = 0; i < data.parts[instance.mesh].count; ++i) {
      const TriangleRows t = data.mesh.rows_of(instance.first_triangle + i);
      Hit hit = miss_of(ray);
      intersect_triangle(s, ray.t_min, t.row[s.kx()], t.row[s.ky()], t.row[s.kz], hit, EveryHit{});
      if (!hit.found()) continue;
      hit.triangle = instance.first_id + i;
      if (precedes(hit.t, hit.triangle, best)) best = hit;
    }
  }
  return best;
}

/// Rays that are aimed at vertices of instances or at random points, or are parallel to axes.
std::vector<Ray> rays_into(const Scene& scene, u32 count, u32 seed, float away) {
  const SceneData& data = *scene.data();
  const Aabb box = data.bounds();
  const float size = largest_magnitude(box.extent());
  Random random(seed);
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = box.center() + random.point(size * away);
    const SceneInstance& at = data.instances[random.below(static_cast<u32>(data.instances.size()))];
    const u32 triangle = at.first_triangle + random.below(data.parts[at.mesh].count);
    const vec3 corner =
        transformed_point(at.to_scene, data.mesh.positions[data.mesh.triangles[triangle][i % 3]]);
    vec3 direction = corner - from;
    if (i % 5 == 4) direction = random.point();
    if (i % 7 == 6) direction = {0.0f, i % 2 ? 1.0f : -1.0f, 0.0f};
    if (i % 11 == 10) direction = direction * 1e4f;
    rays.push_back({from, i % 13 == 12 ? -kForever : 0.0f, direction, kForever});
  }
  return rays;
}

void expect_same(const std::vector<Hit>& hits, const std::vector<Hit>& expected,
                 const std::string& what) {
  u32 wrong = 0, found = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    found += expected[i].found() ? 1 : 0;
    if (same_bits(hits[i], expected[i])) continue;
    if (wrong++ < 3)
      ADD_FAILURE() << what << ", ray " << i << ": " << hits[i].triangle << " at " << hits[i].t
                    << ", not " << expected[i].triangle << " at " << expected[i].t;
  }
  EXPECT_EQ(wrong, 0u) << what << ": of " << hits.size();
  EXPECT_GT(found, hits.size() / 8) << what;
}

std::vector<Hit> closest(const Scene& scene, const RendererOptions& options,
                         const std::vector<Ray>& rays, const CastOptions& how = {}) {
  Renderer renderer(scene, options);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, how);
  return hits;
}

/// A scene of meshes whose coordinates have few bits. The transforms of instances are exact for
/// them.
Scene exact_scene() {
  Random random(7);
  const auto coarse = [&](Mesh mesh) {
    for (vec3& p : mesh.positions) p = glm::floor(p * 64.0f) / 64.0f + 0.0f;
    return still(mesh);
  };
  const std::vector<Scene> meshes = {coarse(testing::sphere(8)), coarse(testing::soup(200, 3))};
  std::vector<Instance> instances = {{0}, {1}};
  for (u32 i = 0; i < 20; ++i) {
    Transform m{};
    const u32 turn = random.below(3);
    const float scale = std::ldexp(1.0f, static_cast<int>(random.below(5)) - 2);
    for (u32 k = 0; k < 3; ++k) {
      for (float& number : m.rows[k]) number = 0.0f;
      m.rows[k][(k + turn) % 3] = random.below(2) ? scale : -scale;
      m.rows[k][3] = std::ldexp(random.below(2) ? 1.0f : -1.0f, static_cast<int>(random.below(4)));
    }
    instances.push_back({i % 2, m});
  }
  return make_scene(meshes, instances);
}

/// Rays whose origins have few bits, so that transforms are exact for them.
std::vector<Ray> exact_rays(const Scene& scene, u32 count) {
  std::vector<Ray> rays = rays_into(scene, count, 11, 1.5f);
  for (Ray& ray : rays) ray.origin = vec3(glm::floor(vec3(ray.origin) * 256.0f) / 256.0f + 0.0f);
  return rays;
}

class InstancesOn : public ::testing::TestWithParam<const char*> {};

TEST_P(InstancesOn, have_the_bits_of_copied_triangles_where_transforms_are_exact) {
  const Scene scene = exact_scene();
  const Mesh flat = flattened(scene);
  const std::vector<Ray> rays = exact_rays(scene, 3000);
  for (const std::string& layout : testing::layout_names()) {
    Renderer placed(scene, {GetParam(), "balanced", layout});
    Renderer copied(still(flat), {GetParam(), "balanced", layout});
    std::vector<Hit> hits(rays.size()), expected(rays.size());
    placed.closest(rays, hits);
    copied.closest(rays, expected);
    expect_same(hits, expected, layout);
    std::vector<u32> counts(rays.size()), expected_counts(rays.size());
    placed.count(rays, counts);
    copied.count(rays, expected_counts);
    EXPECT_EQ(counts, expected_counts);
    expect_same(placed.all(rays).hits, copied.all(rays).hits, "all");
    placed.any(rays, hits);
    for (std::size_t i = 0; i < rays.size(); ++i)
      ASSERT_EQ(hits[i].found(), expected[i].found()) << i;
  }
}

TEST_P(InstancesOn, lose_no_hit_whatever_their_transforms) {
  struct Case {
    float least, most, reach, away;
    u32 instances;
  };
  for (const Case& c : {Case{0.5f, 2.0f, 3.0f, 1.0f, 30}, Case{0.01f, 8.0f, 100.0f, 3.0f, 30},
                        Case{1.0f, 1.0f, 5000.0f, 20.0f, 10}, Case{1e-3f, 2e-3f, 1.0f, 0.6f, 40},
                        Case{1.0f, 1.0f, 0.0f, 0.5f, 1}, Case{2e-3f, 3.0f, 1.0f, 2.0f, 40}}) {
    SCOPED_TRACE("scales " + std::to_string(c.least) + " to " + std::to_string(c.most));
    Random random(5);
    const std::vector<Scene> meshes = {still(testing::sphere(5)), still(testing::torus(6)),
                                       still(testing::soup(60, 9))};
    std::vector<Instance> instances;
    for (u32 i = 0; i < c.instances; ++i)
      instances.push_back({i % 3, random_transform(random, c.least, c.most, c.reach)});
    const Scene scene = make_scene(meshes, instances);
    const std::vector<Ray> rays = rays_into(scene, 1500, 2, c.away);
    std::vector<Hit> expected;
    for (const Ray& ray : rays) expected.push_back(tested_one_by_one(scene, ray));
    for (const std::string& layout : testing::layout_names())
      for (const char* builder : {"ploc", "sbvh"})
        expect_same(closest(scene, {GetParam(), builder, layout}, rays), expected, layout);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, InstancesOn, testing::kDevices, testing::name_of_device);

TEST(Instances, give_one_answer_in_every_pipeline_and_with_every_strategy) {
  const Scene scene = exact_scene();
  const std::vector<Ray> rays = rays_into(scene, 600, 3, 1.0f);
  for (const std::string& layout : testing::layout_names()) {
    Renderer cpu(scene, {"cpu", "ploc", layout}), emulated(scene, {"emulated", "ploc", layout});
    std::vector<Hit> hits(rays.size()), expected(rays.size());
    u32 combinations = 0;
    for (const PipelineInfo& pipeline : rows_of(Pipelines{}))
      for (const StrategyInfo& strategy : rows_of(Strategies{})) {
        CastOptions how;
        how.pipeline = pipeline.name;
        how.atomics = strategy.name;
        how.block_size = 64;
        CastCounts counts, expected_counts;
        try {
          expected_counts = cpu.closest(rays, expected, how);
        } catch (const UsageError&) {
          continue;  // this pipeline can't use this strategy
        }
        ++combinations;
        counts = emulated.closest(rays, hits, how);
        expect_same(hits, expected, how.pipeline.c_str());
        EXPECT_EQ(counts.passes, expected_counts.passes) << how.pipeline << how.atomics;
        EXPECT_EQ(counts.counter, expected_counts.counter) << how.pipeline << how.atomics;
        cpu.any(rays, expected, how);
        emulated.any(rays, hits, how);
        expect_same(hits, expected, how.pipeline.c_str());
      }
    EXPECT_GT(combinations, 8u);
  }
}

TEST(Instances, are_near_the_copied_triangles_where_transforms_round) {
  Random random(15);
  std::vector<Instance> instances;
  for (u32 i = 0; i < 20; ++i) instances.push_back({0, random_transform(random, 0.5f, 2.0f, 4.0f)});
  const std::vector<Scene> meshes = {still(testing::sphere(12))};
  const Scene scene = make_scene(meshes, instances);
  const std::vector<Ray> rays = rays_into(scene, 3000, 5, 1.0f);
  const RendererOptions options{"cpu"};
  const std::vector<Hit> placed = closest(scene, options, rays);
  const std::vector<Hit> copied = closest(still(flattened(scene)), options, rays);
  const Renderer renderer(scene, options);
  const PreparedScene& prepared = prepared_of(renderer);
  const WorldTree& world = prepared.levels.worlds[0];
  const float slack = world.slack * box_slack(8.0f * world.frame.magnitude);
  u32 compared = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (placed[i].triangle != copied[i].triangle || !placed[i].found()) continue;
    ++compared;
    const float way = std::abs(placed[i].t - copied[i].t) * largest_magnitude(rays[i].direction);
    // At a grazing surface, an error moves the hit along the ray by more than the error itself.
    const vec3 corner_normal = surface_at(prepared.view, rays[i], placed[i]).geometric_normal;
    const float slant = std::abs(dot(corner_normal, unit_or(rays[i].direction, vec3(1.0f))));
    EXPECT_LE(way * slant, slack) << i;
  }
  EXPECT_GT(compared, 1000u);
}

TEST(Instances, are_found_by_the_ids_of_their_triangles) {
  const std::vector<Scene> meshes = {still(testing::sphere(4)), still(testing::torus(4))};
  const std::vector<Instance> instances = {{1}, {0}, {1, moved_by(4, 0, 0)}};
  const Scene scene = make_scene(meshes, instances);
  const u32 ball = meshes[0].triangle_count(), ring = meshes[1].triangle_count();
  EXPECT_EQ(scene.instance_count(), 3u);
  EXPECT_EQ(scene.triangle_count(), ball + 2 * ring);
  const auto at = [&](u32 id) {
    const Location l = scene.locate(id);
    return std::vector<u32>{l.instance, l.mesh, l.triangle};
  };
  EXPECT_EQ(at(0), (std::vector<u32>{0, 1, 0}));
  EXPECT_EQ(at(ring - 1), (std::vector<u32>{0, 1, ring - 1}));
  EXPECT_EQ(at(ring), (std::vector<u32>{1, 0, 0}));
  EXPECT_EQ(at(ring + ball), (std::vector<u32>{2, 1, 0}));
  EXPECT_EQ(at(2 * ring + ball - 1), (std::vector<u32>{2, 1, ring - 1}));
  EXPECT_THROW(scene.locate(2 * ring + ball), UsageError);
  const std::vector<Ray> ray = {{{4.8f, 5.0f, 0.05f}, 0.0f, {0.0f, -1.0f, 0.0f}, kForever}};
  const Hit hit = closest(scene, {"cpu"}, ray)[0];
  ASSERT_TRUE(hit.found());
  EXPECT_EQ(scene.locate(hit.triangle).instance, 2u);
}

TEST(Instances, may_be_of_empty_meshes_or_all_the_same) {
  const std::vector<Scene> meshes = {still(Mesh{}), still(testing::sphere(4))};
  std::vector<Instance> instances(70, Instance{1});
  instances.insert(instances.begin(), 5, Instance{0});
  const Scene scene = make_scene(meshes, instances);
  const std::vector<Ray> ray = {{{0.1f, 0.2f, 5.0f}, 0.0f, {0.0f, 0.0f, -1.0f}, kForever}};
  for (const std::string& layout : testing::layout_names()) {
    Renderer renderer(scene, {"cpu", "balanced", layout});
    std::vector<Hit> hits(1);
    renderer.closest(ray, hits);
    ASSERT_TRUE(hits[0].found());
    EXPECT_EQ(scene.locate(hits[0].triangle).instance, 5u);  // the smallest id among equal t
    std::vector<u32> counts(1);
    renderer.count(ray, counts);
    EXPECT_EQ(counts[0], 140u);
  }
  const std::vector<Instance> empty(3, Instance{0});
  EXPECT_FALSE(closest(make_scene(meshes, empty), {"cpu"}, ray)[0].found());
}

std::string refusal(const std::vector<Instance>& instances) {
  const std::vector<Scene> meshes = {still(testing::sphere(4))};
  try {
    make_scene(meshes, instances);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Instances, with_unusable_transforms_are_refused_by_name) {
  const auto scaled = [](float x, float y, float z) {
    return Transform{{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
  };
  const Instance good{};
  EXPECT_EQ(refusal({good, {0, scaled(1, 1, -1)}}), "");
  EXPECT_EQ(refusal({good, {0, scaled(1, 1, 0)}}),
            "instance 1: its transform flattens the mesh, or has no inverse");
  EXPECT_EQ(refusal({{0, kHidden}}), "");
  Transform hidden_elsewhere = kHidden;
  hidden_elsewhere.rows[0][3] = 1.0f;
  EXPECT_EQ(refusal({{0, hidden_elsewhere}}),
            "instance 0: its transform flattens the mesh, or has no inverse");
  EXPECT_EQ(refusal({good, good, {0, moved_by(0, 1e10f, 0)}}),
            "instance 2: its transform moves the mesh too far away for its size there");
  EXPECT_NE(refusal({good, good, {0, scaled(NAN, 1, 1)}}).find("instance 2: "), std::string::npos);
  EXPECT_NE(refusal({{0, moved_by(INFINITY, 0, 0)}}).find("not finite"), std::string::npos);
  EXPECT_NE(refusal({{0, scaled(3e6f, 3e6f, 3e6f)}}).find("2^20"), std::string::npos);
  EXPECT_NE(refusal({{0, scaled(1, 1, 1e4f)}}).find("4096"), std::string::npos);
  EXPECT_NE(
      refusal({{0, scaled(1e-5f, 1e-5f, 1e-5f)}, {0, moved_by(3e8f, 0, 0)}}).find("too small"),
      std::string::npos);
  EXPECT_NE(refusal({{1}}).find("mesh 1 of 1"), std::string::npos);
  EXPECT_NE(refusal({{0, {}, 7}}).find("material 7 of 1"), std::string::npos);
}

TEST(Instances, end_where_ids_do) {
  const std::vector<Scene> meshes = {still(testing::soup(1 << 17, 1))};
  const u32 triangles = meshes[0].triangle_count();
  const u64 fit = kMostIds / triangles;
  EXPECT_EQ(make_scene(meshes, std::vector<Instance>(fit)).triangle_count(), fit * triangles);
  EXPECT_THROW(make_scene(meshes, std::vector<Instance>(fit + 1)), InputError);
}

TEST(Instances, cannot_be_nested) {
  const std::vector<Scene> meshes = {still(testing::sphere(4))};
  const std::vector<Instance> one(1);
  const std::vector<Scene> nested = {make_scene(meshes, one)};
  EXPECT_THROW(make_scene(nested, one), InputError);
}

TEST(Instances, are_drawn_alike_on_every_device) {
  const Scene scene = drawn_scene();
  for (const char* shading : {"lit", "normal", "facing", "albedo", "ao", "depth"}) {
    RenderSettings settings;
    settings.width = 48;
    settings.height = 32;
    settings.samples = 2;
    settings.shading = shading;
    const auto picture = [&](const RendererOptions& options) {
      return hash_of(Renderer(scene, options).render(settings).image);
    };
    EXPECT_EQ(picture({"cpu", "sbvh", "bvh2"}), picture({"emulated", "ploc", "grid2"})) << shading;
  }
}

/// A scene that contains transformed copies of the triangles instead of instances.
Scene copied(const Scene& scene) {
  auto data = std::make_shared<SceneData>(*scene.data());
  Mesh flat = flattened(scene);
  const Mesh& mesh = scene.data()->mesh;
  for (u32 i = 0; i < scene.triangle_count(); ++i) {
    const Location at = scene.locate(i);
    const SceneInstance& instance = data->instances[at.instance];
    const u32 triangle = instance.first_triangle + at.triangle;
    flat.material_of.push_back(instance.material != kOwnMaterials ? instance.material
                                                                  : mesh.material_index(triangle));
    for (int k = 0; k < 3; ++k)
      flat.vertex_opacity.push_back(mesh.vertex_opacity[mesh.triangles[triangle][k]]);
    const bool mirrored = mirrors(instance.to_scene);
    // A mirroring transform reverses the order of the corners.
    if (mirrored) std::swap(flat.triangles[i].y, flat.triangles[i].z);
    for (const u32 k : {0u, mirrored ? 2u : 1u, mirrored ? 1u : 2u}) {
      const vec3 normal =
          transformed_normal(instance.to_scene, mesh.corner_normals[3 * triangle + k]);
      flat.corner_normals.push_back(unit_or(normal, vec3(0.0f)));
      flat.corner_texcoords.push_back(mesh.corner_texcoords[3 * triangle + k]);
    }
  }
  data->mesh = flat;
  data->instances.clear();
  data->parts.clear();
  return Scene(data);
}

TEST(Instances, look_like_copied_triangles) {
  const Scene scene = drawn_scene(), flat = copied(scene);
  for (const char* shading : {"lit", "normal", "facing", "albedo", "ao", "depth"}) {
    RenderSettings settings;
    settings.width = 96;
    settings.height = 64;
    settings.samples = shading == std::string("lit") ? 64 : 4;
    settings.shading = shading;
    settings.exposure = 1.0f;
    settings.white_balance = "none";
    settings.camera = Camera{{1.0, 5.0, 16.0}, {0.0, 3.0, 0.0}};
    const Image<Rgb8> a = Renderer(scene, {"cpu"}).render(settings).image;
    const Image<Rgb8> b = Renderer(flat, {"cpu"}).render(settings).image;
    double difference = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
      difference += std::abs(int(a.pixels[i].r) - int(b.pixels[i].r)) +
                    std::abs(int(a.pixels[i].g) - int(b.pixels[i].g)) +
                    std::abs(int(a.pixels[i].b) - int(b.pixels[i].b));
      sum += a.pixels[i].r + a.pixels[i].g + a.pixels[i].b;
    }
    EXPECT_GT(sum, 0.0);
    EXPECT_LT(difference, 0.01 * sum) << shading;
  }
}

}  // namespace instances_test
}  // namespace ballotcast::detail
