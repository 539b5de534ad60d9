// Tests crossings: counted once at edges and corners, in order, and the same on every device.
#include <gtest/gtest.h>

#include "helpers/devices.hpp"
#include "helpers/exact.hpp"
#include "kernels/queries/crossings_at_once.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace crossings_test {

/// The surface of a cube from 0 to n. Each side has n by n squares of two triangles. Corners are
/// not shared.
Mesh cube(u32 n) {
  Mesh mesh;
  for (u32 axis = 0; axis < 3; ++axis)
    for (const u32 level : {0u, n})
      for (u32 i = 0; i < n; ++i)
        for (u32 k = 0; k < n; ++k) {
          const auto corner = [&](u32 di, u32 dk) {
            float p[3];
            p[axis] = static_cast<float>(level);
            p[(axis + 1) % 3] = static_cast<float>(i + di);
            p[(axis + 2) % 3] = static_cast<float>(k + dk);
            mesh.positions.push_back({p[0], p[1], p[2]});
          };
          const auto first = static_cast<u32>(mesh.positions.size());
          corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1);
          mesh.triangles.push_back({first, first + 1, first + 2});
          mesh.triangles.push_back({first, first + 2, first + 3});
        }
  return mesh;
}

/// `count` squares perpendicular to the z axis, one behind the other. Each consists of two
/// triangles.
Mesh pile(u32 count) {
  Mesh mesh;
  for (u32 i = 0; i < count; ++i) {
    const auto z = static_cast<float>(i + 1);
    const u32 first = 4 * i;
    for (const vec3 p : {vec3(-1, -1, z), vec3(1, -1, z), vec3(1, 1, z), vec3(-1, 1, z)})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  return mesh;
}

const float kFar = std::numeric_limits<float>::infinity();

std::vector<u32> counts_of(Renderer& renderer, const std::vector<Ray>& rays) {
  std::vector<u32> counts(rays.size());
  renderer.count(rays, counts);
  return counts;
}

/// All crossings, found by testing every triangle without a tree.
std::vector<Hit> crossings_of(const PreparedScene& prepared, const Ray& given) {
  const RayToCast cast = ray_to_cast(given, prepared.view.magnitude);
  const Ray& ray = cast.ray;
  const RaySetup& s = cast.setup;
  std::vector<Hit> all;
  if (!s.valid) return all;
  const Mesh& mesh = prepared.scene->mesh;
  for (u32 id = 0; id < mesh.triangles.size(); ++id) {
    const TriangleRows t = mesh.rows_of(id);
    Crossing found;
    if (!cross_triangle(s, t.row[s.kx()], t.row[s.ky()], t.row[s.kz], ray.t_min, ray.t_max,
                        found) ||
        !(found.hit.t > ray.t_min))
      continue;
    const Hit& hit = found.hit;
    if (prepared.view.has_cutouts && is_cut_out(prepared.view, {id, 0u}, hit.u, hit.v)) continue;
    all.push_back(hit);
  }
  std::sort(all.begin(), all.end(), [](const Hit& a, const Hit& b) {
    return a.t < b.t || (a.t == b.t && a.triangle < b.triangle);
  });
  for (Hit& hit : all) give_back_if_far(given, prepared.view.magnitude, hit);
  return all;
}

TEST(Crossings, are_odd_exactly_where_the_winding_number_is) {
  const vec3 round(524288.0f), flat(1048576.0f, 3.0f, 1048576.0f), long_(4.0f, 1048576.0f, 64.0f);
  const Mesh meshes[] = {
      testing::rounded(testing::sphere(24), round), testing::rounded(testing::torus(24), round),
      testing::rounded(testing::sphere(24), flat), testing::rounded(testing::sphere(40), long_)};
  u64 rays_cast = 0, inside = 0;
  for (const Mesh& whole : meshes) {
    const testing::ExactMesh exact(whole);
    const Mesh& mesh = exact.mesh();
    Renderer renderer(testing::scene_of(mesh), {"cpu"});
    testing::Random random(3);
    const Aabb box = mesh.bounds();
    for (u32 place = 0; place < 60; ++place) {
      const vec3 origin = {nearbyintf(random.between(box.low.x, box.high.x)),
                           nearbyintf(random.between(box.low.y, box.high.y)),
                           nearbyintf(random.between(box.low.z, box.high.z))};
      // Rounding decides on which side of the plane the origin is.
      if (exact.in_a_plane(origin)) continue;
      const int winding = exact.winding_number(origin);
      const std::vector<Ray> rays = testing::rays_at_edges(mesh, origin, 1000, random);
      const std::vector<u32> counts = counts_of(renderer, rays);
      std::vector<Hit> closest(rays.size());
      renderer.closest(rays, closest);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(counts[i] % 2, winding % 2 ? 1u : 0u) << "ray " << i << " of place " << place;
        ASSERT_TRUE(winding == 0 || closest[i].found());
      }
      rays_cast += rays.size();
      inside += winding != 0 ? rays.size() : 0;
    }
  }
  EXPECT_GT(inside, rays_cast / 20);
  EXPECT_LT(inside, rays_cast);
}

TEST(Crossings, of_a_convex_mesh_from_inside_are_one) {
  for (const float radius : {1e-6f, 1.0f, 1e6f})
    for (const vec3 center : {vec3(0.0f), vec3(1e3f, -2e3f, 5e2f) * radius}) {
      const Mesh mesh = testing::sphere(32, center, radius);
      Renderer renderer(testing::scene_of(mesh), {"cpu"});
      testing::Random random(5);
      std::vector<Ray> rays;
      for (u32 i = 0; i < 20000; ++i) {
        const vec3 origin = center + random.point(0.5f) * radius;
        const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
        const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y];
        const float s = random.unit();
        rays.push_back({origin, 0.0f, (i % 2 ? a : a * s + b * (1.0f - s)) - origin, kFar});
      }
      const std::vector<u32> counts = counts_of(renderer, rays);
      EXPECT_EQ(std::count(counts.begin(), counts.end(), 1u), std::ptrdiff_t(rays.size()));
    }
}

TEST(Crossings, along_axes_through_corners_and_edges_are_two_or_at_silhouettes_none) {
  const u32 n = 4;
  const Mesh mesh = cube(n);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  std::vector<Ray> rays;
  std::vector<bool> grazes;
  for (u32 axis = 0; axis < 3; ++axis)
    for (const float sign : {1.0f, -1.0f})
      for (u32 i = 0; i <= 2 * n; ++i)
        for (u32 k = 0; k <= 2 * n; ++k) {
          float from[3], to[3] = {0, 0, 0};
          from[axis] = sign > 0 ? -3.0f : 9.0f;
          to[axis] = sign;
          from[(axis + 1) % 3] = 0.5f * static_cast<float>(i);
          from[(axis + 2) % 3] = 0.5f * static_cast<float>(k);
          rays.push_back({{from[0], from[1], from[2]}, 0.0f, {to[0], to[1], to[2]}, kFar});
          grazes.push_back(i % (2 * n) == 0 || k % (2 * n) == 0);
        }
  const AllHits all = renderer.all(rays);
  u32 grazing_hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto hits = all.of(i);
    if (grazes[i]) {
      EXPECT_TRUE(hits.empty() || hits.size() == 2) << hits.size();
      grazing_hits += hits.empty() ? 0 : 1;
      continue;
    }
    ASSERT_EQ(hits.size(), 2u) << "ray " << i;
    EXPECT_EQ(std::abs(hits[1].t - hits[0].t), float(n));
  }
  EXPECT_GT(grazing_hits, 0u);
}

/// Tests a ray through `count` squares, and other rays through most or few of them.
void expect_all_of_a_pile(const std::string& device, u32 count) {
  Renderer renderer(testing::scene_of(pile(count)), {device});
  const Ray through[] = {{vec3(0.0f), 0.0f, vec3(0, 0, 1), kFar},
                         {vec3(0.25f, 0.25f, 0.0f), 1.0f, vec3(0, 0, 1), kFar},
                         {vec3(0.5f, -0.5f, 0.0f), 0.0f, vec3(0, 0, 1), 7.0f}};
  const AllHits all = renderer.all(through);
  EXPECT_EQ(all.of(0).size(), count);
  EXPECT_EQ(all.of(1).size(), count - 1) << "t_min itself is no hit";
  EXPECT_EQ(all.of(2).size(), 7u) << "t_max itself is one";
  for (std::size_t i = 0; i < all.of(0).size(); ++i)
    EXPECT_EQ(all.of(0)[i].t, static_cast<float>(i + 1));
}

TEST(Crossings, are_all_found_where_there_are_more_than_a_walk_collects) {
  for (const char* device : {"cpu", "emulated"})
    for (const u32 count : {7u, kCrossingsAtOnce - 1u, kCrossingsAtOnce, kCrossingsAtOnce + 1u,
                            2u * kCrossingsAtOnce, 3u * kCrossingsAtOnce + 1u})
      expect_all_of_a_pile(device, count);
}

TEST(Crossings, are_the_same_on_every_device_layout_and_tree_and_without_a_tree) {
  const std::shared_ptr<const SceneData> scenes[] = {
      testing::scene_of(testing::soup(1500, 21)),
      testing::scene_of(testing::sphere(20)),
      testing::scene_of(testing::repeated(testing::soup(60, 22), 25)),
      testing::scene_of(testing::repeated(testing::soup(2, 23), 1000)),
      std::make_shared<SceneData>(testing::textured_scene()),
      testing::scene_of({})};
  for (const auto& scene : scenes) {
    std::vector<Ray> rays = testing::rays_at(scene->mesh, 1500, 9);
    for (const Ray& far : testing::far_rays_at(scene->mesh, 500, 9)) rays.push_back(far);
    AllHits reference;
    for (const char* device : {"cpu", "emulated"})
      for (const std::string& layout : testing::layout_names())
        for (const char* builder : {"fast", "balanced", "best"}) {
          Renderer renderer(scene, {device, builder, layout});
          const AllHits all = renderer.all(rays);
          if (reference.starts.empty()) {
            for (std::size_t i = 0; i < rays.size(); ++i) {
              const auto expected = crossings_of(prepared_of(renderer), rays[i]);
              const auto got = all.of(i);
              ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end(),
                                     [](const Hit& a, const Hit& b) { return same_bits(a, b); }))
                  << "ray " << i << ": " << got.size() << " of " << expected.size();
            }
            reference = all;
            continue;
          }
          ASSERT_EQ(all.starts, reference.starts) << device << layout << builder;
          ASSERT_EQ(testing::first_difference(all.hits, reference.hits), all.hits.size())
              << device << layout << builder;
        }
  }
}

TEST(Crossings, begin_with_a_closest_hit) {
  const Mesh mesh = testing::soup(2000, 5);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  testing::Random random(2);
  std::vector<Ray> rays;
  for (u32 i = 0; i < 20000; ++i) rays.push_back({random.point(2.0f), 0.0f, random.point(), kFar});
  std::vector<Hit> closest(rays.size());
  renderer.closest(rays, closest);
  const AllHits all = renderer.all(rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(closest[i].found(), !all.of(i).empty());
    ASSERT_TRUE(!closest[i].found() || same_bits(closest[i], all.of(i)[0]));
  }
}

TEST(Crossings, from_far_away_agree_with_closest_and_any_hits_and_with_one_another) {
  const Mesh mesh = testing::soup(2000, 5);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  testing::Random random(3);
  std::vector<Ray> rays, below, above;
  for (u32 i = 0; i < 20000; ++i) {
    vec3 origin = random.point(1.0f), direction(0.0f);
    const u32 axis = random.below(3);
    const float away = std::pow(10.0f, static_cast<float>(3 + random.below(8)));
    (axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z) = i % 2 ? 0.5f : -4.0f;
    origin = origin - direction * away;
    rays.push_back({origin, i % 3 ? 0.0f : -kFar, direction, kFar});
    // Divides the ray in two at t = `away`, where it is in the scene; every fifth ray at the next
    // larger float, which lies behind the scene if `away` is large.
    const float cut = std::nextafterf(away, i % 5 ? away : kFar);
    below.push_back({origin, rays.back().t_min, direction, cut});
    above.push_back({origin, cut, direction, kFar});
  }
  const std::vector<u32> counts = counts_of(renderer, rays), some = counts_of(renderer, below),
                         others = counts_of(renderer, above);
  std::vector<Hit> closest(rays.size()), any(rays.size());
  renderer.closest(rays, closest);
  renderer.any(rays, any);
  const AllHits all = renderer.all(rays);
  u32 found = 0, split = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto hits = all.of(i);
    ASSERT_EQ(hits.size(), counts[i]);
    ASSERT_EQ(some[i] + others[i], counts[i]);
    ASSERT_EQ(closest[i].found(), !hits.empty());
    ASSERT_EQ(any[i].found(), !hits.empty());
    ASSERT_TRUE(!closest[i].found() || same_bits(closest[i], hits[0]));
    for (std::size_t k = 1; k < hits.size(); ++k) ASSERT_LE(hits[k - 1].t, hits[k].t);
    found += closest[i].found() ? 1 : 0;
    split += some[i] > 0 && others[i] > 0 ? 1 : 0;
  }
  EXPECT_GT(found, rays.size() / 10);
  EXPECT_GT(split, found / 10);
}

TEST(Crossings, want_room_for_each_ray) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  const std::vector<Ray> rays(3, idle_ray());
  std::vector<u32> counts(2);
  EXPECT_THROW(renderer.count(rays, counts), UsageError);
  EXPECT_TRUE(renderer.all({}).hits.empty());
  EXPECT_EQ(renderer.all(rays).starts, (std::vector<u64>{0, 0, 0, 0}));
}

}  // namespace crossings_test
}  // namespace ballotcast::detail
