// Moves vertices on the GPU, and compares every hit with that of a scene that has these vertices
// from the start, on the CPU. Also measures how fast trees are refitted.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "render/renderer_state.hpp"
#include "scene/assemble.hpp"
#include "scene/generated.hpp"

namespace ballotcast::detail {
namespace {

void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw DeviceError(std::string(what) + ": " + cudaGetErrorString(code));
}

/// Memory of the device.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  T* data() const { return static_cast<T*>(data_); }
  void set(const std::vector<T>& from) const {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  std::vector<T> get() const {
    std::vector<T> out(count_);
    check(cudaMemcpy(out.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    return out;
  }

 private:
  void* data_ = nullptr;
  std::size_t count_;
};

/// The vertices of frame `number`: each swings about its place.
std::vector<Vec3f> frame_of(const std::vector<Vec3f>& rest, float size, u32 number) {
  std::vector<Vec3f> out = rest;
  const float far = 0.2f * size * std::sin(0.37f * static_cast<float>(number));
  for (Vec3f& p : out) {
    const float phase = 9.0f / size * (p.x + 0.7f * p.z) + static_cast<float>(number);
    p = {p.x + 0.3f * far * std::cos(phase), p.y + far * std::sin(phase), p.z};
  }
  return out;
}

/// A caster on the GPU whose vertices, refit and cast are one CUDA graph.
class GraphCaster {
 public:
  GraphCaster(const Scene& scene, const RendererOptions& options, const std::vector<Ray>& rays)
      : caster_(scene, options),
        count_(scene.vertices().size()),
        vertices_(count_ * 3),
        rays_(rays.size()),
        hits_(rays.size()) {
    rays_.set(rays);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    caster_.closest(rays_.data(), hits_.data(), rays.size(), stream_);  // asks for occupancy once
    check(cudaStreamSynchronize(stream_), "first cast");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    caster_.set_vertices(vertices_.data(), count_, stream_);
    caster_.refit(stream_);
    caster_.closest(rays_.data(), hits_.data(), rays.size(), stream_);
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream_, &graph), "end of capture");
    check(cudaGraphInstantiate(&graph_, graph, 0), "instantiate");
    cudaGraphDestroy(graph);
  }

  std::vector<Hit> hits(const std::vector<Vec3f>& vertices, u32 replays) {
    std::vector<float> numbers;
    for (const Vec3f& p : vertices) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    vertices_.set(numbers);
    // A copy from pageable memory returns before it has arrived, and the stream does not wait.
    check(cudaDeviceSynchronize(), "copy");
    for (u32 i = 0; i < replays; ++i) check(cudaGraphLaunch(graph_, stream_), "launch");
    check(cudaStreamSynchronize(stream_), "replay");
    return hits_.get();
  }

  /// The least milliseconds that one of `runs` refits takes.
  double refit_ms(u32 runs) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    float least = 1e30f;
    for (u32 i = 0; i < runs; ++i) {
      check(cudaEventRecord(begin, stream_), "record");
      caster_.refit(stream_);
      check(cudaEventRecord(end, stream_), "record");
      check(cudaEventSynchronize(end), "wait");
      float ms = 0.0f;
      check(cudaEventElapsedTime(&ms, begin, end), "time");
      least = std::min(least, ms);
    }
    return least;
  }

 private:
  DeviceCaster caster_;
  const std::size_t count_;
  Buffer<float> vertices_;
  Buffer<Ray> rays_;
  Buffer<Hit> hits_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
};

/// Returns the number of differences.
u64 check_scene(const Scene& scene, const std::string& builder, u32 frames, u32 replays) {
  const std::vector<Vec3f> rest = scene.vertices();
  const float size = largest_magnitude(scene.data()->mesh.bounds().extent());
  RendererOptions options{"cpu", "ploc"};
  options.moves = true;
  Renderer cpu(scene, options);
  options.device = "cuda";
  options.builder = builder;
  Renderer gpu(scene, options);
  const std::vector<Ray> rays = testing::rays_at(scene.data()->mesh, 20000, 3);
  GraphCaster graph(scene, options, rays);
  std::vector<Hit> expected(rays.size()), got(rays.size());
  u64 different = 0;
  const auto compare = [&](const std::vector<Hit>& hits, u32 frame, const char* who) {
    const std::size_t ray = testing::first_difference(expected, hits);
    if (ray == rays.size()) return;
    ++different;
    std::printf("DIFFERENT  %s, frame %u, %s: ray %zu\n", scene.name().c_str(), frame, who, ray);
  };
  for (u32 i = 0; i <= frames; ++i) {
    const std::vector<Vec3f> vertices = frame_of(rest, size, i);
    cpu.set_vertices(vertices);
    cpu.follow(Follow::rebuild);
    cpu.closest(rays, expected);
    gpu.set_vertices(vertices);
    gpu.follow(i % 3 == 0 ? Follow::refit : i % 3 == 1 ? Follow::automatic : Follow::rebuild);
    gpu.closest(rays, got);
    compare(got, i, "renderer");
    got = graph.hits(vertices, i == frames ? replays : 1);
    compare(got, i, "graph");
  }
  const double ms = graph.refit_ms(20);
  const u32 triangles = scene.triangle_count();
  std::printf("%-24.24s %-16s %9u triangles: %u frames, %" PRIu64
              " different; refit %.3f ms, %.2f G triangles/s\n",
              scene.name().c_str(), builder.c_str(), triangles, frames + 1, different, ms,
              triangles / ms * 1e-6);
  std::fflush(stdout);
  return different;
}

int run(const std::vector<std::string>& arguments) {
  u32 frames = 100, replays = 1000;
  std::vector<Scene> scenes;
  for (const std::string& a : arguments) {
    if (a.rfind("--frames=", 0) == 0) {
      frames = static_cast<u32>(std::stoul(a.substr(9)));
    } else if (a.rfind("--replays=", 0) == 0) {
      replays = static_cast<u32>(std::stoul(a.substr(10)));
    } else if (a.rfind("--triangles=", 0) == 0) {
      scenes.emplace_back(std::make_shared<const SceneData>(
          generated_terrain(static_cast<u32>(std::stoul(a.substr(12))))));
    } else if (a.rfind("-", 0) == 0) {
      std::printf(
          "usage: motion_check [--frames=N] [--replays=N] [--triangles=N]... SCENE...\n"
          "Moves the vertices of each scene through N frames on device cuda, and compares all\n"
          "hits with those of device cpu, whose tree is new in each frame. --replays: how often\n"
          "the CUDA graph of the last frame is replayed. --triangles: a generated terrain.\n");
      return a == "--help" ? 0 : 2;
    } else {
      scenes.push_back(load_scene(a));
    }
  }
  if (scenes.empty()) scenes.push_back(builtin_scene());
  u64 different = 0;
  for (const Scene& scene : scenes)
    for (const char* builder : {"ploc", "ploc-reinserted"})
      different += check_scene(scene, builder, frames, replays);
  std::printf("%s: %" PRIu64 " different\n", different ? "FAIL" : "PASS", different);
  return different ? 1 : 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("motion_check", ballotcast::detail::run, argc, argv);
}
