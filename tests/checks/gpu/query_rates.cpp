// Measures the rates of several queries with the same rays on a GPU, in millions of rays per
// second. Each ray goes from a random point of the scene's bounding box towards another one.
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "ballotcast/device_caster.hpp"
#include "checks/gpu/device_memory.hpp"
#include "helpers/tool.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kRays = 1u << 21;

std::vector<Ray> rays_through(const Box& box) {
  const vec3 low(box.low.x, box.low.y, box.low.z), high(box.high.x, box.high.y, box.high.z);
  const auto point = [&](u32 seed) {
    const auto at = [&](u32 k) {
      return low[static_cast<int>(k)] + (high - low)[static_cast<int>(k)] *
                                            static_cast<float>(hash_pair(seed, k) >> 8) * 0x1p-24f;
    };
    return vec3(at(0), at(1), at(2));
  };
  std::vector<Ray> rays;
  for (u32 i = 0; i < kRays; ++i) {
    const vec3 from = point(2 * i);
    rays.push_back({from, 0.0f, point(2 * i + 1) - from, std::numeric_limits<float>::infinity()});
  }
  return rays;
}

void measure(const std::string& file) {
  const Scene scene = load_scene(file);
  RendererOptions options;
  options.device = "cuda";
  DeviceCaster caster(scene, options);
  const Buffer<Ray> rays(kRays);
  rays.set(rays_through(scene.bounds()));
  const Buffer<Hit> hits(kRays);
  const Buffer<u32> counts(kRays);
  const auto rate = [](const char* name, double ms) {
    std::printf("  %-8s %8.0f M rays/s\n", name, kRays / ms / 1e3);
  };
  std::printf("%s, %u random rays\n", file.c_str(), kRays);
  rate("closest", least_ms(nullptr, 10, [&] { caster.closest(rays.data(), hits.data(), kRays); }));
  rate("any", least_ms(nullptr, 10, [&] { caster.any(rays.data(), hits.data(), kRays); }));
  rate("count", least_ms(nullptr, 10, [&] { caster.count(rays.data(), counts.data(), kRays); }));
  u64 sum = 0;
  for (const u32 count : counts.get()) sum += count;
  std::printf("  crossings per ray: %.2f\n", static_cast<double>(sum) / kRays);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError("usage: query_rates SCENE...");
  for (const std::string& file : arguments) measure(file);
  return 0;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("query_rates", ballotcast::detail::run, argc, argv);
}
