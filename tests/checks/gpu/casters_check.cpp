// Copies a scene from GPU to GPU. Casts rays that are in the memory of each GPU, from a thread
// whose current device is another GPU. Also finds closest points of so many points that they are
// sorted first, and tests whether they are inside. Compares the results with those of the CPU.
#include <cstdio>
#include <vector>

#include "backends/cuda/peers.hpp"
#include "ballotcast/device_caster.hpp"
#include "ballotcast/renderer.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/closest_points.hpp"
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

/// Compares closest_points() and contains() of `count` points with the results of the CPU. Then
/// does both again in a graph, for other points in the same memory. Returns the number of points
/// that differ.
std::size_t different_points(const Scene& scene, const Mesh& target, u32 count,
                             const RendererOptions& options) {
  Renderer on_cpu(scene, {"cpu"});
  DeviceCaster caster(scene, options);
  const Buffer<Vec3f> points(count);
  const Buffer<Nearest> nearest(count);
  const Buffer<u8> inside(count);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  const auto enqueue = [&] {
    caster.closest_points(points.data(), nearest.data(), count, testing::kFar, stream);
    caster.contains(points.data(), inside.data(), count, InsideRule::parity, stream);
  };
  std::size_t different = 0;
  const auto compare = [&](u32 seed, auto answer) {
    const std::vector<Vec3f> given = testing::points_at(target, count, seed);
    std::vector<Nearest> expected(count);
    std::vector<u8> expected_inside(count);
    on_cpu.closest_points(given, expected);
    on_cpu.contains(given, expected_inside);
    points.set(given);
    nearest.spoil();
    inside.spoil();
    answer();
    check(cudaStreamSynchronize(stream), "wait");
    const std::vector<Nearest> got = nearest.get();
    const std::vector<u8> got_inside = inside.get();
    for (u32 i = 0; i < count; ++i)
      different += !testing::same_bits(got[i], expected[i]) || got_inside[i] != expected_inside[i];
  };
  compare(6, enqueue);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  enqueue();
  check(cudaStreamEndCapture(stream, &graph), "capture");
  check(cudaGraphInstantiate(&runnable, graph, 0), "cudaGraphInstantiate");
  compare(7, [&] { check(cudaGraphLaunch(runnable, stream), "cudaGraphLaunch"); });
  cudaGraphExecDestroy(runnable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  return different;
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
  const auto compare_points = [&](const char* name, const Scene& scene, const Mesh& target,
                                  u32 count, bool moves) {
    RendererOptions options;
    options.moves = moves;
    const std::size_t wrong = different_points(scene, target, count, options);
    std::printf("%s, %u points: %zu different\n", name, count, wrong);
    different += wrong == 0 ? 0u : 1u;
  };
  compare_points("soup", Scene(testing::scene_of(soup)), soup, 1000u, false);
  compare_points("soup", Scene(testing::scene_of(soup)), soup, 1u << 18, false);
  compare_points("sphere that may move", Scene(testing::scene_of(testing::sphere(90))),
                 testing::sphere(90), (1u << 21) + 1u, true);
  compare_points("triangle", Scene(testing::scene_of(testing::soup(1, 3))), testing::soup(1, 3),
                 1u << 18, false);
  compare_points("instances", instances, testing::flattened(instances), 1u << 18, false);
  std::printf("%s\n", different == 0 ? "PASS" : "FAIL");
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("casters_check", ballotcast::detail::run, argc,
                                               argv);
}
