// Tests the comparison with tinybvh: how its hits are read. If the header of tinybvh is missing,
// stand_in/tiny_bvh.h replaces it.
#include <gtest/gtest.h>

#include "ballotcast/renderer.hpp"
#include "bench/rays/casts.hpp"
#include "bench/rays/peer_casters.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace tinybvh_test {

/// Rays whose directions have any length, and whose t ranges begin and end anywhere.
std::vector<Ray> rays_through(const Mesh& mesh) {
  const Aabb box = mesh.bounds();
  const float reach = largest_magnitude(box.extent());
  testing::Random random(7);
  std::vector<Ray> rays(4000);
  for (Ray& ray : rays) {
    const vec3 from = box.center() + random.point(reach);
    const vec3 along = box.center() + random.point(0.4f * reach) - from;
    const float scale = random.between(0.01f, 50.0f);
    ray = {from, random.unit() / scale, scale * along, random.between(1.0f, 2.0f) / scale};
    if (random.unit() < 0.5f) ray.t_max = unbounded();
  }
  return rays;
}

TEST(TinyBvh, has_hits_that_mean_what_those_of_this_project_do) {
  const Mesh mesh = testing::sphere(12);
  const std::vector<Ray> rays = rays_through(mesh);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  std::vector<Hit> ours(rays.size());
  renderer.closest(rays, ours);
  const std::vector<PeerMode> modes = tinybvh_modes();
  ASSERT_GE(modes.size(), 2u);
  for (const PeerMode& mode : modes) {
    const auto peer = mode.make(mesh);
    for (const RayKind kind : {RayKind::closest, RayKind::any})
      EXPECT_LE(count_wrong(*peer, {kind, rays}, ours), rays.size() / 400) << mode.name;
    const std::vector<Hit> its = hits_of(*peer, {RayKind::closest, rays});
    u32 found = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (!ours[i].found() || ours[i].triangle != its[i].triangle) continue;
      ++found;
      EXPECT_NEAR(ours[i].u, its[i].u, 1e-2f);
      EXPECT_NEAR(ours[i].v, its[i].v, 1e-2f);
    }
    EXPECT_GT(found, rays.size() / 10) << mode.name;
  }
}

}  // namespace tinybvh_test
}  // namespace ballotcast::detail
