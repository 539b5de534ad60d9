#include "bench/sample.hpp"

#include <algorithm>
#include <cmath>

namespace ballotcast::detail::testing {

namespace {

/// The axes of a case of experiment "synthetic" or "slots".
struct Case {
  std::string work = "flag", lanes = "random";
  double share = 0.5;
  u64 rays = 16777216, block = 256;
};

/// The number of atomics that `strategy` issues: one per hit, per warp with a hit, or per block
/// with a hit. The store of flag-store counts as 1.
u64 atomics_of(const std::string& strategy, const Case& c) {
  const double rays = static_cast<double>(c.rays);
  const auto groups = [&](double size) {
    const double some = c.lanes == "coherent" ? c.share : 1.0 - std::pow(1.0 - c.share, size);
    return static_cast<u64>(rays / size * some);
  };
  if (strategy == "none") return 0;
  if (strategy == "naive" || strategy == "sharded") return static_cast<u64>(rays * c.share);
  if (strategy == "flag-store") return 1;
  if (strategy == "compiler" || strategy.starts_with("warp-b") || strategy.starts_with("warp-a"))
    return groups(32.0);
  return groups(static_cast<double>(c.block));
}

/// A model of the time of a case, in milliseconds. An atomic on an address takes 0.734 ns.
/// Arithmetic runs in parallel with the atomics; memory traffic does not.
double time_of(const std::string& strategy, const Case& c) {
  const double size = static_cast<double>(c.rays) / 16777216.0;
  const double work = c.work == "flag"      ? 0.040
                      : c.work == "fma200"  ? 0.351
                      : c.work == "fma2000" ? 3.3
                                            : 0.138;
  double atomics = static_cast<double>(atomics_of(strategy, c)) * 0.734e-6;
  if (strategy == "sharded") atomics *= 0.05;
  if (strategy == "warp-array") atomics *= 1.03;
  if (c.work == "memory") return work * size + atomics + 0.002;
  const double barrier = strategy.starts_with("block") ? 1.06
                         : strategy == "warp-slots"    ? 1.09
                                                       : 1.0;
  return std::max(work * size * barrier, atomics + 0.003) + 0.002;
}

Timing timing(double ms, std::size_t seed) {
  const double jitter = 1.0 + 0.004 * std::sin(static_cast<double>(seed) * 12.9898);
  return {ms * jitter, 0.002 + 0.003 * std::abs(std::sin(static_cast<double>(seed))),
          ms * 0.995,  50,
          1980.0,      seed % 97 == 0};
}

Values axes_of(const std::string& strategy, const Case& c) {
  return {{"strategy", strategy},       {"work", c.work}, {"lanes", c.lanes},
          {"hit_probability", c.share}, {"rays", c.rays}, {"block_size", c.block}};
}

/// The cases of a default run: several hit probabilities and numbers of rays for each kind of work,
/// a coherent case, and several block sizes.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* work : {"flag", "fma200", "fma2000", "memory"})
    for (const double share : {0.01, 0.1, 0.5, 1.0}) all.push_back({work, "random", share});
  for (const char* work : {"flag", "fma200", "fma2000", "memory"})
    for (const u64 rays : {u64{1048576}, u64{134217728}})
      all.push_back({work, "random", 0.5, rays});
  all.push_back({"flag", "coherent"});
  for (const u64 block : {u64{64}, u64{128}, u64{512}, u64{1024}})
    all.push_back({"flag", "random", 0.5, 16777216, block});
  return all;
}

void add_synthetic(Results& results, const std::string& experiment,
                   const std::vector<std::string>& strategies) {
  for (const Case& c : cases())
    for (const std::string& strategy : strategies) {
      Row row;
      row.experiment = experiment;
      row.axes = axes_of(strategy, c);
      row.items = c.rays;
      row.atomics = atomics_of(strategy, c);
      row.counter = strategy.starts_with("block")
                        ? row.atomics
                        : static_cast<u64>(static_cast<double>(c.rays) * c.share);
      const double ms = time_of(strategy, c);
      row.timing = timing(ms, results.rows.size());
      row.ratio_to_naive = strategy == "naive" ? 1.0 : row.timing->median_ms / time_of("naive", c);
      if (experiment == "synthetic")
        row.overhead_of_none =
            strategy == "none" ? 0.0 : row.timing->median_ms / time_of("none", c) - 1.0;
      results.rows.push_back(row);
    }
}

void add(Results& results, const std::string& experiment, Values axes, double ms, u64 items,
         std::optional<double> to_naive, std::optional<u64> bytes, std::optional<u64> atomics) {
  Row row;
  row.experiment = experiment;
  row.axes = std::move(axes);
  row.timing = timing(ms, results.rows.size());
  row.items = items;
  row.ratio_to_naive = to_naive;
  row.bytes = bytes;
  row.atomics = atomics;
  results.rows.push_back(row);
}

void add_casting(Results& results) {
  const std::vector<std::pair<std::string, double>> factors = {{"naive", 1.0},
                                                               {"compiler", 0.42},
                                                               {"warp-ballot", 0.41},
                                                               {"block-flag", 0.37},
                                                               {"block-vote", 0.34}};
  for (const std::string pipeline : {"passes", "queue"})
    for (const u64 rays : {u64{1048576}, u64{16777216}})
      for (const auto& [loop, block] : {std::pair<std::string, u64>{"host", 256},
                                        {"host:8", 256},
                                        {"graph", 256},
                                        {"host", 64},
                                        {"host", 128},
                                        {"host", 512},
                                        {"host", 1024}})
        for (const auto& [strategy, factor] : factors) {
          const double naive =
              static_cast<double>(rays) * 6.1e-6 * (pipeline == "queue" ? 0.8 : 1.0);
          const double wait = loop == "host" ? 0.97 : loop == "graph" ? 0.3 : 0.4;
          const double ms =
              naive *
                  (factor + (factor < 1.0 ? 20.0 / static_cast<double>(block + 300) : 0.0) * 0.5) +
              wait;
          add(results, "casting",
              {{"scene", std::string("sponza.obj")},
               {"case", std::string("article-1M")},
               {"pipeline", pipeline},
               {"strategy", strategy},
               {"loop", loop},
               {"block_size", block},
               {"rays", rays}},
              ms, rays, strategy == "naive" ? 1.0 : ms / (naive * 1.03 + wait), {},
              static_cast<u64>(static_cast<double>(rays) * 3.2 * factor));
        }
}

void add_primitives(Results& results) {
  const std::vector<std::pair<std::string, double>> placements = {
      {"naive in the loop", 157.0},
      {"compiler in the loop", 59.9},
      {"coalesced group in the loop", 59.9},
      {"shared flag in the loop", 2.77},
      {"local count + block vote after", 2.33}};
  for (const auto& [variant, ms] : placements)
    add(results, "placement",
        {{"placement", variant}, {"rays", u64{16777216}}, {"steps", u64{100}}}, ms, 16777216,
        ms / 157.0, {}, static_cast<u64>(ms * 1362000.0));
  for (const std::string vote : {"ballot", "any", "all"})
    for (const std::string branches : {"together", "halves", "odd-even", "one-alone"})
      for (const auto& [form, ms] : std::vector<std::pair<std::string, double>>{
               {"sync", 1.52}, {"rejoined", 1.01}, {"active", 1.43}})
        add(results, "votes",
            {{"vote", vote}, {"form", form}, {"branches", branches}, {"block_size", u64{256}}},
            branches == "together" ? 0.5 : ms, 268435456, {}, {}, {});
  for (const auto& [variant, ms] : std::vector<std::pair<std::string, double>>{
           {"native", 1.1}, {"emulated, __syncwarp", 2.2}, {"emulated, __syncthreads", 4.51}})
    for (const std::string kind : {"up", "down", "xor", "index"})
      for (u64 width = 1; width <= 32; width *= 2)
        add(results, "shuffles", {{"shuffle", kind}, {"form", variant}, {"width", width}},
            ms * (kind == "up" ? 1.02 : 1.0), 268435456, {}, {}, {});
  for (const auto& [variant, ms] :
       std::vector<std::pair<std::string, double>>{{"copy", 0.130},
                                                   {"grid stride + redux", 0.066},
                                                   {"redux, one a thread", 0.179},
                                                   {"shuffles in a block", 0.221},
                                                   {"shared tree", 0.292},
                                                   {"interleaved tree", 0.300},
                                                   {"compiler atomic", 1.611},
                                                   {"naive atomic", 49.138}})
    add(results, "reductions",
        {{"reduction", variant},
         {"values", u64{67108864}},
         {"block_size", variant == "copy" ? Value(std::string("-")) : Value(u64{256})}},
        ms, 67108864, {}, u64{67108864} * (variant == "copy" ? 8 : 4), {});
  for (u64 size = 1; size <= 1024; size *= 2)
    add(results, "groups", {{"group_size", size}, {"values", u64{1048576}}},
        size < 32 ? 7.64 / static_cast<double>(size) : 0.276, 1048576, {}, {}, {});
}

}  // namespace

Results sample_results() {
  Results results;
  results.title = "What counting leaf hits costs";
  results.facts = {
      {"device", std::string("NVIDIA H200 (132 SMs), \"made up\" & <not measured>")},
      {"driver", std::string("580.159.04")},
      {"cuda", std::string("13.0")},
      {"clock_mhz", u64{1980}},
      {"version", std::string("0.1.0")},
      {"commit", std::string("0123abc")},
      {"date", std::string("2025-01-31")},
      {"command",
       std::string("ballotcast bench synthetic casting --html report.html --note '</script><!--'")},
      {"cache", std::string("warm")}};
  results.notes = {"These numbers are made up to try the reports on.",
                   "A note with {{script}}, <i>markup</i> and \"quotes\"."};
  results.noise = 0.06;
  results.experiments = {
      {"synthetic", "one counter, many ways to add to it",
       "Each ray hits with a given probability after a given work; strategies differ in how the "
       "hit is counted.",
       "rays"},
      {"slots", "a slot of a queue for each ray that hits",
       "As synthetic, but every hit gets a slot of its own.", "rays"},
      {"casting", "real rays through a real tree",
       "Closest hits of a scene, pass by pass, until no ray stages a leaf.", "rays"},
      {"placement", "where the atomic stands",
       "A ray meets several leaves in a loop: count there, or once behind it.", "rays"},
      {"votes", "votes of a warp and of a block", "", "votes"},
      {"shuffles", "shuffles, native and through shared memory", "", "shuffles"},
      {"reductions", "the sum of many integers",
       "Against a device copy, which moves twice the bytes.", "values"},
      {"groups", "the warp size, found from outside", "Compute-bound groups of growing size.",
       "values"},
      {"unheard-of", "an experiment no report knows", "", "items"}};
  add_synthetic(results, "synthetic",
                {"none", "naive", "compiler", "warp-ballot", "warp-array", "block-flag",
                 "block-vote", "block-count", "warp-slots", "flag-store", "sharded"});
  add_synthetic(results, "slots", {"naive", "compiler", "warp-ballot", "block-scan", "block-vote"});
  add_casting(results);
  add_primitives(results);
  add(results, "unheard-of", {{"color", std::string("red, \"dark\"")}, {"depth", 0.5}}, 1.5, 1000,
      {}, {}, {});
  add(results, "unheard-of", {{"color", std::string("<blue>")}, {"depth", 0.5}}, 2.5, 1000, {}, {},
      {});

  results.rows[results.rows.size() - 2].found = {
      {"lane_0_saw", std::string("0x0000ffff")}, {"time_over_native", 2.0}, {"turns", u64{4096}}};

  Row& wrong = results.rows[5];
  wrong.verdict = Verdict::wrong;
  wrong.why = "counter: expected 65,536 (blocks with a hit), got 34,078";
  wrong.timing.reset();
  wrong.ratio_to_naive.reset();
  wrong.overhead_of_none.reset();
  Row skipped = *std::find_if(results.rows.begin(), results.rows.end(),
                              [](const Row& row) { return row.experiment == "casting"; });
  skipped.axes.back().second = u64{134217728};
  skipped.verdict = Verdict::skipped;
  skipped.why = "134,217,728 rays take 8.0 GiB, and the GPU has 6.2 GiB free";
  skipped.timing.reset();
  skipped.ratio_to_naive.reset();
  skipped.atomics.reset();
  results.rows.push_back(skipped);
  return results;
}

Results emulated_sample_results() {
  Results results = sample_results();
  results.title = "What counting leaf hits costs, emulated";
  std::erase_if(results.rows, [](const Row& row) {
    return row.experiment != "synthetic" && row.experiment != "slots" &&
           row.experiment != "placement";
  });
  for (Row& row : results.rows) {
    row.timing.reset();
    row.ratio_to_naive.reset();
    row.overhead_of_none.reset();
    row.bytes.reset();
  }
  return results;
}

}  // namespace ballotcast::detail::testing
