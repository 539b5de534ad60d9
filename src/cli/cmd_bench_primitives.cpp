// ballotcast bench primitives: what votes, shuffles, reductions and groups of lanes do, and what
// they cost.
#include <memory>

#include "bench/primitives.hpp"
#include "cli/bench_output.hpp"
#include "cli/command.hpp"

namespace ballotcast::detail {

namespace {

struct BenchPrimitivesRequest {
  std::vector<std::string> experiments;
  std::vector<u32> block_sizes, widths, sizes, group_sizes;
  bool include_broken = false;
  BenchOutput output;
  std::string device = "auto";
};

int bench_primitives_here(const BenchPrimitivesRequest& r) {
  check(r.output);
  const auto lab = bench_device(r.device).primitive_lab(0);
  PrimitivesRequest request = default_primitives_request(*lab);
  const auto take = [](const auto& from, auto& to) {
    if (!from.empty()) to = from;
  };
  take(r.experiments, request.experiments);
  take(r.block_sizes, request.block_sizes);
  take(r.widths, request.widths);
  take(r.sizes, request.sizes);
  take(r.group_sizes, request.group_sizes);
  request.include_broken = r.include_broken;
  Results results = bench_primitives(request, *lab);
  add_circumstances(results);
  return deliver(results, r.output);
}

}  // namespace

Command bench_primitives_command() {
  const auto r = std::make_shared<BenchPrimitivesRequest>();
  const std::string what = "What", axes = "Axes (lists)";
  const std::vector<std::string_view> experiments = {"votes", "shuffles", "reductions", "groups"};
  constexpr u32 kMostValues = 1u << 30;
  std::vector<Option> table = {
      {what, "--experiment", "LIST", "all", joined(experiments),
       set_names(r->experiments, "experiment", experiments)},
      {what, "--device", "NAME", r->device, "where to run: " + joined(bench_devices()),
       set_name(r->device, "device", bench_devices())},
      {what, "--include-broken", "", "", "also run the racy reduction; its rows are WRONG",
       set_flag(r->include_broken)},
      {axes, "--block-size", "LIST", std::to_string(CastOptions{}.block_size),
       "lanes per block, multiples of 32 from 32 to 1024", set_counts(r->block_sizes, 32, 1024)},
      {axes, "--width", "LIST", "1,2,4,8,16,32", "lanes per group that shuffles",
       set_counts(r->widths, 1, 32)},
      {axes, "--values", "LIST", "64M on a GPU", "number of values to sum",
       set_counts(r->sizes, 1, kMostValues)},
      {axes, "--group-size", "LIST", "1 to 1024", "neighbouring lanes that take the same branch",
       set_counts(r->group_sizes, 1, 1024)}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  for (Option& row : table)
    if (row.value == "LIST") row.repeats = true;
  return {"bench primitives", "measures warp votes, shuffles, reductions and sizes of groups",
          table, [r] { return bench_primitives_here(*r); }};
}

}  // namespace ballotcast::detail
