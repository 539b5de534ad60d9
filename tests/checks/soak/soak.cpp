// Draws random scenes for a given time, on every device and with random options, some of them
// packed. Pictures and hits must be the same, and memory use must not grow.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/threads.hpp"
#include "checks/soak/random_case.hpp"
#include "helpers/instances.hpp"
#include "helpers/tool.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail::soak {
namespace {

constexpr u32 kChoicesADevice = 3;
/// By how many MiB the peak of the memory in use may be higher in the last quarter of a run than in
/// the third. The first half is not judged: drivers load kernels at their first use, and threads
/// fill their caches of freed memory.
constexpr double kGrowthAllowed = 1.0;

struct Settings {
  double minutes = 1.0;
  u64 scenes = 0;  // 0: as many as the time allows
  u32 first_seed = 1;
  std::vector<std::string> devices;  // empty: cpu and emulated
};

struct Tally {
  u64 scenes = 0, pictures = 0, rays = 0, different = 0;
};

/// Memory use in MiB.
struct Memory {
  double in_use = 0.0;    // allocated and not freed
  double resident = 0.0;  // provided by the system, including what the allocator keeps
};

Memory memory_now() {
  malloc_trim(0);
  const struct mallinfo2 info = mallinfo2();
  std::ifstream statm("/proc/self/statm");
  double all = 0.0, resident = 0.0;
  statm >> all >> resident;
  return {static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20),
          resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20)};
}

/// The results that must be the same on every device and with all options.
struct Answer {
  std::string pixels, camera_hits, closest, crossings;
  std::vector<bool> any;

  bool operator==(const Answer&) const = default;
};

struct Question {
  std::shared_ptr<const SceneData> scene;
  RenderSettings settings;
  std::vector<Ray> rays;
};

Answer answer(const Question& question, const std::string& device, const RandomChoice& choice,
              Tally& tally) {
  Answer out;
  with_threads(choice.threads, [&] {
    RendererOptions options = choice.renderer;
    options.device = device;
    Renderer renderer(choice.pack ? packed_copy(question.scene, *choice.pack) : question.scene,
                      options);
    move(renderer, choice.motion);
    RenderSettings settings = question.settings;
    // The number of leaf visits depends on the tree.
    const bool about_tree = settings.shading == "visits";
    settings.cast = choice.cast;
    const Frame frame = renderer.render(settings);
    out.pixels = about_tree ? "" : hash_of(frame.image);
    out.camera_hits = hash_of(frame.hits);
    std::vector<Hit> hits(question.rays.size());
    renderer.closest(question.rays, hits, choice.cast);
    out.closest = hash_of(hits);
    renderer.any(question.rays, hits, choice.cast);
    for (const Hit& hit : hits) out.any.push_back(hit.found());
    const AllHits all = renderer.all(question.rays);
    out.crossings = hash_of(all.hits) + " " + std::to_string(all.hits.size());
    ++tally.pictures;
    tally.rays += frame.counts.rays + 3 * question.rays.size();
  });
  return out;
}

/// Draws the scene of one seed on every device and prints what differs.
void soak_one(u32 seed, const Settings& settings, Tally& tally) {
  testing::Random random(seed);
  Question question;
  question.scene = random_scene(random);
  question.settings = random_settings(*question.scene, random);
  const Mesh target = question.scene->instances.empty() ? question.scene->mesh
                                                        : testing::flattened(Scene(question.scene));
  question.rays = testing::rays_at(target, 200 + random.below(1000), random.bits());
  const RandomChoice plain{{}, {}, {}, {}, 0};
  const Answer expected = answer(question, settings.devices.front(), plain, tally);
  for (const std::string& device : settings.devices)
    for (u32 i = 0; i < kChoicesADevice; ++i) {
      const RandomChoice choice = random_choice(*question.scene, random);
      if (answer(question, device, choice, tally) == expected) continue;
      ++tally.different;
      std::printf("DIFFERENT  seed %u, %s: %s; again: soak --seed %u --scenes 1\n", seed,
                  device.c_str(), choice.text().c_str(), seed);
    }
  ++tally.scenes;
}

int run(const Settings& settings) {
  for (const std::string& device : settings.devices) {
    const DeviceChoice choice = choose_device(device);
    std::printf("%s: %s\n", device.c_str(), choice.backend->describe().c_str());
  }
  std::printf("%7s %8s %9s %13s %9s %9s %9s\n", "minutes", "scenes", "pictures", "rays",
              "different", "MiB", "resident");
  const Stopwatch watch;
  const auto minutes = [&] { return watch.milliseconds() / 60000.0; };
  const auto share_done = [&](const Tally& tally) {
    return settings.scenes
               ? static_cast<double>(tally.scenes) / static_cast<double>(settings.scenes)
               : minutes() / settings.minutes;
  };
  Tally tally;
  double early = 0.0, late = 0.0, next_row = 0.0;
  for (u32 seed = settings.first_seed; share_done(tally) < 1.0; ++seed) {
    soak_one(seed, settings, tally);
    const double share = share_done(tally);
    if (share < next_row && share < 1.0) continue;
    next_row = share + 1.0 / 16.0;
    const Memory memory = memory_now();
    if (share >= 0.5) {
      double& most = share < 0.75 ? early : late;
      most = std::max(most, memory.in_use);
    }
    std::printf("%7.1f %8" PRIu64 " %9" PRIu64 " %13" PRIu64 " %9" PRIu64 " %9.2f %9.1f\n",
                minutes(), tally.scenes, tally.pictures, tally.rays, tally.different, memory.in_use,
                memory.resident);
    std::fflush(stdout);
  }
  const bool grew = early > 0.0 && late > early + kGrowthAllowed;
  if (grew) std::printf("memory in use grew from %.2f to %.2f MiB\n", early, late);
  const bool pass = tally.different == 0 && !grew;
  std::printf(
      "%s: %" PRIu64 " scenes, %" PRIu64 " pictures, %" PRIu64 " rays, %" PRIu64
      " different; in use at most %.2f MiB between scenes in the third quarter, %.2f in the last\n",
      pass ? "PASS" : "FAIL", tally.scenes, tally.pictures, tally.rays, tally.different, early,
      late);
  return pass ? 0 : 1;
}

constexpr const char* kUsage =
    "usage: soak [--minutes M] [--scenes N] [--seed S] [--device NAME]...\n"
    "Draws scenes at random for M minutes (default 1), or N of them, from seed S on\n"
    "(default 1):\n"
    "on the first device (default: cpu, then emulated) as it is, then on each with\n"
    "options at random.\n"
    "Exit code 1 if a pixel, hit or crossing differs, or if the memory in use grows\n"
    "by more than 1 MiB from the third quarter of the run to the last.\n";

double number_above_zero(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end || !(value > 0.0 && value < 1e9))
    throw UsageError(option + " " + text + ": not a number above 0");
  return value;
}

int main_with(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    const auto value = [&] { return number_above_zero(a, arguments[++i]); };
    if (a == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (a == "--minutes" && has_value) {
      settings.minutes = value();
    } else if (a == "--scenes" && has_value) {
      settings.scenes = static_cast<u64>(std::max(1.0, value()));
    } else if (a == "--seed" && has_value) {
      settings.first_seed = static_cast<u32>(value());
    } else if (a == "--device" && has_value) {
      settings.devices.push_back(arguments[++i]);
    } else {
      std::fputs(kUsage, stderr);
      return 2;
    }
  }
  if (settings.devices.empty()) settings.devices = {"cpu", "emulated"};
  return run(settings);
}

}  // namespace
}  // namespace ballotcast::detail::soak

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("soak", ballotcast::detail::soak::main_with, argc,
                                               argv);
}
