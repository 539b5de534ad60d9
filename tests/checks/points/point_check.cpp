// Searches for closest points and compares them with exact arithmetic: the triangle must be the
// right one, the distance within its stated bound, and the side of a closed mesh the right one.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "checks/edges/closed_meshes.hpp"
#include "checks/points/trials.hpp"
#include "helpers/tool.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail::points {
namespace {

struct Settings {
  u64 points = 1000000;  // number of points, over all meshes
  RendererOptions where;
};

struct Case {
  std::string mesh;
  const char* placement;
  Mesh placed;
  bool closed;
};

std::vector<Case> all_cases() {
  std::vector<edges::ClosedMesh> meshes = edges::own_meshes({8, 12, 6});
  const std::size_t closed = meshes.size();
  meshes.push_back({"soup", testing::soup(300, 41), false});
  meshes.push_back({"copies", testing::repeated(testing::soup(40, 42), 6), false});
  std::vector<Case> cases;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (const edges::Placement& placement : edges::placements())
      if (!(meshes[i].thin && placement.far))
        cases.push_back(
            {meshes[i].name, placement.name, placement.place(meshes[i].mesh), i < closed});
  return cases;
}

void print_row(const char* mesh, const char* placement, const Tally& t, double seconds) {
  std::printf("%-10.10s %-14s %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
              " %6" PRIu64 " %6" PRIu64 " %5" PRIu64 " %6.3f %6.1f\n",
              mesh, placement, t.points, t.on_surface, t.near, t.by_integers, t.rounded,
              t.triangles, t.distances, t.signs, t.worst, seconds);
  std::fflush(stdout);
}

int run(const Settings& settings) {
  std::printf("%-10s %-14s %9s %9s %8s %8s %8s %6s %6s %5s %6s %6s\n", "mesh", "placed", "points",
              "surface", "near", "integer", "rounded", "tri.", "dist.", "sign", "worst", "s");
  Tally all;
  const Stopwatch whole;
  const std::vector<Case> cases = all_cases();
  for (const Case& c : cases) {
    const Stopwatch watch;
    const u64 count = (settings.points + cases.size() - 1) / cases.size();
    const Tally t = try_points(c.placed, c.closed, count, settings.where);
    print_row(c.mesh.c_str(), c.placement, t, watch.milliseconds() / 1000.0);
    all = all + t;
  }
  print_row("all", "", all, whole.milliseconds() / 1000.0);
  std::printf("%s: %" PRIu64 " points, %" PRIu64 " wrong triangles, %" PRIu64
              " distances beyond their bound, %" PRIu64 " wrong sides\n",
              all.clean() ? "PASS" : "FAIL", all.points, all.triangles, all.distances, all.signs);
  return all.clean() ? 0 : 1;
}

constexpr const char* kUsage =
    "usage: point_check [--points N] [--device NAME] [--build NAME]\n"
    "Searches for the closest points of N points (default 1000000) of meshes of several kinds, "
    "sizes\n"
    "and places: points at corners, edges and faces (surface: exactly on a triangle), close to "
    "them\n"
    "(near: too close for a ray of floats to tell the side), around the mesh, and up to a million "
    "sizes "
    "away.\n"
    "Compares with exact arithmetic (integer: where fixed precision is not enough). Exit code 1 if "
    "a\n"
    "triangle is not the closest with the smallest number (tri.), though some other may be where\n"
    "distances are equal but for rounding (rounded), if a distance is beyond its bound (dist.; "
    "worst:\n"
    "of that bound), or a side of a closed mesh wrong (sign), of points on its surface, too.\n";

int main_with(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const bool has_value = i + 1 < arguments.size();
    if (a == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (a == "--points" && has_value) {
      settings.points = testing::whole_number(a, arguments[++i]);
    } else if (testing::takes_where(arguments, i, settings.where)) {
      continue;
    } else {
      std::fputs(kUsage, stderr);
      return 2;
    }
  }
  return run(settings);
}

}  // namespace
}  // namespace ballotcast::detail::points

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("point_check", ballotcast::detail::points::main_with,
                                               argc, argv);
}
