// Checks the queues of pipeline queue with order "lanes", for several block sizes: after each pass,
// the queue must have the ids of the rays that have more leaves to visit, ascending. Prints the
// times of casts with orders "lanes" and "any".
#include <algorithm>
#include <cstdio>

#include "backends/device/device_choice.hpp"
#include "bench/rays/casts.hpp"
#include "bench/rays/known_scene.hpp"
#include "helpers/tool.hpp"
#include "render/explain.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace {

struct Request {
  RendererOptions where{"cuda"};
  u32 width = 1920, height = 1080;
  std::vector<std::string> paths;
};

/// The expected queue after each pass. visits[i]: the number of leaves that ray i visits. Ray i is
/// in queue k if it visits more than k leaves.
Queues expected_queues(const std::vector<u32>& visits) {
  Queues queues(visits.empty() ? 1u : *std::max_element(visits.begin(), visits.end()) + 1u);
  for (u32 i = 0; i < visits.size(); ++i)
    for (u32 pass = 0; pass < visits[i]; ++pass) queues[pass].push_back(i);
  return queues;
}

CastChoice choice_of(const char* order, const char* loop, u32 block_size) {
  return CastChoice({"queue", "auto", block_size, loop, order});
}

/// Checks the queues of one workload, and prints times. Returns the number of wrong casts.
int check_and_time(const KnownScene& known, ResidentScene& resident, ResidentScene& cpu,
                   const std::string& workload, const Request& r) {
  const RaySet set = known.rays(workload, r.width, r.height);
  const u32 count = static_cast<u32>(set.rays.size());
  std::vector<Hit> hits(count);
  std::vector<u32> visits(count);
  cpu.cast(set.kind, set.rays.data(), hits.data(), visits.data(), count, {});
  const auto kept = resident.keep(set.kind, set.rays.data(), count);
  const Queues expected = expected_queues(visits);
  int wrong = 0;
  const auto expect = [&](bool right, const std::string& what) {
    if (right) return;
    std::printf("WRONG  %s, %s\n", workload.c_str(), what.c_str());
    ++wrong;
  };
  for (const u32 block_size : {32u, 96u, 256u, 1024u}) {
    const std::string size = std::to_string(block_size) + " lanes per block";
    expect(queues_of(*kept, choice_of("lanes", "host", block_size)) == expected, size + ": queues");
    for (const char* loop : {"host", "host:3", "graph"})
      expect(count_wrong(*kept, choice_of("lanes", loop, block_size), hits) == 0,
             size + ", " + loop + ": hits");
  }
  std::printf("  %-10s %9u rays, %zu passes:", workload.c_str(), count, expected.size());
  for (const char* loop : {"graph", "host"}) {
    const double any = time_casts(*kept, choice_of("any", loop, 256)).median_ms;
    const double lanes = time_casts(*kept, choice_of("lanes", loop, 256)).median_ms;
    std::printf("  %s: any %.3f ms, lanes %.3f ms (%.2f)", loop, any, lanes, lanes / any);
  }
  std::printf("\n");
  return wrong;
}

int run(const std::vector<std::string>& arguments) {
  Request r;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (testing::takes_where(arguments, i, r.where) ||
        testing::takes_number(arguments[i], "--width", r.width) ||
        testing::takes_number(arguments[i], "--height", r.height))
      continue;
    if (arguments[i].rfind("-", 0) == 0) {
      std::printf(
          "usage: queue_order_check [--device NAME] [--width=N] [--height=N] SCENE...\n"
          "Times mean nothing on device emulated.\n");
      return arguments[i] == "--help" ? 0 : 2;
    }
    r.paths.push_back(arguments[i]);
  }
  const DeviceChoice device = choose_backend(r.where.device);
  std::printf("device: %s\n", device.description().c_str());
  int wrong = 0;
  for (const std::string& path : r.paths) {
    const KnownScene known(assemble({path}));
    std::printf("%s\n", known.scene()->name.c_str());
    for (const char* layout : {"bvh2", "grid2"}) {
      const auto prepared = prepare(known.scene(), "balanced", layout);
      const auto resident = device.upload(*prepared, {});
      const auto cpu = choose_backend("cpu").backend->upload(*prepared);
      std::printf(" layout %s\n", layout);
      for (const char* workload : {"primary", "ao", "diff1", "random"})
        wrong += check_and_time(known, *resident, *cpu, workload, r);
    }
  }
  std::printf(wrong == 0 ? "all right\n" : "%d are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("queue_order_check", ballotcast::detail::run, argc,
                                               argv);
}
