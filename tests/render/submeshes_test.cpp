// Tests scenes whose trees are built from submeshes, as for very large meshes: every result equals
// that of the same scene with a tree that was built at once.
#include "bvh/builders/submeshes.hpp"

#include <gtest/gtest.h>

#include "ballotcast/frame.hpp"
#include "helpers/devices.hpp"
#include "helpers/materials_scene.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "support/hash.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace submeshes_in_scenes_test {

constexpr u64 kMost = 100;

template <class T>
std::string hash_of_all(const std::vector<T>& values) {
  return digits_of(content_hash(values.data(), values.size() * sizeof(T)));
}

/// The results of all queries and of a picture of a scene, as texts that begin with the name of the
/// query.
std::vector<std::string> answers(Renderer& renderer, const Mesh& mesh) {
  const std::vector<Ray> rays = testing::rays_at(mesh, 500, 4);
  std::vector<std::string> out;
  const auto add = [&](const std::string& name, const auto& values) {
    out.push_back(name + " " + hash_of_all(values));
  };
  std::vector<Hit> hits(rays.size());
  for (const std::size_t few : {std::size_t{50}, rays.size()}) {
    // For many rays, the CPU uses another tree than for few.
    hits.assign(few, {});
    renderer.closest({rays.data(), few}, hits);
    add("closest", hits);
  }
  for (const std::string_view pipeline : {"passes", "queue", "block", "warp"}) {
    renderer.closest(rays, hits, CastOptions{std::string(pipeline)});
    add("closest, " + std::string(pipeline), hits);
  }
  renderer.any(rays, hits);
  std::vector<u32> found;
  for (const Hit& hit : hits) found.push_back(hit.found() ? 1u : 0u);
  add("any", found);
  std::vector<u32> counts(rays.size());
  renderer.count(rays, counts);
  add("count", counts);
  add("all", renderer.all(rays).hits);
  std::vector<u64> per_triangle(mesh.triangles.size());
  renderer.hits_per_triangle(rays, per_triangle);
  add("hits per triangle", per_triangle);
  std::vector<Vec3f> points;
  for (std::size_t i = 0; i < 300; ++i) points.push_back(Vec3f(rays[i].origin));
  std::vector<Nearest> nearest(points.size());
  renderer.closest_points(points, nearest);
  add("closest points", nearest);
  std::vector<std::uint8_t> inside(points.size());
  renderer.contains(points, inside);
  add("inside", inside);
  RenderSettings settings;
  settings.width = 24, settings.height = 18, settings.samples = 2;
  settings.shading = "lit";
  out.push_back("picture " + hash_of(renderer.render(settings).image));
  return out;
}

/// True if the tree of the renderer was built from submeshes.
bool is_of_submeshes(const Renderer& renderer) {
  return prepared_of(renderer).encoded.leaves.count_bits == kSmallLeaves.count_bits;
}

class SubmeshesOn : public ::testing::TestWithParam<const char*> {};

TEST_P(SubmeshesOn, give_the_answers_of_the_whole) {
  SceneData cut_out = testing::materials_scene();  // contains copies and holes
  std::vector<Scene> scenes = {testing::scene_of(testing::soup(700, 5)),
                               Scene(std::make_shared<const SceneData>(std::move(cut_out)))};
  for (const Scene& scene : scenes) {
    const Mesh& mesh = scene.data()->mesh;
    const u64 most = std::min<u64>(kMost, mesh.triangles.size() / 4);
    Renderer whole(scene, {"cpu"});
    const std::vector<std::string> expected = answers(whole, mesh);
    EXPECT_FALSE(is_of_submeshes(whole));
    for (const auto& [builder, layout] : {std::pair("balanced", "grid2"), {"sbvh", "bvh2"}}) {
      const FewerAtOnce few(most);
      Renderer renderer(scene, {GetParam(), builder, layout});
      EXPECT_TRUE(is_of_submeshes(renderer));
      EXPECT_EQ(answers(renderer, mesh), expected) << layout << ", " << builder;
    }
  }
}

TEST_P(SubmeshesOn, follow_vertices) {
  const Mesh mesh = testing::torus(12);
  Mesh moved = mesh;
  std::vector<Vec3f> vertices;
  for (vec3& p : moved.positions) {
    p = vec3(p.x + 0.3f * p.y, p.y * 1.5f, p.z - 0.2f * p.x);
    vertices.push_back(Vec3f(p));
  }
  Renderer still(testing::scene_of(moved), {"cpu"});
  const std::vector<std::string> expected = answers(still, moved);
  const FewerAtOnce few(kMost);
  RendererOptions options{GetParam()};
  options.moves = true;
  Renderer renderer(testing::scene_of(mesh), options);
  for (const Follow how : {Follow::refit, Follow::rebuild}) {
    renderer.set_vertices(vertices);
    renderer.follow(how);
    EXPECT_TRUE(is_of_submeshes(renderer));
    EXPECT_EQ(answers(renderer, moved), expected);
  }
}

TEST_P(SubmeshesOn, are_in_the_parts_of_a_scene) {
  const Mesh mesh = testing::soup(900, 8);
  Renderer whole(testing::scene_of(mesh), {"cpu"});
  const FewerAtOnce few(kMost);
  RendererOptions options{GetParam()};
  options.partition = 3;
  Renderer renderer(testing::scene_of(mesh), options);
  EXPECT_EQ(answers(renderer, mesh), answers(whole, mesh));
}

TEST(Meshes, of_forged_sizes_are_refused_before_they_are_copied) {
  const Vec3f point{};
  const Triangle triangle{};
  const auto refusal = [&](u64 triangles, u64 vertices) {
    return message_of<InputError>([&] {
      make_scene(Span<const Vec3f>(&point, vertices), Span<const Triangle>(&triangle, triangles));
    });
  };
  EXPECT_EQ(refusal(u64{1} << 31, 1), "mesh has 2147483648 triangles; the limit is 1073741823");
  EXPECT_EQ(refusal(1, u64{1} << 32), "mesh has 4294967296 vertices; the limit is 4294967295");
}

TEST(Submeshes, are_explained) {
  const Mesh mesh = testing::soup(700, 5);
  const FewerAtOnce few(kMost);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  for (const Ray& ray : testing::rays_at(mesh, 40, 4)) {
    std::vector<Hit> hit(1);
    renderer.closest({&ray, 1}, hit);
    EXPECT_TRUE(testing::same_bits(renderer.explain(ray).hit, hit[0]));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SubmeshesOn, testing::kDevices, testing::name_of_device);

}  // namespace submeshes_in_scenes_test
}  // namespace ballotcast::detail
