// Compares hits with those of Embree (in robust mode), which shares no code with this project. Hits
// must be equal except for rounding.
#include <gtest/gtest.h>

#include "ballotcast/renderer.hpp"
#include "bench/rays/peer_casters.hpp"
#include "helpers/meshes.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace embree_test {

void compare(std::shared_ptr<const SceneData> scene, u32 count, u32 seed) {
  if (!embree_absent().empty()) GTEST_SKIP() << embree_absent();
  const Mesh& mesh = scene->mesh;
  Renderer renderer(scene, {"cpu"});
  Aabb box = mesh.bounds();
  testing::Random random(seed);
  std::vector<Ray> rays;
  const float reach = largest_magnitude(box.extent());
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = box.center() + random.point(reach),
               to = box.center() + random.point(0.4f * reach);
    rays.push_back({from, 0.0f, to - from, 1e30f});
  }
  std::vector<Hit> ours(rays.size());
  renderer.closest(rays, ours);
  const std::vector<PeerMode> modes = embree_modes();
  const auto robust = std::find_if(modes.begin(), modes.end(),
                                   [](const PeerMode& mode) { return mode.name == "robust"; });
  ASSERT_NE(robust, modes.end());
  const std::vector<Hit> embrees = hits_of(*robust->make(mesh), {RayKind::closest, rays});
  u32 found = 0, other_side = 0;
  for (u32 i = 0; i < count; ++i) {
    const Hit theirs = embrees[i];
    found += ours[i].found() ? 1 : 0;
    // At silhouettes, and between surfaces that (nearly) coincide, rounding decides which triangle
    // is hit.
    if (ours[i].found() != theirs.found() || std::abs(ours[i].t - theirs.t) > 1e-4f * theirs.t)
      ++other_side;
    else if (ours[i].triangle == theirs.triangle && ours[i].found()) {
      EXPECT_NEAR(ours[i].u, theirs.u, 1e-2f);
      EXPECT_NEAR(ours[i].v, theirs.v, 1e-2f);
    }
  }
  EXPECT_GT(found, count / 20);
  EXPECT_LE(other_side, count / 20000) << "of " << count;
}

std::shared_ptr<const SceneData> scene_at(const std::string& path) {
  return std::make_shared<const SceneData>(assemble({path}));
}

TEST(Embree, finds_the_same_closest_hits_in_a_sphere) {
  compare(testing::scene_of(testing::sphere(60)), 100000, 1);
}

TEST(Embree, finds_the_same_closest_hits_in_a_scene_of_the_project) {
  for (const char* name : {"/scenes/atrium.obj", "/scenes/blob.obj", "/scenes/terrain.obj"})
    compare(scene_at(std::string(BALLOTCAST_SOURCE_DIR) + name), 100000, 2);
}

TEST(Embree, finds_the_same_closest_hits_in_a_scan) {
  const std::string path = std::string(BALLOTCAST_SHARED_SCENES) + "/small/stanford-bunny.obj";
  if (FILE* file = std::fopen(path.c_str(), "rb"))
    std::fclose(file);
  else
    GTEST_SKIP() << path << " is not here";
  compare(scene_at(path), 100000, 3);
}

TEST(Embree, casts_packets_as_it_casts_rays) {
  if (!embree_absent().empty()) GTEST_SKIP() << embree_absent();
  const Mesh mesh = testing::sphere(20);
  // The last packets are not full. Some rays can't be cast by other libraries.
  std::vector<Ray> rays = testing::rays_at(mesh, 1003, 5);
  rays[3].t_min = -1.0f, rays[500].t_max = 0.0f, rays[1000].origin.x = 3e38f;
  const auto hits_in = [&](std::string_view name, RayKind kind) {
    for (const PeerMode& mode : embree_modes())
      if (mode.name == name) return hits_of(*mode.make(mesh), {kind, rays, true});
    return std::vector<Hit>();
  };
  for (const RayKind kind : {RayKind::closest, RayKind::any})
    for (const std::string quality : {"high", "robust"}) {
      const std::vector<Hit> alone = hits_in(quality, kind);
      for (const char* packets : {"-8", "-16"}) {
        SCOPED_TRACE(quality + packets);
        const std::vector<Hit> hits = hits_in(quality + packets, kind);
        ASSERT_EQ(hits.size(), alone.size());
        u32 different = 0, found = 0;
        for (std::size_t i = 0; i < hits.size(); ++i) {
          found += hits[i].found() ? 1u : 0u;
          different += hits[i].found() != alone[i].found() ||
                               std::abs(hits[i].t - alone[i].t) > 1e-4f * alone[i].t
                           ? 1u
                           : 0u;
        }
        EXPECT_GT(found, hits.size() / 3);
        EXPECT_LE(different, hits.size() / 50) << "rays at corners go either way";
        for (const u32 i : {3u, 500u, 1000u}) EXPECT_FALSE(hits[i].found()) << i;
      }
    }
}

}  // namespace embree_test
}  // namespace ballotcast::detail
