// Copies a scene from GPU to GPU. Casts rays that are in the memory of each GPU, from a thread
// whose current device is another GPU. Compares the hits with the hits that the CPU finds.
#include <cstdio>
#include <vector>

#include "backends/cuda/peers.hpp"
#include "ballotcast/device_caster.hpp"
#include "ballotcast/renderer.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "helpers/ray_groups.hpp"
#include "helpers/tool.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kRays = 100000;

/// The index of the first ray whose hit differs, or the number of rays if all hits are equal.
std::size_t first_different(const DeviceCaster& first, int device, const std::vector<Ray>& rays,
                            const std::vector<Hit>& expected) {
  DeviceCaster caster = first.another_one(device);
  const OnDevice there(device);
  const Buffer<Ray> its_rays(rays.size());
  const Buffer<Hit> its_hits(rays.size());
  its_rays.set(rays);
  {
    const OnDevice elsewhere(first.device());
    caster.closest(its_rays.data(), its_hits.data(), rays.size());
    if (current_device() != first.device())
      throw DeviceError("a cast has changed the thread's device");
  }
  check(cudaDeviceSynchronize(), "wait");
  return testing::first_difference(its_hits.get(), expected);
}

int run(const std::vector<std::string>&) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  u32 different = 0;
  const auto compare = [&](const char* name, const Scene& scene, const Mesh& target) {
    const std::vector<Ray> rays = testing::rays_at(target, kRays, 5);
    std::vector<Hit> expected(rays.size());
    Renderer(scene, {"cpu"}).closest(rays, expected);
    const DeviceCaster first(scene);
    for (int device = 0; device < devices; ++device) {
      const bool same = first_different(first, device, rays, expected) == rays.size();
      std::printf("%s, rays on cuda:%d: %s\n", name, device, same ? "the same" : "DIFFERENT");
      different += same ? 0u : 1u;
    }
  };
  const Mesh soup = testing::soup(20000, 2);
  compare("soup", Scene(testing::scene_of(soup)), soup);
  const Scene instances = testing::random_instances(300, 4);
  compare("instances", instances, testing::flattened(instances));
  std::printf("%s\n", different == 0 ? "PASS" : "FAIL");
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("casters_check", ballotcast::detail::run, argc,
                                               argv);
}
