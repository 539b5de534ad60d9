// Moves vertices on the GPU, and compares every hit with the hit in a scene on the CPU that has
// these vertices from the start. Also measures the times of refitting and rebuilding trees.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "ballotcast/renderer.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace {

/// The vertices of frame `number`: each vertex swings about its position at rest.
std::vector<Vec3f> frame_of(const std::vector<Vec3f>& rest, float size, u32 number) {
  std::vector<Vec3f> out = rest;
  const float far = 0.2f * size * std::sin(0.37f * static_cast<float>(number));
  for (Vec3f& p : out) {
    const float phase = 9.0f / size * (p.x + 0.7f * p.z) + static_cast<float>(number);
    p = {p.x + 0.3f * far * std::cos(phase), p.y + far * std::sin(phase), p.z};
  }
  return out;
}

/// A scene, and how its vertices move.
struct Motion {
  Scene scene;
  std::function<std::vector<Vec3f>(u32 frame)> vertices;
  bool deep = false;  // true: in every second frame the tree is too deep, and its build is refused
};

/// A motion in which all vertices of a scene swing.
Motion swinging(const Scene& scene) {
  const float size = largest_magnitude(scene.data()->mesh.bounds().extent());
  return {scene, [rest = scene.vertices(), size](u32 i) { return frame_of(rest, size, i); }};
}

/// Triangles that jump: in every second frame, their corners are at place(triangle, corner).
Motion jumping(u32 triangles, Vec3f (*place)(u32 triangle, u32 corner), bool deep) {
  const Scene scene(testing::scene_of(testing::soup(triangles, triangles)));
  std::vector<Vec3f> there = scene.vertices();
  const Mesh& mesh = scene.data()->mesh;
  for (u32 i = 0; i < triangles; ++i) {
    const uvec3 t = mesh.triangles[i];
    there[t.x] = place(i, 0);
    there[t.y] = place(i, 1);
    there[t.z] = place(i, 2);
  }
  return {scene,
          [rest = scene.vertices(), there](u32 frame) { return frame % 2 == 1 ? there : rest; },
          deep};
}

/// Corners that put all triangles on top of each other, for jumping().
Vec3f stacked(u32, u32 corner) {
  return {corner == 1 ? 1.0f : 0.0f, corner == 2 ? 1.0f : 0.0f, 0.5f};
}
/// Corners that give trees with one leaf per level, for jumping().
Vec3f chained(u32 triangle, u32 corner) {
  const float far = std::ldexp(1.0f, static_cast<int>(triangle) - 75);
  return {far, corner == 1 ? far : 0.0f, corner == 2 ? far : 0.0f};
}

/// A caster on the GPU. Setting the vertices, refitting or rebuilding the tree, and the cast are
/// one CUDA graph.
class GraphCaster {
 public:
  GraphCaster(const Scene& scene, const RendererOptions& options, const std::vector<Ray>& rays)
      : caster_(scene, options),
        count_(scene.vertices().size()),
        vertices_(count_ * 3),
        rays_(rays.size()),
        hits_(rays.size()),
        ray_count_(rays.size()) {
    rays_.set(rays);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    caster_.closest(rays_.data(), hits_.data(), ray_count_, stream_);
    before_ms = cast_ms();
    std::size_t before = 0, after = 0, all = 0;
    check(cudaMemGetInfo(&before, &all), "memory");
    caster_.reserve_rebuild(stream_);
    check(cudaMemGetInfo(&after, &all), "memory");
    reserved = before > after ? before - after : 0;
    // The first cast also asks CUDA for the occupancy of kernels, which is not allowed while a
    // stream is captured.
    reserved_ms = cast_ms();
    refit_ = captured([&] { caster_.refit(stream_); }, true);
    rebuild_ = captured([&] { caster_.rebuild(stream_); }, true);
    only_rebuild_ = captured([&] { caster_.rebuild(stream_); }, false);
  }

  std::vector<Hit> hits(const std::vector<Vec3f>& vertices, bool rebuilds, u32 replays) {
    std::vector<float> numbers;
    for (const Vec3f& p : vertices) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    vertices_.set(numbers);
    // cudaMemcpy from pageable memory may return before the data is in device memory, and the
    // stream does not wait for the copy.
    check(cudaDeviceSynchronize(), "copy");
    for (u32 i = 0; i < replays; ++i) launch(rebuilds ? rebuild_ : refit_);
    check(cudaStreamSynchronize(stream_), "replay");
    return hits_.get();
  }

  u32 refused() { return caster_.refused_rebuilds(stream_); }
  double cast_ms() {
    return least_ms(stream_, 20,
                    [&] { caster_.closest(rays_.data(), hits_.data(), ray_count_, stream_); });
  }
  double refit_ms() {
    return least_ms(stream_, 20, [&] { caster_.refit(stream_); });
  }
  double rebuild_ms() {
    return least_ms(stream_, 20, [&] { caster_.rebuild(stream_); });
  }
  double rebuild_graph_ms() {
    return least_ms(stream_, 20, [&] { launch(only_rebuild_); });
  }

  // The time of a cast in milliseconds, before and after memory for rebuilds is reserved.
  double before_ms = 0.0, reserved_ms = 0.0;
  u64 reserved = 0;  // reserved memory in bytes

 private:
  template <class Follow>
  cudaGraphExec_t captured(Follow follow, bool whole) {
    return captured_graph(stream_, [&] {
      if (whole) caster_.set_vertices(vertices_.data(), count_, stream_);
      follow();
      if (whole) caster_.closest(rays_.data(), hits_.data(), ray_count_, stream_);
    });
  }
  void launch(cudaGraphExec_t graph) { check(cudaGraphLaunch(graph, stream_), "launch"); }

  DeviceCaster caster_;
  const std::size_t count_;
  Buffer<float> vertices_;
  Buffer<Ray> rays_;
  Buffer<Hit> hits_;
  const std::size_t ray_count_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t refit_ = nullptr, rebuild_ = nullptr, only_rebuild_ = nullptr;
};

/// Checks one motion. Returns the number of differences.
u64 check_motion(const Motion& motion, const std::string& builder, const std::string& layout,
                 u32 frames, u32 replays, u32 ray_count) {
  const Scene& scene = motion.scene;
  RendererOptions options{"cpu", "ploc"};
  options.moves = true;
  Renderer cpu(scene, options);
  options.device = "cuda";
  options.builder = builder;
  options.layout = layout;
  Renderer gpu(scene, options);
  const std::vector<Ray> rays = testing::rays_at(scene.data()->mesh, ray_count, 3);
  GraphCaster graph(scene, options, rays);
  std::vector<Hit> expected(rays.size()), got(rays.size());
  u64 different = 0;
  const auto compare = [&](const std::vector<Hit>& hits, u32 frame, const char* who) {
    const std::size_t ray = testing::first_difference(expected, hits);
    if (ray == rays.size()) return;
    ++different;
    std::printf("DIFFERENT  %s, frame %u, %s: ray %zu\n", scene.name().c_str(), frame, who, ray);
  };
  u32 to_refuse = 0;
  for (u32 i = 0; i <= frames; ++i) {
    const std::vector<Vec3f> vertices = motion.vertices(i);
    cpu.set_vertices(vertices);
    cpu.follow(Follow::rebuild);
    cpu.closest(rays, expected);
    gpu.set_vertices(vertices);
    gpu.follow(i % 3 == 0 ? Follow::refit : i % 3 == 1 ? Follow::automatic : Follow::rebuild);
    gpu.closest(rays, got);
    compare(got, i, "renderer");
    const u32 times = i == frames ? replays : 1;
    // Refits the tree that was built for the previous frame.
    compare(graph.hits(vertices, false, times), i, "graph, refit");
    compare(graph.hits(vertices, true, times), i, "graph, rebuild");
    if (motion.deep && i % 2 == 1) to_refuse += times;
  }
  const u32 refused = graph.refused();
  if (refused != to_refuse) {
    ++different;
    std::printf("DIFFERENT  %s: %u rebuilds refused, not %u\n", scene.name().c_str(), refused,
                to_refuse);
  }
  const u32 triangles = scene.triangle_count();
  const double ms = graph.rebuild_graph_ms();
  std::printf("%-12.12s %-15s %-5s %9u triangles: %u frames, %" PRIu64
              " different; refit %.3f ms, rebuild %.3f ms, in a graph %.3f ms, %.0f M triangles/s;"
              " cast %.3f ms, with room for rebuilding %.3f ms, rebuilt %.3f ms; %.1f MB more\n",
              scene.name().c_str(), builder.c_str(), layout.c_str(), triangles, frames + 1,
              different, graph.refit_ms(), graph.rebuild_ms(), ms, triangles / ms * 1e-3,
              graph.before_ms, graph.reserved_ms, graph.cast_ms(),
              static_cast<double>(graph.reserved) * 1e-6);
  std::fflush(stdout);
  return different;
}

int run(const std::vector<std::string>& arguments) {
  u32 frames = 100, replays = 1000, rays = 20000;
  std::vector<Scene> scenes;
  for (const std::string& a : arguments) {
    if (testing::takes_number(a, "--frames", frames) ||
        testing::takes_number(a, "--replays", replays) || testing::takes_number(a, "--rays", rays))
      continue;
    if (u32 triangles = 0; testing::takes_number(a, "--triangles", triangles)) {
      scenes.emplace_back(std::make_shared<const SceneData>(generated_terrain(triangles)));
    } else if (a.rfind("-", 0) == 0) {
      std::printf(
          "usage: motion_check [--frames=N] [--replays=N] [--rays=N] [--triangles=N]... SCENE...\n"
          "Moves the vertices of each scene through N frames on device cuda, and compares all\n"
          "hits with those of device cpu, whose tree is new in each frame. --replays: how often\n"
          "the CUDA graphs of the last frame are replayed. --triangles: a generated terrain.\n");
      return a == "--help" ? 0 : 2;
    } else {
      scenes.push_back(load_scene(a));
    }
  }
  if (scenes.empty()) scenes.push_back(builtin_scene());
  std::vector<Motion> motions;
  for (const Scene& scene : scenes) motions.push_back(swinging(scene));
  for (const u32 count : {1u, 2u, 8u, 9u, 700u}) motions.push_back(jumping(count, stacked, false));
  motions.push_back(jumping(110, chained, true));
  u64 different = 0;
  for (const Motion& motion : motions)
    for (const char* layout : {"grid2", "bvh2"})
      for (const char* builder : {"ploc", "ploc-reinserted"})
        different += check_motion(motion, builder, layout, frames, replays, rays);
  std::printf("%s: %" PRIu64 " different\n", different ? "FAIL" : "PASS", different);
  return different ? 1 : 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("motion_check", ballotcast::detail::run, argc, argv);
}
