// Aims rays at the edges and corners of closed meshes, and holds what they cross to exact
// arithmetic: an odd number from inside, an even one from outside, and from inside always a hit.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "helpers/exact.hpp"
#include "render/renderer.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast {
namespace {

using testing::Whole;

struct Settings {
  u64 rays = 1000000;  // for each mesh
  std::string device = "auto";
  std::vector<std::string> files;
};

struct Tally {
  u64 rays = 0, inside = 0;
  u64 missed = 0;    // rays from inside that hit nothing
  u64 wrong = 0;     // counts of the wrong parity
  u64 disagree = 0;  // rays whose closest hit and whose crossings don't agree that there is one
};

/// Is each edge, by the places of its ends, passed once in each direction? Triangles without area
/// don't matter.
bool is_closed(const Mesh& mesh) {
  const auto key = [](vec3 p) { return std::tuple{p.x, p.y, p.z}; };
  using Place = std::tuple<float, float, float>;
  std::map<std::pair<Place, Place>, int> edges;
  for (const uvec3 t : mesh.triangles) {
    const Place corner[] = {key(mesh.positions[t.x]), key(mesh.positions[t.y]),
                            key(mesh.positions[t.z])};
    for (u32 i = 0; i < 3; ++i) {
      const Place &a = corner[i], &b = corner[(i + 1) % 3];
      if (a == b) continue;
      a < b ? ++edges[{a, b}] : --edges[{b, a}];
    }
  }
  return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
}

/// Stretched to almost 2^21 along the longest axis, and rounded to whole numbers.
Mesh on_whole_numbers(Mesh mesh, vec3 stretch) {
  const Aabb box = mesh.bounds();
  const vec3 center = box.center();
  const float scale = 1040000.0f / (0.5f * largest_magnitude(box.extent()));
  for (vec3& p : mesh.positions) p = p - center;
  return testing::rounded(std::move(mesh), stretch * scale);
}

Tally check(const Mesh& mesh, const Settings& settings) {
  constexpr u32 kRaysAPlace = 100000;
  Renderer renderer(testing::scene_of(mesh), {settings.device});
  const Aabb box = mesh.bounds();
  testing::Random random(1);
  Tally tally;
  std::vector<u32> counts;
  std::vector<Hit> closest;
  bool want_inside = true;
  for (u32 tries = 0; tally.rays < settings.rays && tries < 100000; ++tries) {
    const vec3 origin = {nearbyintf(random.between(box.low.x, box.high.x)),
                         nearbyintf(random.between(box.low.y, box.high.y)),
                         nearbyintf(random.between(box.low.z, box.high.z))};
    const Whole point = testing::whole_of(origin);
    if (testing::in_a_plane(mesh, point)) continue;
    const bool odd = testing::winding_number(mesh, point) % 2 != 0;
    if (odd != want_inside && tries % 50 != 49) continue;  // by turns, as far as that goes
    want_inside = !odd;
    const std::vector<Ray> rays = testing::rays_at_edges(mesh, origin, kRaysAPlace, random);
    counts.resize(rays.size());
    closest.resize(rays.size());
    renderer.count(rays, counts);
    renderer.closest(rays, closest);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      tally.missed += odd && !closest[i].found() ? 1 : 0;
      tally.wrong += (counts[i] % 2 != 0) != odd ? 1 : 0;
      tally.disagree += counts[i] != 0 && !closest[i].found() ? 1 : 0;
    }
    tally.rays += rays.size();
    tally.inside += odd ? rays.size() : 0;
  }
  return tally;
}

int run(const Settings& settings) {
  struct Named {
    std::string name;
    Mesh mesh;
  };
  const vec3 even(1.0f), flat(1.0f, 1e-4f, 1.0f);
  std::vector<Named> meshes = {
      {"sphere", on_whole_numbers(testing::sphere(40), even)},
      {"torus", on_whole_numbers(testing::torus(40), even)},
      {"torus, flat", on_whole_numbers(testing::torus(40), flat)},
      {"sphere of slivers", on_whole_numbers(testing::sphere(300), vec3(1.0f, 0.01f, 1e-3f))}};
  for (const std::string& file : settings.files)
    meshes.push_back({file, on_whole_numbers(load_scene(file).mesh, even)});
  std::printf("%-28s %9s %11s %11s %7s %7s %9s %7s\n", "mesh", "triangles", "rays", "from inside",
              "missed", "parity", "disagree", "s");
  Tally all;
  for (const Named& named : meshes) {
    if (!is_closed(named.mesh)) {
      std::printf("%-28.28s %9zu is not closed: left out\n", named.name.c_str(),
                  named.mesh.triangles.size());
      continue;
    }
    const Stopwatch watch;
    const Tally t = check(named.mesh, settings);
    std::printf("%-28.28s %9zu %11llu %11llu %7llu %7llu %9llu %7.1f\n", named.name.c_str(),
                named.mesh.triangles.size(), static_cast<unsigned long long>(t.rays),
                static_cast<unsigned long long>(t.inside),
                static_cast<unsigned long long>(t.missed), static_cast<unsigned long long>(t.wrong),
                static_cast<unsigned long long>(t.disagree), watch.milliseconds() / 1000.0);
    std::fflush(stdout);
    all.rays += t.rays;
    all.missed += t.missed;
    all.wrong += t.wrong;
    all.disagree += t.disagree;
  }
  const bool pass = all.missed + all.wrong + all.disagree == 0 && all.rays > 0;
  std::printf("%s: %llu rays at edges and corners, %llu missed, %llu of wrong parity\n",
              pass ? "PASS" : "FAIL", static_cast<unsigned long long>(all.rays),
              static_cast<unsigned long long>(all.missed),
              static_cast<unsigned long long>(all.wrong));
  return pass ? 0 : 1;
}

constexpr const char* kUsage =
    "usage: edge_check [--rays N] [--device NAME] [FILE.obj]...\n"
    "Aims N rays (default 1000000) at the edges and corners of each of some closed meshes, and\n"
    "of those in the files, moved to whole coordinates. Exit code 1 if a ray finds no way out\n"
    "from inside, or crosses a surface too often or too seldom by exact arithmetic.\n";

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
      char* end = nullptr;
      settings.rays = std::strtoull(arguments[++i].c_str(), &end, 10);
      if (*end || settings.rays == 0)
        throw UsageError("--rays " + arguments[i] + ": not a whole number above 0");
    } else if (a == "--device" && has_value) {
      settings.device = arguments[++i];
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
}  // namespace ballotcast

int main(int argc, char** argv) {
  try {
    return ballotcast::main_with({argv + 1, argv + argc});
  } catch (const ballotcast::UsageError& error) {
    std::fprintf(stderr, "edge_check: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "edge_check: %s\n", error.what());
    return 3;
  }
}
