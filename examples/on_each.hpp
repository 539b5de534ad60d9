// Functions that the examples of kernels share: on_each(), random numbers and directions. They give
// the same bits on a GPU and a host, because every product that is added to a sum is written as
// fmaf(), so compilers can't choose whether to fuse it.
#pragma once

#include <cmath>
#include <vector>

#include "ballotcast/ballotcast.hpp"
#include "ballotcast/device.hpp"

namespace examples {

using namespace ballotcast;

/// A generator of random numbers from 0 to 1 (M. O'Neill, PCG, 2014).
struct Random {
  unsigned state;
  BALLOTCAST_HD float next() {
    state = state * 747796405u + 2891336453u;
    const unsigned word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
    return static_cast<float>((word >> 22 ^ word) >> 8) * 0x1p-24f;
  }
};

/// The vector a + s * b, with one rounding per component.
BALLOTCAST_HD inline Vec3f sum(Vec3f a, Vec3f b, float s) {
  return {fmaf(b.x, s, a.x), fmaf(b.y, s, a.y), fmaf(b.z, s, a.z)};
}
BALLOTCAST_HD inline Vec3f unit(Vec3f v) {
  const float s = 1.0f / sqrtf(fmaf(v.x, v.x, fmaf(v.y, v.y, v.z * v.z)));
  return {v.x * s, v.y * s, v.z * s};
}

/// A random direction in which a white (Lambertian) surface scatters light: the normal plus a
/// random point of the unit sphere.
BALLOTCAST_HD inline Vec3f scattered(Vec3f normal, Random& random) {
  for (;;) {
    const Vec3f p{random.next() * 2 - 1, random.next() * 2 - 1, random.next() * 2 - 1};
    const float square = fmaf(p.x, p.x, fmaf(p.y, p.y, p.z * p.z));
    if (square > 1e-6f && square <= 1.0f) return unit(sum(unit(p), normal, 1.001f));
  }
}

#if defined(__CUDACC__)
template <class Result, class Function>
__global__ void call_each(device::SceneView scene, Function function, unsigned count,
                          Result* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = function(scene, i);
}

/// Throws DeviceError unless a call of CUDA succeeded.
inline void require(cudaError_t code) {
  if (code != cudaSuccess) throw DeviceError(cudaGetErrorString(code));
}

template <class Result, class Function>
void on_gpu(const DeviceCaster& caster, const Function& function, std::vector<Result>& results) {
  const unsigned count = static_cast<unsigned>(results.size());
  Result* on_device = nullptr;
  require(cudaMalloc(&on_device, count * sizeof(Result)));
  call_each<<<(count + 127) / 128, 128>>>(caster.device_view(), function, count, on_device);
  require(cudaGetLastError());  // reports an error of the launch
  require(cudaMemcpy(results.data(), on_device, count * sizeof(Result), cudaMemcpyDeviceToHost));
  cudaFree(on_device);
}
#endif

/// The results of function(view of the scene, i) for each i below `count`. Calls the function in a
/// kernel if there is a GPU, else in a loop. `masks`: the masks of the scene's instances, or empty.
template <class Result, class Function>
std::vector<Result> on_each(const Scene& scene, unsigned count, const Function& function,
                            const std::vector<std::uint32_t>& masks = {}) {
  std::vector<Result> results(count);
#if defined(__CUDACC__)
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0) {
    DeviceCaster caster(scene);
    if (!masks.empty()) caster.set_masks(masks.data(), masks.size());
    on_gpu(caster, function, results);
    return results;
  }
#endif
  Renderer renderer(scene, {"cpu"});
  if (!masks.empty()) renderer.set_masks(masks);
  const device::SceneView view = renderer.host_view();
  for (unsigned i = 0; i < count; ++i) results[i] = function(view, i);
  return results;
}

}  // namespace examples
