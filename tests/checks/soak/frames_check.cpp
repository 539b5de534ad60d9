// Moves random scenes from frame to frame, their vertices or their instances, some of which come
// and go. In each frame everything that rays hit is compared with a scene that has had this frame's
// vertices and transforms from the start.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "checks/soak/random_case.hpp"
#include "helpers/instances.hpp"
#include "helpers/tool.hpp"

namespace ballotcast::detail::soak {
namespace {

constexpr u32 kFramesOfAScene = 50;

/// The results of all kinds of casts, which must not depend on the tree.
struct Answer {
  std::string closest, crossings;
  std::vector<bool> any;
  std::vector<u32> counts;

  bool operator==(const Answer&) const = default;
};

Answer answer(Renderer& renderer, const std::vector<Ray>& rays) {
  Answer out;
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  out.closest = hash_of(hits);
  renderer.any(rays, hits);
  for (const Hit& hit : hits) out.any.push_back(hit.found());
  out.counts.resize(rays.size());
  renderer.count(rays, out.counts);
  out.crossings = hash_of(renderer.all(rays).hits);
  return out;
}

/// Rays at random points of the scene in one frame.
std::vector<Ray> rays_at(const SceneData& scene, testing::Random& random) {
  const Scene shared(std::make_shared<SceneData>(scene));
  const Mesh target = scene.instances.empty() ? scene.mesh : testing::flattened(shared);
  return testing::rays_at(target, 150, random.bits());
}

struct Tally {
  u64 frames = 0, hits = 0, different = 0;
};

/// Moves the scene of one seed.
void check_scene(u32 seed, u32 frames, const std::vector<std::string>& devices, Tally& tally) {
  testing::Random random(seed);
  const Scene scene(random_scene(random));
  constexpr Follow kWays[] = {Follow::automatic, Follow::refit, Follow::rebuild};
  std::vector<Renderer> moving;
  for (const std::string& device : devices) {
    RendererOptions options{device, random.below(2) ? "ploc" : "binned-sah",
                            random.below(2) ? "grid2" : "bvh2"};
    options.moves = true;
    moving.emplace_back(scene, options);
  }
  for (u32 frame = 0; frame < frames; ++frame) {
    const u32 pose = frame % 10 == 9 ? 0u : 1u + random.below(1000000);
    const auto fresh = posed(scene, pose);
    Renderer from_the_start(Scene(fresh), {"cpu"});
    const std::vector<Ray> rays = rays_at(*fresh, random);
    const Answer expected = answer(from_the_start, rays);
    for (const u32 count : expected.counts) tally.hits += count;
    const Follow how = kWays[random.below(3)];
    for (std::size_t i = 0; i < moving.size(); ++i) {
      set_pose(moving[i], pose);
      moving[i].follow(how);
      if (answer(moving[i], rays) == expected) continue;
      ++tally.different;
      std::printf("DIFFERENT  seed %u, frame %u, %s\n", seed, frame, devices[i].c_str());
    }
    ++tally.frames;
  }
}

int run(const std::vector<std::string>& arguments) {
  u64 frames = 500;
  u32 seed = 1;
  std::vector<std::string> devices;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (a == "--frames" && has_value) {
      frames = testing::whole_number(a, arguments[++i]);
    } else if (a == "--seed" && has_value) {
      seed = static_cast<u32>(std::strtoul(arguments[++i].c_str(), nullptr, 10));
    } else if (a == "--device" && has_value) {
      devices.push_back(arguments[++i]);
    } else {
      std::fputs(
          "usage: frames_check [--frames N] [--seed S] [--device NAME]...\n"
          "Moves random scenes through N frames (default 500) on all these devices (default: cpu\n"
          "and emulated), and compares each frame with a scene that is new. Exit code 1 if a hit\n"
          "differs.\n",
          stdout);
      return a == "--help" ? 0 : 2;
    }
  }
  if (devices.empty()) devices = {"cpu", "emulated"};
  Tally tally;
  while (tally.frames < frames) {
    const u64 left = frames - tally.frames;
    check_scene(seed++, left < kFramesOfAScene ? static_cast<u32>(left) : kFramesOfAScene, devices,
                tally);
  }
  const bool pass = tally.different == 0 && tally.hits > tally.frames;
  std::printf("%s: %" PRIu64 " frames, %" PRIu64 " crossings, %" PRIu64 " different\n",
              pass ? "PASS" : "FAIL", tally.frames, tally.hits, tally.different);
  return pass ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail::soak

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("frames_check", ballotcast::detail::soak::run, argc,
                                               argv);
}
