// Compares trees that the GPU builds with trees that the host builds, byte by byte.
#include <cstdio>
#include <cstring>
#include <map>

#include "backends/device/device_choice.hpp"
#include "bvh/tree_statistics.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "scene/assemble.hpp"
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

struct Request {
  u32 runs = 3;
  std::vector<std::string> builders = {"ploc", "ploc-reinserted/1", "ploc-reinserted"};
};

/// A mesh whose trees are compared, and the builder that has it in GPU memory.
struct Subject {
  const Mesh& mesh;
  const std::string& name;
  const Copies copies = find_copies(mesh, [](u32) { return true; });
  const u32 count = static_cast<u32>(mesh.triangles.size() - copies.ids.size());
  const std::unique_ptr<TreeBuilder> on_gpu = backend_called("cuda").tree_builder(mesh, copies);
};

void compare(const Subject& subject, const Builder& builder, u32 runs, Tally& tally) {
  const std::string what = subject.name + ", " + builder.name();
  const Stopwatch watch;
  const BinaryTree twin = builder.build(subject.mesh, subject.copies);
  const double host_ms = watch.milliseconds();
  for (const LayoutInfo& row : layouts()) {
    const LayoutInfo& layout = *layout_called(row.name);
    const EncodedBvh expected = encode(&layout, twin, subject.mesh);
    std::map<std::string, double> least;
    for (u32 run = 0; run < runs; ++run) {
      for (const StageTime& time : subject.on_gpu->build(builder, layout)) {
        const auto [known, is_new] = least.emplace(time.name, time.milliseconds);
        if (!is_new) known->second = std::min(known->second, time.milliseconds);
      }
      tally.expect(same(subject.on_gpu->encoded(), expected), what + ", " + row.name.data());
    }
    tally.expect(same(subject.on_gpu->tree(), twin), what + ": tree");
    std::printf("%-50.50s %9u triangles, %-5s", what.c_str(), subject.count, row.name.data());
    print_times(least, subject.count);
  }
  const TreeStatistics statistics = statistics_of(twin);
  std::printf("%-50.50s host %.1f ms, depth %u, SAH %.3f\n", what.c_str(), host_ms, twin.depth,
              statistics.sah_cost);
  std::fflush(stdout);
}

void compare(const Mesh& mesh, const std::string& name, const Request& request, Tally& all) {
  const Subject subject{mesh, name};
  for (const std::string& builder : request.builders)
    compare(subject, builder_called(builder), request.runs, all);
}

int run(const std::vector<std::string>& arguments) {
  Request request;
  std::vector<std::string> paths;
  std::vector<u32> generated;
  for (const std::string& a : arguments) {
    if (a.rfind("--runs=", 0) == 0) {
      request.runs = static_cast<u32>(std::stoul(a.substr(7)));
    } else if (a.rfind("--build=", 0) == 0) {
      request.builders = {a.substr(8)};
    } else if (a.rfind("--triangles=", 0) == 0) {
      generated.push_back(static_cast<u32>(std::stoul(a.substr(12))));
    } else if (a.rfind("-", 0) == 0) {
      std::printf(
          "usage: build_check [--runs=N] [--build=NAME] [--triangles=N]... SCENE...\n"
          "Builds trees on the GPU, N times each, and compares them with the host's, byte\n"
          "by byte. --triangles: also a generated terrain of N triangles.\n");
      return a == "--help" ? 0 : 2;
    } else {
      paths.push_back(a);
    }
  }
  std::printf("device: %s\n", choose_backend("cuda").backend->describe().c_str());
  Tally all;
  for (const u32 count : {1u, 2u, 7u, 16u, 17u, 100u, 1000u, 30000u})
    compare(testing::soup(count, count), "soup", request, all);
  compare(testing::repeated(testing::sphere(20), 3), "copies", request, all);
  Mesh flat = testing::soup(5000, 3);
  for (vec3& p : flat.positions) p.y = -1.5f;
  compare(flat, "flat", request, all);
  compare(testing::chain(), "chain", request, all);
  for (const std::string& path : paths) compare(assemble({path}).mesh, path, request, all);
  for (const u32 count : generated)
    compare(generated_terrain(count).mesh, "generated", request, all);
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
