// Makes a very large mesh in memory, builds its tree on a device, casts rays, and compares a
// million hits with those of the CPU, or with those in the tree of another builder. To be run by
// hand: a billion triangles take 90 GB of host memory, and the same on the device.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/pack/packed_tree.hpp"
#include "bench/rays/casts.hpp"
#include "bench/rays/workloads.hpp"
#include "bvh/builders/submeshes.hpp"
#include "checks/large/blobs.hpp"
#include "helpers/meshes.hpp"
#include "helpers/tool.hpp"
#include "render/settings.hpp"
#include "scene/assemble.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {
namespace {

constexpr const char* kUsage =
    "usage: large_check TRIANGLES [--kind terrain|blobs] [--device NAME] [--build NAME] "
    "[--second BUILDER] [--pack FILE] [--at-once TRIANGLES]";

struct Request {
  u64 triangles = 0;
  std::string kind = "terrain";
  RendererOptions where{"cpu"};
  std::string second;  // builder of a second tree whose hits are compared; "": no second tree
  std::string pack;    // file into which the scene is packed; "": it is not packed
  // Most triangles joined at once; if smaller, the tree is made of submeshes.
  u64 at_once = kMostAtOnce;
};

Request request_of(const std::vector<std::string>& arguments) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option.rfind("--", 0) != 0) {
      request.triangles = testing::whole_number("TRIANGLES", option);
    } else if (option == "--at-once" && i + 1 < arguments.size()) {
      request.at_once = testing::whole_number(option, arguments[++i]);
    } else if (!testing::takes_where(arguments, i, request.where)) {
      std::string* const value = option == "--kind"     ? &request.kind
                                 : option == "--second" ? &request.second
                                 : option == "--pack"   ? &request.pack
                                                        : nullptr;
      if (!value || i + 1 == arguments.size()) throw UsageError(kUsage);
      *value = arguments[++i];
    }
  }
  const bool is_known = request.kind == "terrain" || request.kind == "blobs";
  if (request.triangles == 0 || !is_known) throw UsageError(kUsage);
  return request;
}

/// Prints the time of a stage, the memory used so far, and triangles per second.
void tell(const char* stage, double ms, u64 triangles) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("%-16s %8.1f s %8.1f M triangles/s   peak of the host %6.2f GiB\n", stage, ms / 1e3,
              static_cast<double>(triangles) / ms / 1e3,
              static_cast<double>(used.ru_maxrss) / 0x1p20);
  std::fflush(stdout);
}

void tell_memory(const char* what, u64 bytes, u64 triangles) {
  std::printf("%-16s %8.2f GiB %8.1f B a triangle\n", what, static_cast<double>(bytes) / 0x1p30,
              static_cast<double>(bytes) / static_cast<double>(triangles));
  std::fflush(stdout);
}

/// The most bytes that a scene takes if no triangle is cut: its tree has fewer nodes than
/// triangles.
u64 planned_bytes(const Mesh& mesh) {
  constexpr u64 kNode = 32;  // bytes of a node of layout grid2
  return mesh.positions.size() * sizeof(vec3) +
         mesh.triangles.size() * (sizeof(uvec3) + sizeof(TriangleRows) + kNode);
}

/// A scene on a device.
class Large {
 public:
  Large(const std::shared_ptr<const SceneData>& scene, const Request& request,
        const std::string& builder)
      : device_(choose_device(request.where.device)), triangles_(scene->mesh.triangles.size()) {
    Stopwatch watch;
    prepared_ = prepare(scene, builder, "auto", {}, build_on(device_, {}));
    tell(("build " + prepared_->builder.name()).c_str(), watch.milliseconds(), triangles_);
    std::printf("%-16s %u bits for the place of a triangle in leaves, %llu nodes, depth %u\n",
                "tree", 31u - prepared_->encoded.leaves.count_bits,
                static_cast<unsigned long long>(prepared_->statistics.nodes),
                prepared_->statistics.depth);
    const MemoryTable table = memory_of(*prepared_);
    tell_memory("resident", bytes_of(table), triangles_);
    std::fputs(text_of(table).c_str(), stdout);
    require_room(table, budget_on(device_, {}));
    watch = Stopwatch();
    resident_ = device_.upload(*prepared_, {});
    tell("upload", watch.milliseconds(), triangles_);
  }

  RaySet rays(const std::string& workload, u32 width, u32 height) const {
    const Camera camera = camera_for(*prepared_, {}, width, height);
    return workload_called(workload).make({*prepared_, *resident_, camera, width, height});
  }

  void measure(const std::string& workload, u32 width, u32 height) const {
    constexpr u32 kRuns = 7;
    const RaySet set = rays(workload, width, height);
    const auto kept = resident_->keep(set.kind, set.rays.data(), static_cast<u32>(set.rays.size()));
    std::vector<double> times = kept->time({}, device_.has_times() ? kRuns : 1);
    std::sort(times.begin(), times.end());
    const MeanVisits visits(count_visits(*prepared_, set));
    std::printf(
        "%-16s %4u x %-4u %10zu rays %10.1f M rays/s   a ray tests %.1f nodes, %.1f "
        "triangles\n",
        workload.c_str(), width, height, set.rays.size(),
        static_cast<double>(set.rays.size()) / times[times.size() / 2] / 1e3, visits.nodes,
        visits.triangles);
    std::fflush(stdout);
  }

  std::vector<Hit> hits(const RaySet& set) const { return hits_on(*resident_, set); }
  /// The hits of the CPU, which walks through the same tree.
  std::vector<Hit> hits_of_cpu(const RaySet& set) const {
    return hits_on(*choose_backend("cpu").backend->upload(*prepared_), set);
  }
  const PreparedScene& prepared() const { return *prepared_; }

 private:
  static std::vector<Hit> hits_on(ResidentScene& scene, const RaySet& set) {
    std::vector<Hit> hits(set.rays.size());
    scene.cast(set.kind, set.rays.data(), hits.data(), nullptr, set.rays.size(), {});
    return hits;
  }

  DeviceChoice device_;
  u64 triangles_;
  std::shared_ptr<const PreparedScene> prepared_;
  std::unique_ptr<ResidentScene> resident_;
};

/// Prints how many hits differ. Returns the exit code.
int compare(const char* with, const std::vector<Hit>& hits, const std::vector<Hit>& others) {
  u64 different = 0, found = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    different += testing::same_bits(hits[i], others[i]) ? 0 : 1;
    found += hits[i].found() ? 1 : 0;
  }
  std::printf("%zu rays, %llu hits: %llu differ from those of %s\n", hits.size(),
              static_cast<unsigned long long>(found), static_cast<unsigned long long>(different),
              with);
  return different == 0 ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  const Request request = request_of(arguments);
  const FewerAtOnce at_once(request.at_once);
  Stopwatch watch;
  const auto scene = std::make_shared<const SceneData>(request.kind == "blobs"
                                                           ? testing::blobs(request.triangles)
                                                           : generated_terrain(request.triangles));
  const u64 triangles = scene->mesh.triangles.size();
  std::printf("%s, %llu triangles\n", request.kind.c_str(),
              static_cast<unsigned long long>(triangles));
  tell("make", watch.milliseconds(), triangles);
  tell_memory("planned", planned_bytes(scene->mesh), triangles);
  RaySet checked;
  std::vector<Hit> hits;
  int code = 0;
  {
    const Large large(scene, request, request.where.builder);
    watch = Stopwatch();
    for (const auto& [width, height] : {std::pair(640u, 360u), {1920u, 1080u}})
      for (const char* workload : {"primary", "ao", "diff1x8", "random"})
        large.measure(workload, width, height);
    tell("casts", watch.milliseconds(), triangles);
    checked = large.rays("random", 360, 360);
    hits = large.hits(checked);
    code = compare("the CPU", hits, large.hits_of_cpu(checked));
    if (!request.pack.empty()) {
      watch = Stopwatch();
      const u64 bytes = write_packed(request.pack, large.prepared(), {}, true);
      tell("pack", watch.milliseconds(), triangles);
      tell_memory("packed", bytes, triangles);
    }
  }
  if (request.second.empty()) return code;
  const Large other(scene, request, request.second);
  return std::max(code, compare(request.second.c_str(), hits, other.hits(checked)));
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::testing::run_tool("large_check", ballotcast::detail::run, argc, argv);
}
