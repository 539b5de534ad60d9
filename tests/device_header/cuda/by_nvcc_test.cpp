// Tests functions for kernels on a host, compiled by nvcc. nvcc compiles each function for the GPU
// and for the host; code that only a GPU can run must not be called on the host.
#include "device_header/by_nvcc.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace by_nvcc_test {

TEST(ByNvcc, casts_by_votes_work_on_a_host) {
  const SceneData data = *testing::scene_of(testing::soup(200, 3));
  const std::vector<Ray> rays = testing::rays_at(data.mesh, 300, 5);
  Renderer renderer(Scene(std::make_shared<SceneData>(data)), {"cpu"});
  std::vector<Hit> expected(rays.size());
  renderer.closest(rays, expected);
  const std::vector<Hit> hits = own::hits_by_warp(renderer.host_view(), rays);
  EXPECT_EQ(std::memcmp(hits.data(), expected.data(), hits.size() * sizeof(Hit)), 0);
}

TEST(ByNvcc, emulated_lanes_make_queues) {
  EXPECT_EQ(own::found_by_nvcc({1, 0, 0.5f, 0.6f, 0, 2}), (std::vector<std::uint32_t>{0, 3, 5}));
}

}  // namespace by_nvcc_test
}  // namespace ballotcast::detail
