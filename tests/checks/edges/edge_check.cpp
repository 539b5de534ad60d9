// Aims rays at the edges and corners of closed meshes and compares their crossings with exact
// arithmetic: rays from inside must cross an odd number of times and must have a hit, and rays from
// outside must cross an even number of times.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "checks/edges/closed_meshes.hpp"
#include "checks/edges/trials.hpp"
#include "helpers/tool.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail::edges {
namespace {

struct Settings {
  u64 rays = 1000000;  // rays per mesh and placement
  double far = 1e6;
  RendererOptions where;
  std::vector<std::string> files;
};

void warn_of_open(const std::string& file) {
  std::fprintf(stderr, "edge_check: %s: is not closed: left out\n", file.c_str());
}

void print_row(const char* mesh, const char* placement, const Tally& t, double seconds) {
  std::printf("%-14.14s %-15s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %6" PRIu64
              " %5" PRIu64 " %5" PRIu64 " %5" PRIu64 " %5" PRIu64 " %6.3f %6.1f\n",
              mesh, placement, t.rays, t.inside, t.on_surface, t.far, t.places, t.missed, t.parity,
              t.twice, t.impossible, t.worst, seconds);
  std::fflush(stdout);
}

int run(const Settings& settings) {
  std::printf("%-14s %-15s %9s %9s %9s %9s %6s %5s %5s %5s %5s %6s %6s\n", "mesh", "placed", "rays",
              "inside", "surface", "far", "places", "miss", "par.", "twice", "imp.", "worst", "s");
  Tally all;
  const Stopwatch whole;
  for (const ClosedMesh& closed : closed_meshes(settings.files, warn_of_open))
    for (const Placement& placement : placements()) {
      if (closed.thin && placement.far) continue;
      const Stopwatch watch;
      const Tally t =
          try_edges(placement.place(closed.mesh), settings.rays, settings.far, settings.where);
      print_row(closed.name.c_str(), placement.name, t, watch.milliseconds() / 1000.0);
      all = all + t;
    }
  print_row("all", "", all, whole.milliseconds() / 1000.0);
  std::printf("%s: %" PRIu64 " rays at edges and corners, %" PRIu64 " missed, %" PRIu64
              " counted wrongly, %" PRIu64 " listed twice, %" PRIu64 " impossible\n",
              all.clean() ? "PASS" : "FAIL", all.rays, all.missed, all.parity, all.twice,
              all.impossible);
  return all.clean() ? 0 : 1;
}

constexpr const char* kUsage =
    "usage: edge_check [--rays N] [--far SIZES] [--device NAME] [--build NAME] [FILE.obj]...\n"
    "Aims N rays (default 1000000) at the edges and corners of each of some closed meshes, and of\n"
    "those in the files, each at several sizes and places. A sixth of the rays come from SIZES\n"
    "times the mesh's size away (default 1e6; 0: none do). Exit code 1 if a ray finds no way out\n"
    "from inside (miss), crosses a surface an odd number of times from outside or an even one "
    "from\n"
    "inside by exact arithmetic (par.), has a crossing twice in its list (twice), or a hit that "
    "is\n"
    "farther from its triangle than rounding explains (imp.; worst: of that bound).\n";

int main_with(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (a == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (a == "--rays" && has_value) {
      settings.rays = testing::whole_number(a, arguments[++i]);
    } else if (a == "--far" && has_value) {
      char* end = nullptr;
      settings.far = std::strtod(arguments[++i].c_str(), &end);
      if (end == arguments[i].c_str() || *end || !(settings.far >= 0.0 && settings.far <= 1e12))
        throw UsageError("--far " + arguments[i] + ": not a number from 0 to 1e12");
    } else if (testing::takes_where(arguments, i, settings.where)) {
      continue;
    } else if (a.rfind("--", 0) == 0) {
      std::fputs(kUsage, stderr);
      return 2;
    } else {
      settings.files.push_back(a);
    }
  }
  return run(settings);
}

}  // namespace
}  // namespace ballotcast::detail::edges

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("edge_check", ballotcast::detail::edges::main_with,
                                               argc, argv);
}
