// Compares hits with Embree (robust mode), which shares no code with this project. Hits must be
// equal within rounding.
#include <gtest/gtest.h>

#include "ballotcast/renderer.hpp"
#include "bench/rays/peers.hpp"
#include "helpers/meshes.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace embree_test {

void compare(std::shared_ptr<const SceneData> scene, u32 count, u32 seed) {
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
  std::vector<Hit> embrees(rays.size());
  embree_modes().back().make(mesh)->cast({RayKind::closest, rays}, embrees.data());
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

}  // namespace embree_test
}  // namespace ballotcast::detail
