// ballotcast bench rays: how fast rays are cast.
#include <memory>

#include "bench/rays/peers.hpp"
#include "bench/rays/rays.hpp"
#include "bvh/layouts/layout.hpp"
#include "cli/bench_scenes.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "support/error.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

struct BenchRaysRequest {
  RaysRequest rays;
  BenchOutput output;
  std::string device = "auto";
  std::string old_rays;  // value of --rays, the old name of --rays-file
};

/// Accepts --rays as the old name of --rays-file. In bench atomics, --rays is the number of rays.
void take_old_name(BenchRaysRequest& r) {
  if (r.old_rays.empty()) return;
  if (!r.rays.rays.empty())
    throw UsageError("--rays is the old name of --rays-file: give one of them");
  r.rays.rays = r.old_rays;
  remark("note: --rays FILE is now called --rays-file FILE; the next version removes the old name");
}

int bench_rays_here(BenchRaysRequest& r) {
  take_old_name(r);
  std::vector<std::string> inputs = r.rays.scenes;
  inputs.push_back(r.rays.rays);
  check(r.output, inputs);
  require_valid(r.rays);
  if (joined_processes() && !r.rays.peers.empty())
    throw UsageError("--peer: peers can't be measured by several processes");
  const DeviceChoice choice = choose_device(r.device);
  if (!choice.note.empty()) remark("note: " + choice.note);
  if (!choice.backend->has_pipelines && !r.rays.pipelines.empty())
    remark("note: --pipeline has no effect on device cpu");
  watch_scenes(r.rays, r.output);
  return measure_and_deliver(r.output, [&](const Progress& rows) {
    r.rays.progress = rows;
    return bench_rays(r.rays, choice);
  });
}

}  // namespace

Command bench_rays_command() {
  const auto r = std::make_shared<BenchRaysRequest>();
  const std::string what = "What", axes = "Axes (lists, which are combined)";
  RaysRequest& a = r->rays;
  std::vector<Option> table = scene_list_options(a, what);
  const std::vector<Option> own = {
      {what, "--workload", "LIST", "all", joined(names_of(workloads())),
       set_names(a.workloads, "workload", names_of(workloads()))},
      {what, "--rays-file", "FILE", "", "cast the rays of this file instead", set_text(a.rays)},
      {what, "--rays", "FILE", "", "old name of --rays-file; the next version removes it",
       set_text(r->old_rays)},
      {what, "--size", "WxH", std::to_string(r->rays.width) + "x" + std::to_string(r->rays.height),
       "size of the picture that the workloads start from", set_size(a.width, a.height)},
      {what, "--moving", "HOW", "",
       "move the camera between casts, of which there are 256: turn:DEGREES, or step (0.1 % of the "
       "scene's diagonal ahead); workload primary, primary16 or scanline",
       set_text(a.moving)},
      {what, "--device", "NAME", r->device, "where to cast: " + devices_in_words(),
       set_device(r->device)},
      {what, "--partition", "auto|N", "1",
       "cut scenes into N parts, of which each machine holds some; auto: as in render",
       set_partition(a.partition)},
      {what, "--max-memory", "SIZE", "all free memory of a GPU",
       "most memory of each machine that a scene may take, e.g. 512M; rays do not count",
       set_bytes(a.max_memory)},
      {what, "--peer", "LIST", "",
       "also measure another ray-caster, on the CPU, in each of its modes: " +
           joined(names_of(peers())),
       set_names(a.peers, "peer", names_of(peers()))},
      {axes, "--pipeline", "LIST", "auto",
       joined(names_of(pipelines())) +
           ", each also as PIPELINE/STRATEGY; or ladder: all, starting with passes/naive",
       set_texts(a.pipelines)},
      {axes, "--layout", "LIST", "auto",
       "the tree in memory: " + joined(names_of(layouts(), "auto")),
       set_names(a.layouts, "layout", names_of(layouts(), "auto"))},
      {axes, "--build", "LIST", std::string(kDefaultBuilder), builders_in_words(),
       set_builders(a.builders)}};
  table.insert(table.end(), own.begin(), own.end());
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  let_lists_repeat(table);
  return {"bench rays", "measures how fast rays are cast on this machine", table,
          [r] { return bench_rays_here(*r); }, true};
}

}  // namespace ballotcast::detail
