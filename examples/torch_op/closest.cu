// The kernel of the PyTorch operator, which finds the closest hits of rays.
#include "ballotcast/device.hpp"
#include "closest.hpp"

using namespace ballotcast;

namespace {

__global__ void __launch_bounds__(128, 9)
    find_closest(device::SceneView scene, const Ray* rays, float* t, std::int64_t* triangles,
                 unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Hit hit = device::closest(scene, rays[i]);
  t[i] = hit.t;
  triangles[i] = hit.found() ? static_cast<std::int64_t>(hit.triangle) : -1;
}

}  // namespace

std::size_t bytes_of_view() { return sizeof(device::SceneView); }

void enqueue_closest(const void* view, const float* rays, float* t, std::int64_t* triangles,
                     unsigned count, cudaStream_t stream) {
  if (count == 0) return;
  find_closest<<<(count + 127) / 128, 128, 0, stream>>>(
      *static_cast<const device::SceneView*>(view), reinterpret_cast<const Ray*>(rays), t,
      triangles, count);
}
