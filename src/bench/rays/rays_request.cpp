#include <algorithm>

#include "ballotcast/error.hpp"
#include "bench/rays/known_scene.hpp"
#include "bench/rays/peer_casters.hpp"
#include "bench/rays/rays.hpp"
#include "bench/rays/workloads.hpp"
#include "geometry/triangle.hpp"
#include "kernels/strategies/naive.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Throws InputError if `set` has rays that a requested peer does not accept.
void require_for_peers(const RaysRequest& request, const RaySet& set) {
  if (request.peers.empty()) return;
  for (std::size_t i = 0; i < set.rays.size(); ++i)
    if (set.rays[i].t_min < 0.0f)
      throw InputError(request.rays + ": ray " + std::to_string(i) +
                       " has a negative t_min, which peer " + request.peers[0] +
                       " does not support");
}

}  // namespace

std::vector<std::string> rungs(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (name != "ladder") {
      all.push_back(name);
      continue;
    }
    all.push_back(std::string(pipelines().front().name) + "/" + std::string(Naive::info.name));
    for (const PipelineInfo& pipeline : pipelines()) all.emplace_back(pipeline.name);
  }
  return all;
}

CastOptions rung_called(std::string_view rung) {
  CastOptions options;
  const std::size_t slash = rung.find('/');
  options.pipeline = rung.substr(0, slash);
  if (slash != rung.npos) options.atomics = rung.substr(slash + 1);
  CastChoice{options};  // throws for unknown names
  return options;
}

void require_valid(const RaysRequest& r) {
  require_some(r);
  require_known("workload", r.workloads, names_of(workloads()));
  for (const std::string& name : rungs(r.pipelines)) rung_called(name);
  for (const WorkloadInfo& row : workloads())
    if (r.rays.empty() && (r.workloads.empty() || holds(r.workloads, row.name)))
      require_few_rays(row, r.width, r.height);
  require_known("layout", r.layouts, names_of(layouts(), "auto"));
  for (const std::string& name : r.builders) builder_called(name);
  require_present(r.peers);
  if (motion_of(r.moving).moves()) {
    for (const std::string& name : r.workloads)
      if (!workload_called(name).of_camera)
        throw UsageError("the rays of workload " + name + " are not those of a camera", "moving");
    if (!r.rays.empty() || !r.peers.empty())
      throw UsageError("a rays file or peers can't be combined with a camera that moves", "moving");
  }
  if (r.counts && (!r.moving.empty() || !r.peers.empty()))
    throw UsageError("a camera that moves or peers can't be combined with counts: these are timed",
                     "counts");
  if (!r.rays.empty() && !r.workloads.empty())
    throw UsageError("a rays file and workloads can't be combined");
}

RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes) {
  RaySet set = read_rays(request.rays);
  require_for_peers(request, set);
  const u64 all = set.rays.size();
  std::erase_if(set.rays, [](const Ray& ray) { return !make_setup(ray, 0.0f).valid; });
  if (set.rays.empty())
    throw InputError(request.rays + ": none of its " + grouped(all) + " rays can hit anything");
  if (const u64 idle = all - set.rays.size(); idle > 0)
    notes.push_back(
        request.rays + ": " + grouped(idle) + " of " + grouped(all) +
        " rays can't hit anything (a number is not finite, t_max is not above t_min, or the "
        "direction is out of range); they are not cast and not counted in rates");
  return set;
}

RaysRequest resolved(const RaysRequest& asked, const BackendInfo& backend,
                     std::vector<std::string>& notes) {
  RaysRequest r = asked;
  const auto or_default = [](std::vector<std::string>& names, std::string_view name) {
    if (names.empty()) names.emplace_back(name);
  };
  if (!r.rays.empty()) r.workloads = {r.rays};
  if (r.workloads.empty() && !r.moving.empty()) r.workloads = {"primary"};
  if (r.workloads.empty())
    for (const WorkloadInfo& row : workloads()) r.workloads.emplace_back(row.name);
  or_default(r.builders, kDefaultBuilder);
  or_default(r.layouts, "auto");
  or_default(r.pipelines, "auto");
  r.pipelines = backend.has_pipelines ? rungs(r.pipelines) : std::vector<std::string>{"-"};
  for (std::string& name : r.pipelines)
    if (name == "auto") name = CastChoice().pipeline->name;
  for (std::string& name : r.builders) name = builder_called(name, build_on(backend, {}).on).name();
  list_once(r, notes);
  r.workloads = each_once("workload", r.workloads, notes);
  r.pipelines = each_once("pipeline", r.pipelines, notes);
  r.layouts = each_once("layout", r.layouts, notes);
  r.builders = each_once("builder", r.builders, notes);
  r.peers = each_once("peer", r.peers, notes);
  return r;
}

Axes axes_of(const RaysRequest& request) {
  return {{"builder", values_of(request.builders)},
          {"layout", values_of(request.layouts)},
          {"pipeline", values_of(request.pipelines)}};
}

}  // namespace ballotcast::detail
