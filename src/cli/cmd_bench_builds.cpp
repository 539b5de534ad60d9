// ballotcast bench builds: how fast trees are built, and how good they are.
#include <memory>

#include "bench/builds/builds.hpp"
#include "bench/rays/peers.hpp"
#include "bvh/layouts/layout.hpp"
#include "cli/bench_scenes.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"

namespace ballotcast::detail {

namespace {

struct BenchBuildsRequest {
  BuildsRequest builds;
  BenchOutput output;
  std::string device = "auto";
};

int bench_builds_here(BenchBuildsRequest& r) {
  check(r.output, r.builds.scenes);
  require_valid(r.builds);
  const DeviceChoice choice = choose_backend(r.device);
  if (!choice.note.empty()) remark("note: " + choice.note);
  watch_scenes(r.builds, r.output);
  return measure_and_deliver(r.output, [&](const Progress& rows) {
    r.builds.progress = rows;
    return bench_builds(r.builds, *choice.backend);
  });
}

}  // namespace

Command bench_builds_command() {
  const auto r = std::make_shared<BenchBuildsRequest>();
  const std::string what = "What", axes = "Axes (lists, which are combined)";
  BuildsRequest& b = r->builds;
  const auto devices = names_of(backends(), "auto");
  std::vector<Option> table = scene_list_options(b, what);
  const std::vector<Option> own = {
      {what, "--size", "WxH", std::to_string(b.width) + "x" + std::to_string(b.height),
       "size of the picture whose rays go through the trees", set_size(b.width, b.height)},
      {what, "--device", "NAME", r->device,
       "where to build, if it can, and to cast: " + joined(devices),
       set_name(r->device, "device", devices)},
      {what, "--peer", "LIST", "",
       "also measure another ray-caster, on the CPU, in each of its modes: " +
           joined(names_of(peers())),
       set_names(b.peers, "peer", names_of(peers()))},
      {axes, "--build", "LIST", joined({kBuildersToMeasure.begin(), kBuildersToMeasure.end()}),
       builders_in_words(), set_builders(b.builders)},
      {axes, "--layout", "LIST", "auto",
       "the tree in memory: " + joined(names_of(layouts(), "auto")),
       set_names(b.layouts, "layout", names_of(layouts(), "auto"))}};
  table.insert(table.end(), own.begin(), own.end());
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  let_lists_repeat(table);
  return {"bench builds", "measures how fast trees are built, and how good they are", table,
          [r] { return bench_builds_here(*r); }};
}

}  // namespace ballotcast::detail
