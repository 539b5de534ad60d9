// Calls functions for kernels on a host. tests/device_header/cuda/by_nvcc_test.cpp tests them.
#include "device_header/by_nvcc.hpp"
#include "device_header/slot_kernels.hpp"

namespace own {

std::vector<ballotcast::Hit> hits_by_warp(const ballotcast::device::SceneView& scene,
                                          const std::vector<ballotcast::Ray>& rays) {
  std::vector<ballotcast::Hit> hits;
  for (const ballotcast::Ray& ray : rays)
    hits.push_back(ballotcast::device::closest_warp(scene, ray, true));
  return hits;
}

std::vector<std::uint32_t> found_by_nvcc(const std::vector<float>& values) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const slots::Later later(count);
  std::vector<std::uint32_t> noted(later.noted_bytes() / 4), scratch(later.scratch_bytes() / 4);
  std::vector<std::uint32_t> queue(count);
  std::uint32_t queued = 0;
  lanes::emulate<Find>({count / 64 + 1, 64}, values.data(), count, noted.data());
  later.emulate_queue(noted.data(), queue.data(), &queued, scratch.data());
  queue.resize(queued);
  return queue;
}

}  // namespace own
