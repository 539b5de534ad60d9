// Compares the numbers of nodes and triangles that rays test, by builder and workload, with
// approved counts. Unlike times, these counts are the same on every machine, so a builder that
// becomes worse is noticed without a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "backends/scene/prepared_scene.hpp"
#include "bench/builds/builds.hpp"
#include "scene/assemble.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {
namespace tree_counts_test {

/// Two scenes whose cameras are inside, and a scene of long diagonal triangles.
constexpr const char* kScenes[] = {"atrium", "cornell-box", "slivers"};
constexpr const char* kBuilders[] = {"ploc", "ploc-reinserted", "ploc-presplit", "sbvh"};

constexpr const char* kApproved = BALLOTCAST_SOURCE_DIR "/tests/bench/tree_counts.txt";

KnownScene scene_called(const std::string& name) {
  SceneRequest request;
  request.file = BALLOTCAST_SOURCE_DIR "/scenes/" + name + ".obj";
  return KnownScene(assemble(request));
}

/// The text that the approved file would have now.
std::string counts_now() {
  std::ostringstream out;
  out << "scene builder workload rays nodes triangles largest\n";
  for (const char* scene : kScenes) {
    const KnownScene known = scene_called(scene);
    for (const char* builder : kBuilders) {
      const auto prepared = prepare(known.scene(), builder, "grid2");
      for (const std::string_view workload : kWorkloadsOfTrees) {
        const Visits v = count_visits(*prepared, known.rays(std::string(workload), 64, 36));
        out << scene << ' ' << builder << ' ' << workload << ' ' << v.rays << ' ' << v.nodes << ' '
            << v.triangles << ' ' << v.largest << '\n';
      }
    }
  }
  return out.str();
}

std::string approved() {
  const std::vector<u8> bytes = read_file(kApproved);
  return {bytes.begin(), bytes.end()};
}

TEST(TreeCounts, are_those_that_were_approved) {
  const std::string now = counts_now();
  if (now == approved()) return;
  const std::string path = ::testing::TempDir() + "tree_counts.txt";
  std::ofstream(path) << now;
  FAIL() << "compare " << kApproved << " with " << path
         << ", and copy the latter if every change is meant";
}

/// The mean over workloads of the logarithm of the tests, per ray and in the slowest ray of 32.
double cost_of(const std::string& counts, const std::string& scene, const std::string& builder) {
  std::istringstream lines(counts);
  std::string line;
  double sum = 0.0;
  u32 workloads = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string in, by, workload;
    double rays = 0, nodes = 0, triangles = 0, largest = 0;
    if (!(words >> in >> by >> workload >> rays >> nodes >> triangles >> largest)) continue;
    if (in != scene || by != builder) continue;
    sum += 0.5 * std::log((nodes + triangles) * largest);
    ++workloads;
  }
  return sum / workloads;
}

// A regression test: an earlier default tree was good for camera rays, but a third slower for
// diffuse rays.
TEST(TreeCounts, are_lower_in_the_default_tree_of_a_gpu_than_with_sbvh) {
  const std::string counts = approved();
  const std::string builder = builder_called("balanced", BuildOn::machine).name();
  for (const char* scene : {"atrium", "slivers"})
    EXPECT_LT(cost_of(counts, scene, builder), cost_of(counts, scene, "sbvh")) << scene;
}

TEST(TreeCounts, have_a_group_for_each_32_rays) {
  const KnownScene known = scene_called("cornell-box");
  const auto prepared = prepare(known.scene(), "sbvh", "grid2");
  RaySet set = known.rays("primary", 64, 36);
  const Visits two = (set.rays.resize(64), count_visits(*prepared, set));
  const Visits more = (set.rays.resize(33), count_visits(*prepared, set));
  const Visits first = (set.rays.resize(32), count_visits(*prepared, set));
  const Visits one = (set.rays.resize(1), count_visits(*prepared, set));
  EXPECT_EQ(two.groups, 2u);
  EXPECT_EQ(more.groups, 2u);
  EXPECT_EQ(first.groups, 1u);
  EXPECT_EQ(one.groups, 1u);
  EXPECT_EQ(one.largest, one.nodes + one.triangles);
  EXPECT_EQ(more.largest - first.largest,
            more.nodes + more.triangles - first.nodes - first.triangles);
}

}  // namespace tree_counts_test
}  // namespace ballotcast::detail
