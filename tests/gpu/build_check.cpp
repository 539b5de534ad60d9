// Compares trees built on the GPU with those of the host, byte by byte.
#include <cstdio>
#include <cstring>
#include <map>

#include "backends/backend.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "scene/assemble.hpp"
#include "scene/generated.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

struct Tally {
  u64 compared = 0, different = 0;

  void expect(bool equal, const std::string& what) {
    ++compared;
    if (!equal && ++different <= 20) std::printf("DIFFERENT  %s\n", what.c_str());
  }
};

template <class Elements>
bool same_bytes(const Elements& a, const Elements& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0;
}

bool same(const BinaryTree& a, const BinaryTree& b) {
  return a.depth == b.depth && same_bytes(a.nodes, b.nodes) && same_bytes(a.order, b.order);
}

bool same(const EncodedBvh& a, const EncodedBvh& b) {
  return a.bytes == b.bytes && std::memcmp(a.nodes.data(), b.nodes.data(), a.bytes) == 0 &&
         same_bytes(a.triangles, b.triangles) &&
         std::memcmp(&a.shape, &b.shape, sizeof a.shape) == 0;
}

void print_times(const std::map<std::string, double>& least, u32 triangles) {
  double sum = 0.0;
  for (const auto& [name, ms] : least) sum += ms;
  std::printf("   ");
  for (const auto& [name, ms] : least) std::printf(" %s %.3f", name.c_str(), ms);
  std::printf(" ms; sum %.3f ms, %.0f M triangles/s\n", sum, triangles / sum * 1e-3);
}

void compare(const Mesh& mesh, const std::string& name, u32 runs, Tally& all) {
  Tally tally;
  const Copies copies = find_copies(mesh, [](u32) { return true; });
  const auto count = static_cast<u32>(mesh.triangles.size() - copies.ids.size());
  const Stopwatch watch;
  const BinaryTree twin = build_ploc(mesh, copies);
  const double host_ms = watch.milliseconds();
  const auto builder = backend_called("cuda").tree_builder(mesh, copies);
  for (const LayoutInfo& row : layouts()) {
    const LayoutInfo& layout = *layout_called(row.name);
    const EncodedBvh expected = encode(&layout, twin, mesh);
    std::map<std::string, double> least;
    EncodedBvh first;
    for (u32 run = 0; run < runs; ++run) {
      std::map<std::string, double> times;
      for (const StageTime& time : builder->build(layout)) times[time.name] = time.milliseconds;
      for (const auto& [stage, ms] : times)
        least[stage] = least.count(stage) ? std::min(least[stage], ms) : ms;
      tally.expect(same(builder->encoded(), expected), name + ", " + std::string(layout.name));
    }
    tally.expect(same(builder->tree(), twin), name + ": tree");
    std::printf("%-30.30s %9u triangles, %-5s", name.c_str(), count,
                std::string(layout.name).c_str());
    print_times(least, count);
  }
  std::printf("%-30.30s %9u triangles: %llu comparisons, %llu different; host %.1f ms, depth %u\n",
              name.c_str(), count, static_cast<unsigned long long>(tally.compared),
              static_cast<unsigned long long>(tally.different), host_ms, twin.depth);
  std::fflush(stdout);
  all.compared += tally.compared;
  all.different += tally.different;
}

int run(const std::vector<std::string>& arguments) {
  u32 runs = 3;
  std::vector<std::string> paths;
  std::vector<u32> generated;
  for (const std::string& a : arguments) {
    if (a.rfind("--runs=", 0) == 0) {
      runs = static_cast<u32>(std::stoul(a.substr(7)));
    } else if (a.rfind("--triangles=", 0) == 0) {
      generated.push_back(static_cast<u32>(std::stoul(a.substr(12))));
    } else if (a.rfind("-", 0) == 0) {
      std::printf(
          "usage: build_check [--runs=N] [--triangles=N]... SCENE...\n"
          "Builds trees on the GPU, N times each, and compares them with the host's, byte\n"
          "by byte. --triangles: also a generated terrain with so many triangles.\n");
      return a == "--help" ? 0 : 2;
    } else {
      paths.push_back(a);
    }
  }
  std::printf("device: %s\n", choose_backend("cuda").backend->describe().c_str());
  Tally all;
  for (const u32 count : {1u, 2u, 7u, 16u, 17u, 100u, 1000u, 30000u})
    compare(testing::soup(count, count), "soup", runs, all);
  compare(testing::repeated(testing::sphere(20), 3), "copies", runs, all);
  Mesh flat = testing::soup(5000, 3);
  for (vec3& p : flat.positions) p.y = -1.5f;
  compare(flat, "flat", runs, all);
  Mesh chain;
  for (u32 i = 0; i < 110; ++i) {
    const float far = std::ldexp(1.0f, static_cast<int>(i) - 75);
    for (const vec3 p : {vec3(far, 0, 0), vec3(far, far, 0), vec3(far, 0, far)})
      chain.positions.push_back(p);
    chain.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  compare(chain, "chain", runs, all);
  for (const std::string& path : paths) compare(assemble({path}).mesh, path, runs, all);
  for (const u32 count : generated) compare(generated_terrain(count).mesh, "generated", runs, all);
  std::printf("%s: %llu comparisons, %llu different\n", all.different == 0 ? "PASS" : "FAIL",
              static_cast<unsigned long long>(all.compared),
              static_cast<unsigned long long>(all.different));
  return all.different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("build_check", ballotcast::detail::run, argc, argv);
}
