// Casts rays that are in GPU memory, on the program's own stream, as a PyTorch extension or a
// simulation would. Prints how long a cast takes on the host and on the device.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "ballotcast/ballotcast.hpp"

namespace {

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(4);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Rays straight down, on a grid over the scene. In a real program, a kernel would make these rays.
std::vector<ballotcast::Ray> rays_from_above(const ballotcast::Scene& scene, unsigned count) {
  const ballotcast::Box box = scene.bounds();
  const ballotcast::Vec3d origin = scene.origin();
  std::vector<ballotcast::Ray> rays(count);
  unsigned side = 1;
  while (side * side < count) ++side;
  for (unsigned i = 0; i < count; ++i) {
    const double x = box.low.x + (box.high.x - box.low.x) * (i % side + 0.5) / side;
    const double z = box.low.z + (box.high.z - box.low.z) * (i / side + 0.5) / side;
    rays[i] = {{static_cast<float>(x - origin.x), static_cast<float>(box.high.y + 1.0 - origin.y),
                static_cast<float>(z - origin.z)},
               0.0f,
               {0, -1, 0},
               std::numeric_limits<float>::infinity()};
  }
  return rays;
}

/// Rays of a picture, row by row, from the middle of the scene.
std::vector<ballotcast::Ray> rays_from_the_middle(const ballotcast::Scene& scene, unsigned width,
                                                  unsigned height) {
  const ballotcast::Box box = scene.bounds();
  const ballotcast::Vec3d origin = scene.origin();
  const ballotcast::Vec3f middle{static_cast<float>((box.low.x + box.high.x) / 2 - origin.x),
                                 static_cast<float>((box.low.y + box.high.y) / 2 - origin.y),
                                 static_cast<float>((box.low.z + box.high.z) / 2 - origin.z)};
  std::vector<ballotcast::Ray> rays;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      rays.push_back({middle,
                      0.0f,
                      {1.0f, 0.5f - (y + 0.5f) / height, (x + 0.5f) / width - 0.5f},
                      std::numeric_limits<float>::infinity()});
  return rays;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ballotcast;
  try {
    const Scene scene = argc > 1 ? load_scene(std::string(argv[1])) : builtin_scene();
    DeviceCaster caster(scene);
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    for (const unsigned size : {1u << 10, 1u << 13, 1u << 16, 1u << 20, 1u << 24}) {
      // Millions of rays from one point. The library needs several casts to find out how to cast
      // them fastest.
      const bool is_picture = size == 1u << 24;
      const std::vector<Ray> rays =
          is_picture ? rays_from_the_middle(scene, 5120, 3200) : rays_from_above(scene, size);
      const auto count = static_cast<unsigned>(rays.size());
      void *rays_memory = nullptr, *hits_memory = nullptr;
      check(cudaMalloc(&rays_memory, count * sizeof(Ray)), "cudaMalloc");
      check(cudaMalloc(&hits_memory, count * sizeof(Hit)), "cudaMalloc");
      Ray* device_rays = static_cast<Ray*>(rays_memory);
      Hit* device_hits = static_cast<Hit*>(hits_memory);
      check(cudaMemcpy(device_rays, rays.data(), count * sizeof(Ray), cudaMemcpyHostToDevice),
            "cudaMemcpy");
      std::vector<double> host_us, device_us;
      for (unsigned run = 0; run < 101; ++run) {
        check(cudaEventRecord(begin, stream), "cudaEventRecord");
        const auto from = std::chrono::steady_clock::now();
        caster.closest(device_rays, device_hits, count, stream);
        const auto to = std::chrono::steady_clock::now();
        check(cudaEventRecord(end, stream), "cudaEventRecord");
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        float ms = 0.0f;
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        host_us.push_back(std::chrono::duration<double, std::micro>(to - from).count());
        device_us.push_back(ms * 1e3);
      }
      // A cast can be captured in a CUDA graph, because it allocates nothing and does not wait.
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
      caster.closest(device_rays, device_hits, count, stream);
      check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
      check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
      std::vector<double> graph_us;
      for (unsigned run = 0; run < 101; ++run) {
        check(cudaEventRecord(begin, stream), "cudaEventRecord");
        check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
        check(cudaEventRecord(end, stream), "cudaEventRecord");
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        float ms = 0.0f;
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        graph_us.push_back(ms * 1e3);
      }
      std::vector<Hit> hits(count), expected(count);
      check(cudaMemcpy(hits.data(), device_hits, count * sizeof(Hit), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
      Renderer(scene, {.device = "cpu"}).closest(rays, expected);
      const bool same = hash_of(hits) == hash_of(expected);
      std::printf("%8u rays%s: host %.1f us a call, device %.1f us, in a graph %.1f us; hits %s\n",
                  count, is_picture ? " of a picture" : "", median(host_us), median(device_us),
                  median(graph_us), same ? "as on the CPU" : "DIFFER from the CPU's");
      cudaGraphExecDestroy(exec);
      cudaGraphDestroy(graph);
      cudaFree(device_rays);
      cudaFree(device_hits);
      if (!same) return 1;
    }
    cudaStreamDestroy(stream);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cast_on_stream: %s\n", error.what());
    return 4;
  }
  return 0;
}
