// Casts the rays of several pictures many times, in changing order, and compares each hit with the
// hit that the CPU finds. A DeviceCaster chooses the kernels of a cast by properties of the rays of
// earlier casts; no hit may depend on the choice.
//
//   repeated_check [SCENE]...
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "ballotcast/renderer.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "kernels/frame/pixel_tiles.hpp"
#include "math/trig.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kWidth = 1280, kHeight = 960, kRays = kWidth * kHeight;

/// Camera rays from the middle of the scene, in the order of the tiles of a picture. `degrees`: the
/// direction of the camera, as a rotation about the y axis.
std::vector<Ray> picture(const Scene& scene, double degrees) {
  const Box box = scene.bounds();
  const Vec3d o = scene.origin();
  const Vec3f middle{static_cast<float>((box.low.x + box.high.x) / 2 - o.x),
                     static_cast<float>((box.low.y + box.high.y) / 2 - o.y),
                     static_cast<float>((box.low.z + box.high.z) / 2 - o.z)};
  const SinCos turn = sincos_degrees(degrees);
  const Tiling tiling{kWidth, kHeight, 0u};
  std::vector<Ray> rays;
  for (u32 i = 0; i < kRays; ++i) {
    const PixelPlace pixel = tiling.place(i);
    const double right = (pixel.x + 0.5) / kWidth - 0.5, up = 0.5 - (pixel.y + 0.5) / kHeight;
    rays.push_back({middle,
                    0.0f,
                    {static_cast<float>(turn.cos - turn.sin * right), static_cast<float>(up),
                     static_cast<float>(turn.sin + turn.cos * right)},
                    std::numeric_limits<float>::infinity()});
  }
  return rays;
}

/// Rays in host memory and in device memory, and their hits, as the CPU finds them.
struct Batch {
  std::vector<Ray> rays;
  std::vector<Hit> expected;
  Buffer<Ray> on_device;

  Batch(Renderer& cpu, std::vector<Ray> from)
      : rays(std::move(from)), expected(rays.size()), on_device(rays.size()) {
    cpu.closest(rays, expected);
    on_device.set(rays);
  }
};

u32 check_scene(const std::string& name, const Scene& scene) {
  Renderer cpu(scene, {"cpu"});
  DeviceCaster caster(scene);
  std::vector<std::unique_ptr<Batch>> batches;
  for (const double degrees : {0.0, 0.1, 0.2, 5.0, 90.0})
    batches.push_back(std::make_unique<Batch>(cpu, picture(scene, degrees)));
  std::vector<Ray> mixed = batches[0]->rays;  // neighbouring rays have different directions
  for (u32 i = 0; i < mixed.size(); i += 2)
    mixed[i].direction = {-mixed[i].direction.x, mixed[i].direction.y, -mixed[i].direction.z};
  batches.push_back(std::make_unique<Batch>(cpu, std::move(mixed)));
  const Buffer<Hit> hits(kRays);
  u32 different = 0;
  u32 rays_left_out = 0;
  // Casts `casts` times. Compares the hits of every `every`-th cast; the host does not wait for the
  // other casts.
  const auto cast = [&](const char* what, u32 casts, auto batch_of, u32 every = 1) {
    u32 wrong = 0;
    for (u32 i = 0; i < casts; ++i) {
      const Batch& batch = *batches[batch_of(i)];
      const std::size_t count = batch.rays.size() - rays_left_out;
      const bool compares = i % every == every - 1;
      if (compares) check(cudaMemset(hits.data(), 0xff, kRays * sizeof(Hit)), "clear");
      caster.closest(batch.on_device.data(), hits.data(), count);
      if (compares && testing::first_difference(hits.get(), batch.expected) < count) ++wrong;
    }
    std::printf("%s, %s: %u casts, %u different\n", name.c_str(), what, casts, wrong);
    different += wrong;
  };
  cast("the same rays", 90, [](u32) { return 0u; });
  cast("rays that turn slowly", 60, [](u32 i) { return i % 3u; });
  cast("the same rays again", 200, [](u32) { return 1u; });
  cast("rays that turn fast", 60, [](u32 i) { return i % 5u; });
  cast("now and then incoherent rays", 90, [](u32 i) { return i % 9u == 8u ? 5u : 0u; });
  cast("incoherent rays after many others", 60, [](u32 i) { return i < 40u ? 2u : 5u; });
  rays_left_out = 37;  // so that the last group of rays is not full
  cast(
      "the same rays, without waiting", 400, [](u32) { return 0u; }, 20);
  cast(
      "rays that turn, without waiting", 400, [](u32 i) { return i / 7u % 5u; }, 20);
  return different;
}

int run(const std::vector<std::string>& scenes) {
  u32 different = 0;
  if (scenes.empty()) different = check_scene("built-in scene", builtin_scene());
  for (const std::string& scene : scenes) different += check_scene(scene, load_scene(scene));
  std::printf("%s\n", different == 0 ? "PASS" : "FAIL");
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("repeated_check", ballotcast::detail::run, argc,
                                               argv);
}
