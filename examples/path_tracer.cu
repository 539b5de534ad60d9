// A path tracer in one function: white surfaces under a blue sky, with the rays cast where they are
// needed. On a GPU a kernel calls it, without one a loop.
//   path_tracer SCENE OUTPUT.png
#include <cmath>
#include <cstdio>
#include <vector>

#include "ballotcast/ballotcast.hpp"
#include "ballotcast/device.hpp"

using namespace ballotcast;

namespace {

constexpr unsigned kWidth = 320, kHeight = 240, kSamples = 32, kBounces = 4;

struct Lens {
  Vec3f eye, ahead, right, up;
};

/// Random numbers from 0 to 1 (M. O'Neill, PCG, 2014).
struct Random {
  unsigned state;
  BALLOTCAST_HD float next() {
    state = state * 747796405u + 2891336453u;
    const unsigned word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
    return static_cast<float>((word >> 22 ^ word) >> 8) * 0x1p-24f;
  }
};

BALLOTCAST_HD Vec3f sum(Vec3f a, Vec3f b, float s) {
  return {fmaf(b.x, s, a.x), fmaf(b.y, s, a.y), fmaf(b.z, s, a.z)};
}
BALLOTCAST_HD Vec3f unit(Vec3f v) {
  const float s = 1.0f / sqrtf(fmaf(v.x, v.x, fmaf(v.y, v.y, v.z * v.z)));
  return {v.x * s, v.y * s, v.z * s};
}

/// A direction that a white surface scatters light to: the normal plus a point of the unit sphere.
BALLOTCAST_HD Vec3f scattered(Vec3f normal, Random& random) {
  for (;;) {
    const Vec3f p{random.next() * 2 - 1, random.next() * 2 - 1, random.next() * 2 - 1};
    const float square = fmaf(p.x, p.x, fmaf(p.y, p.y, p.z * p.z));
    if (square > 1e-6f && square <= 1.0f) return unit(sum(unit(p), normal, 1.001f));
  }
}

/// The light that a pixel sees: that of the sky where paths end.
template <class View>
BALLOTCAST_HD float light_of(const View& scene, const Lens& lens, unsigned pixel) {
  Random random{pixel * 9781u + 1u};
  float light = 0.0f;
  for (unsigned sample = 0; sample < kSamples; ++sample) {
    const float x = (pixel % kWidth + random.next()) / kWidth * 2.0f - 1.0f;
    const float y = 1.0f - (pixel / kWidth + random.next()) / kHeight * 2.0f;
    const Vec3f seen = sum(sum(lens.ahead, lens.right, x), lens.up, y);
    Ray ray{lens.eye, 0.0f, unit(seen), INFINITY};
    unsigned start = kNoTriangle;
    for (unsigned bounce = 0; bounce <= kBounces; ++bounce) {
      // A new ray starts on a triangle, which it does not hit.
      const auto hit = device::closest_surface(scene, ray, device::SkipTriangle{start});
      if (!hit.hit.found()) {
        light += powf(0.7f, bounce) * (1.0f + ray.direction.y);
        break;
      }
      start = hit.hit.triangle;
      ray.origin = sum(ray.origin, ray.direction, hit.hit.t);
      ray.direction = scattered(hit.normal, random);
    }
  }
  return light / kSamples;
}

std::vector<float> drawn_on_host(const Scene& scene, const Lens& lens) {
  const Renderer renderer(scene, {"cpu"});
  const device::SceneView view = renderer.host_view();
  std::vector<float> light;
  for (unsigned pixel = 0; pixel < kWidth * kHeight; ++pixel)
    light.push_back(light_of(view, lens, pixel));
  return light;
}

#if defined(__CUDACC__)
template <class View>
__global__ void draw(View scene, Lens lens, float* light) {
  const unsigned pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel < kWidth * kHeight) light[pixel] = light_of(scene, lens, pixel);
}

std::vector<float> drawn_on_gpu(const Scene& scene, const Lens& lens) {
  const DeviceCaster caster(scene);
  float* on_device = nullptr;
  cudaMalloc(&on_device, kWidth * kHeight * sizeof(float));
  draw<<<kWidth * kHeight / 128, 128>>>(caster.device_view(), lens, on_device);
  std::vector<float> light(kWidth * kHeight);
  const cudaError_t error =
      cudaMemcpy(light.data(), on_device, light.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  if (error != cudaSuccess) throw DeviceError(cudaGetErrorString(error));
  return light;
}
#endif

std::vector<float> drawn(const Scene& scene, const Lens& lens) {
#if defined(__CUDACC__)
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0) return drawn_on_gpu(scene, lens);
#endif
  return drawn_on_host(scene, lens);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: path_tracer SCENE OUTPUT.png\n"), 2;
  try {
    const Scene scene = load_scene(argv[1]);
    const Box box = scene.bounds();
    const Vec3d size{box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z};
    const float wide = static_cast<float>(std::hypot(size.x, size.y, size.z)) * 0.5f;
    const Vec3d o = scene.origin();
    const Lens lens{{static_cast<float>((box.low.x + box.high.x) / 2 - o.x),
                     static_cast<float>((box.low.y + box.high.y) / 2 - o.y),
                     static_cast<float>(box.low.z - wide * 1.5 - o.z)},
                    {0, 0, 1},
                    {-0.55f, 0, 0},
                    {0, 0.55f * kHeight / kWidth, 0}};
    Image<Rgb8> image{kWidth, kHeight, {}};
    for (const float light : drawn(scene, lens)) {
      const auto byte = [&](float tint) {
        return static_cast<std::uint8_t>(std::fmin(255.0f, 255.0f * std::sqrt(light * tint)));
      };
      image.pixels.push_back({byte(0.45f), byte(0.5f), byte(0.6f)});
    }
    write_png(argv[2], image);
  } catch (const Error& error) {
    return std::fprintf(stderr, "path_tracer: %s\n", error.what()), 3;
  }
}
