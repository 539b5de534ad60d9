// Moves instances on the GPU, in one world and in many worlds, and compares every hit with the hit
// that the CPU finds. Also measures the times of building the trees over instances, and of casting
// rays.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ballotcast/device_caster.hpp"
#include "ballotcast/renderer.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/instances.hpp"
#include "helpers/tool.hpp"

namespace ballotcast::detail {
namespace {

using testing::Random;
using testing::random_transform;

Scene scene_of_mesh(Mesh mesh) { return Scene(testing::scene_of(std::move(mesh))); }

/// A scene with instances of three meshes and two shapes in `world_count` worlds, each with a
/// different number of instances.
Scene worlds_of(u32 instance_count, u32 world_count, u32 seed) {
  Random random(seed);
  const std::vector<Scene> meshes = {
      scene_of_mesh(testing::sphere(8)), scene_of_mesh(testing::torus(9)),
      scene_of_mesh(testing::soup(60, 9)), make_scene(Shape{ShapeKind::capsule, {0.5f, 0.8f}}),
      make_scene(Shape{ShapeKind::box, {0.3f, 0.5f, 0.9f}})};
  std::vector<Instance> instances;
  for (u32 i = 0; i < instance_count; ++i) {
    instances.push_back({i % 5, random_transform(random, 0.2f, 2.0f, 9.0f)});
    instances.back().world = random.below(world_count);
  }
  instances[0].world = world_count - 1;
  return make_scene(meshes, instances);
}

/// The transforms of a frame. Some instances are hidden in some frames.
std::vector<Transform> transforms_of(const Scene& scene, u32 frame) {
  Random random(frame + 1);
  std::vector<Transform> transforms;
  for (u32 i = 0; i < scene.instance_count(); ++i) {
    transforms.push_back(random_transform(random, 0.2f, 2.0f, 9.0f));
    if (frame % 3 == 1 && random.below(4) == 0) transforms.back() = kHidden;
  }
  return transforms;
}

std::vector<Ray> rays_into(u32 count, u32 seed) {
  Random random(seed);
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = random.point(i % 9 == 0 ? 4000.0f : 15.0f);
    rays.push_back({from, 0.0f, random.point(9.0f) - from, 1e30f});
  }
  return rays;
}

std::vector<u32> mixed_worlds(u32 count, u32 world_count) {
  Random random(5);
  std::vector<u32> worlds(count);
  for (u32& world : worlds) world = random.below(world_count);
  return worlds;
}

std::size_t free_bytes() {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "memory");
  return free;
}

/// Two casters of one scene on two streams. Setting the transforms, building the trees and casting
/// are one CUDA graph.
class Casters {
 public:
  Casters(const Scene& scene, const RendererOptions& options, const std::vector<Ray>& rays,
          const std::vector<u32>& worlds)
      : caster_(scene, options),
        other_(caster_.another_one()),
        instances_(scene.instance_count()),
        transforms_(instances_),
        rays_(rays.size()),
        worlds_(worlds.size()),
        hits_(rays.size()),
        other_hits_(rays.size()),
        count_(rays.size()) {
    rays_.set(rays);
    worlds_.set(worlds);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaStreamCreateWithFlags(&other_stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    transforms_.set(std::vector<Transform>(instances_));
    // The first cast also asks CUDA for the occupancy of kernels, which is not allowed while a
    // stream is captured.
    follow_and_cast();
    other_.closest(rays_.data(), other_hits_.data(), count_, other_stream_, into());
    check(cudaDeviceSynchronize(), "first cast");
    graph_ = captured_graph(stream_, [&] { follow_and_cast(); });
    only_follow_ = captured_graph(stream_, [&] { caster_.refit(stream_); });
  }

  /// The hits that both casters find.
  std::pair<std::vector<Hit>, std::vector<Hit>> hits(const std::vector<Transform>& transforms,
                                                     u32 replays) {
    const std::size_t before = free_bytes();
    transforms_.set(transforms);
    // cudaMemcpy from pageable memory may return before the data is in device memory, and the
    // stream does not wait for the copy.
    check(cudaDeviceSynchronize(), "copy");
    for (u32 i = 0; i < replays; ++i) check(cudaGraphLaunch(graph_, stream_), "launch");
    check(cudaStreamSynchronize(stream_), "replay");
    // Both casters cast at the same time.
    caster_.closest(rays_.data(), hits_.data(), count_, stream_, into());
    other_.closest(rays_.data(), other_hits_.data(), count_, other_stream_, into());
    check(cudaDeviceSynchronize(), "two streams");
    took_memory_ = took_memory_ || free_bytes() != before;
    return {hits_.get(), other_hits_.get()};
  }

  bool took_memory() const { return took_memory_; }
  UnusableTransforms unusable() { return caster_.unusable_transforms(stream_); }
  double follow_ms() {
    return least_ms(stream_, 20, [&] { caster_.refit(stream_); });
  }
  double follow_graph_ms() {
    return least_ms(stream_, 20, [&] { check(cudaGraphLaunch(only_follow_, stream_), "launch"); });
  }

 private:
  RayWorlds into() const { return {0, worlds_.data()}; }
  void follow_and_cast() {
    caster_.set_transforms(transforms_.data(), instances_, stream_);
    caster_.refit(stream_);
    caster_.closest(rays_.data(), hits_.data(), count_, stream_, into());
  }

  DeviceCaster caster_, other_;
  const u32 instances_;
  Buffer<Transform> transforms_;
  Buffer<Ray> rays_;
  Buffer<u32> worlds_;
  Buffer<Hit> hits_, other_hits_;
  const std::size_t count_;
  cudaStream_t stream_ = nullptr, other_stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr, only_follow_ = nullptr;
  bool took_memory_ = false;
};

/// Checks one scene. Returns the number of differences.
u64 check_worlds(u32 instances, u32 world_count, const char* layout, u32 frames, u32 replays,
                 u32 ray_count) {
  const Scene scene = worlds_of(instances, world_count, instances);
  RendererOptions options{"cpu", "ploc", layout};
  options.moves = true;
  Renderer cpu(scene, options);
  options.device = "cuda";
  Renderer gpu(scene, options);
  const std::vector<Ray> rays = rays_into(ray_count, 3);
  const std::vector<u32> worlds = mixed_worlds(ray_count, world_count);
  const RayWorlds each{0, worlds.data()};
  Casters casters(scene, options, rays, worlds);
  std::vector<Hit> expected(rays.size()), got(rays.size());
  u64 different = 0, found = 0;
  const auto compare = [&](const std::vector<Hit>& hits, u32 frame, const char* who) {
    const std::size_t ray = testing::first_difference(expected, hits);
    if (ray == rays.size()) return;
    ++different;
    std::printf("DIFFERENT  frame %u, %s: ray %zu\n", frame, who, ray);
  };
  for (u32 i = 0; i <= frames; ++i) {
    const std::vector<Transform> transforms = transforms_of(scene, i);
    cpu.set_transforms(transforms);
    cpu.follow();
    cpu.closest(rays, expected, {}, each);
    for (const Hit& hit : expected) found += hit.found() ? 1 : 0;
    gpu.set_transforms(transforms);
    gpu.follow();
    gpu.closest(rays, got, {}, each);
    compare(got, i, "renderer");
    const auto [first, second] = casters.hits(transforms, i == frames ? replays : 1);
    compare(first, i, "graph");
    compare(second, i, "another caster");
    if (i % 16 == 0) {
      std::vector<u32> counts(rays.size()), expected_counts(rays.size());
      cpu.count(rays, expected_counts, each);
      gpu.count(rays, counts, each);
      if (counts != expected_counts) ++different, std::printf("DIFFERENT  frame %u: counts\n", i);
    }
  }
  if (casters.took_memory()) ++different, std::printf("DIFFERENT  memory was allocated\n");
  if (casters.unusable().count != 0) ++different, std::printf("DIFFERENT  unusable transforms\n");
  std::vector<Transform> broken = transforms_of(scene, 0);
  const u32 bad = instances / 2;
  broken[bad].rows[1][1] = std::nanf("");
  casters.hits(broken, 1);
  const UnusableTransforms unusable = casters.unusable();
  if (unusable.count != 1 || unusable.first != bad)
    ++different, std::printf("DIFFERENT  %u unusable, first %u\n", unusable.count, unusable.first);
  std::printf("%6u instances in %5u worlds, %-5s: %u frames, %" PRIu64 " hits, %" PRIu64
              " different; all trees %.3f ms, in a graph %.3f ms\n",
              instances, world_count, layout, frames + 1, found, different, casters.follow_ms(),
              casters.follow_graph_ms());
  std::fflush(stdout);
  return different;
}

/// A sphere of about `triangles` triangles.
Mesh ball(u32 triangles) {
  return testing::sphere(static_cast<u32>(std::sqrt(static_cast<double>(triangles) / 4.0)) + 2);
}

/// The rays of a pinhole camera at `eye` that looks at `to`, in tiles of 8 x 4 pixels.
std::vector<Ray> camera_rays(u32 width, u32 height, vec3 eye, vec3 to) {
  const vec3 forward = unit_or(to - eye, vec3(0, 0, 1));
  const vec3 right = unit_or(cross(forward, vec3(0, 1, 0)), vec3(1, 0, 0)),
             up = cross(right, forward);
  std::vector<Ray> rays;
  for (u32 ty = 0; ty < height; ty += 4)
    for (u32 tx = 0; tx < width; tx += 8)
      for (u32 y = ty; y < ty + 4; ++y)
        for (u32 x = tx; x < tx + 8; ++x) {
          const float sx = (2.0f * (static_cast<float>(x) + 0.5f) - static_cast<float>(width)) /
                           static_cast<float>(height);
          const float sy =
              1.0f - 2.0f * (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
          rays.push_back({eye, 0.0f, forward + right * (sx * 0.7f) + up * (sy * 0.7f), 1e30f});
        }
  return rays;
}

/// The time of a cast in milliseconds.
double cast_ms(DeviceCaster& caster, const Buffer<Ray>& rays, const Buffer<Hit>& hits, u64 count,
               const RayWorlds& worlds = {}) {
  caster.closest(rays.data(), hits.data(), count, nullptr, worlds);
  return least_ms(nullptr, 20,
                  [&] { caster.closest(rays.data(), hits.data(), count, nullptr, worlds); });
}

/// Prints the times of building the tree over many instances of a mesh, and of casting rays. If
/// `flat` is true, also prints the time of casts in a scene of one mesh, a copy of all triangles of
/// all instances.
void time_one_world(u32 instance_count, const Scene& mesh, bool flat) {
  Random random(1);
  const std::vector<Scene> meshes = {mesh};
  const float reach = std::cbrt(static_cast<float>(instance_count)) * 2.0f;
  std::vector<Instance> instances;
  for (u32 i = 0; i < instance_count; ++i)
    instances.push_back({0, random_transform(random, 0.5f, 1.5f, reach)});
  const Scene scene = make_scene(meshes, instances);
  RendererOptions options{"cuda", "balanced", "grid2"};
  options.moves = true;
  const std::size_t before = free_bytes();
  DeviceCaster caster(scene, options);
  const std::size_t taken = before - free_bytes();
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  caster.refit(stream);
  check(cudaDeviceSynchronize(), "refit");
  const double ms = least_ms(stream, 20, [&] { caster.refit(stream); });
  cudaGraphExec_t graph = captured_graph(stream, [&] { caster.refit(stream); });
  const double graph_ms =
      least_ms(stream, 20, [&] { check(cudaGraphLaunch(graph, stream), "launch"); });
  const std::vector<Ray> rays = camera_rays(1920, 1080, {0, 0, -1.7f * reach}, {0, 0, 0});
  Buffer<Ray> on_device(rays.size());
  Buffer<Hit> hits(rays.size()), flat_hits(rays.size());
  on_device.set(rays);
  const double rate =
      static_cast<double>(rays.size()) * 1e-3 / cast_ms(caster, on_device, hits, rays.size());
  std::printf(
      "%u instances of %s, %u triangles: %.1f MB; trees over them %.3f ms, in a graph %.3f ms;"
      " primary %.0f M rays/s",
      instance_count, mesh.name().c_str(), mesh.triangle_count(), static_cast<double>(taken) * 1e-6,
      ms, graph_ms, rate);
  std::fflush(stdout);
  if (flat) {
    DeviceCaster copied(scene_of_mesh(testing::flattened(scene)), {"cuda", "balanced", "grid2"});
    const double flat_rate = static_cast<double>(rays.size()) * 1e-3 /
                             cast_ms(copied, on_device, flat_hits, rays.size());
    u64 as_many = 0;
    const std::vector<Hit> a = hits.get(), b = flat_hits.get();
    for (std::size_t i = 0; i < a.size(); ++i) as_many += a[i].triangle == b[i].triangle;
    std::printf("; copied triangles %.0f M rays/s, ratio %.2f; same triangle %.5f", flat_rate,
                rate / flat_rate, static_cast<double>(as_many) / static_cast<double>(a.size()));
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Prints the times of building the trees of many small worlds, and of casting rays into them,
/// compared with casts into one world.
void time_worlds(u32 world_count, u32 each, u32 rays_each) {
  Random random(2);
  const std::vector<Scene> meshes = {scene_of_mesh(ball(1000)), scene_of_mesh(testing::torus(16))};
  std::vector<Instance> instances, one;
  for (u32 w = 0; w < world_count; ++w)
    for (u32 i = 0; i < each; ++i) {
      instances.push_back({i % 2, random_transform(random, 0.5f, 1.5f, 10.0f)});
      instances.back().world = w;
      if (w == 0) one.push_back(instances.back());
    }
  RendererOptions options{"cuda", "balanced", "grid2"};
  options.moves = true;
  const Scene scene = make_scene(meshes, instances);
  DeviceCaster caster(scene, options);
  DeviceCaster single(make_scene(meshes, one), options);
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  std::vector<Transform> transforms;
  for (const Instance& instance : instances) transforms.push_back(instance.transform);
  Buffer<Transform> on_device(transforms.size());
  on_device.set(transforms);
  const auto update = [&] {
    caster.set_transforms(on_device.data(), transforms.size(), stream);
    caster.refit(stream);
  };
  update();
  check(cudaDeviceSynchronize(), "update");
  const double ms = least_ms(stream, 20, update);
  cudaGraphExec_t graph = captured_graph(stream, update);
  const double graph_ms =
      least_ms(stream, 20, [&] { check(cudaGraphLaunch(graph, stream), "launch"); });
  std::printf("%u worlds of %u instances: all updated %.3f ms, in a graph %.3f ms", world_count,
              each, ms, graph_ms);
  std::fflush(stdout);
  // The rays of one lidar per world: from one point in all directions, world by world.
  std::vector<Ray> rays;
  std::vector<u32> worlds;
  for (u32 w = 0; w < world_count; ++w)
    for (u32 i = 0; i < rays_each; ++i) {
      const float beam = (static_cast<float>(i % 32) - 16.0f) * 0.03f;
      const float around =
          static_cast<float>(i / 32) * (6.2831853f * 32.0f / static_cast<float>(rays_each));
      rays.push_back({{0, 0, 0}, 0.0f, {std::cos(around), beam, std::sin(around)}, 1e30f});
      worlds.push_back(w);
    }
  Buffer<Ray> device_rays(rays.size());
  Buffer<u32> device_worlds(rays.size());
  Buffer<Hit> hits(rays.size());
  device_rays.set(rays);
  device_worlds.set(worlds);
  const double many = cast_ms(caster, device_rays, hits, rays.size(), {0, device_worlds.data()});
  const double alone = cast_ms(single, device_rays, hits, rays.size());
  std::printf("; %zu rays into all %.3f ms (%.0f M/s), into one world %.3f ms: rate %.2f\n",
              rays.size(), many, static_cast<double>(rays.size()) * 1e-3 / many, alone,
              alone / many);
  std::fflush(stdout);
}

int run(const std::vector<std::string>& arguments) {
  u32 frames = 100, replays = 1000, rays = 20000;
  bool times = false;
  for (const std::string& a : arguments) {
    if (testing::takes_number(a, "--frames", frames) ||
        testing::takes_number(a, "--replays", replays) || testing::takes_number(a, "--rays", rays))
      continue;
    if (a == "--times") {
      times = true;
    } else {
      std::printf(
          "usage: worlds_check [--frames=N] [--replays=N] [--rays=N] [--times]\n"
          "Moves instances through N frames on device cuda, and compares all hits with those of\n"
          "device cpu. --replays: how often the CUDA graph of the last frame is replayed.\n"
          "--times: also measures how fast trees are built and rays are cast.\n");
      return a == "--help" ? 0 : 2;
    }
  }
  struct Case {
    u32 instances, worlds;
  };
  u64 different = 0;
  for (const char* layout : {"grid2", "bvh2"})
    for (const Case c : {Case{1, 1}, Case{7, 1}, Case{3000, 1}, Case{500, 7}, Case{2000, 300}})
      different += check_worlds(c.instances, c.worlds, layout, frames, replays, rays);
  std::printf("%s: %" PRIu64 " different\n", different ? "FAIL" : "PASS", different);
  if (times) {
    const Scene large = scene_of_mesh(ball(10000));
    time_one_world(1000, large, true);
    time_one_world(100000, large, false);
    time_one_world(1000000, scene_of_mesh(ball(1000)), false);
    time_one_world(1000000, make_scene(Shape{ShapeKind::sphere, {1.0f}}), false);
    time_worlds(4096, 32, 16384);
  }
  return different ? 1 : 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("worlds_check", ballotcast::detail::run, argc, argv);
}
