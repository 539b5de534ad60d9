#include <algorithm>
#include <cstring>
#include <memory>

#include "ballotcast/error.hpp"
#include "bench/atomics.hpp"
#include "bench/synthetic_points.hpp"
#include "kernels/strategies/broken/broken_strategies.hpp"
#include "kernels/strategies/laboratory/laboratory_strategies.hpp"
#include "kernels/strategies/strategies.hpp"
#include "kernels/synthetic/placement.hpp"
#include "kernels/synthetic/report.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kMebi = 1u << 20;

/// The correct counts, computed on the CPU. In experiment placement, each leaf that a ray meets is
/// a hit, so a ray can have several hits.
struct Expected {
  u64 rays = 0;      // number of hits of all rays
  u64 warps = 0;     // number of warps with at least one hit
  u64 blocks = 0;    // number of blocks with at least one hit
  u64 clusters = 0;  // number of clusters of blocks with at least one hit

  /// The expected number of atomics of a strategy with one atomic per lane, warp, block or cluster
  /// (`per`). Absent if the compiler decides that number.
  std::optional<u64> atomics(AtomicsPer per) const {
    switch (per) {
      case AtomicsPer::none:
        return 0;
      case AtomicsPer::lane:
        return rays;
      case AtomicsPer::warp:
        return warps;
      case AtomicsPer::block:
        return blocks;
      case AtomicsPer::cluster:
        return clusters;
      case AtomicsPer::varies:
        break;
    }
    return std::nullopt;
  }

  u64 counter(CounterMeaning meaning) const {
    switch (meaning) {
      case CounterMeaning::rays:
        return rays;
      case CounterMeaning::blocks:
        return blocks;
      case CounterMeaning::any:
        return rays != 0 ? 1 : 0;
      case CounterMeaning::nothing:
        break;
    }
    return 0;
  }
};

// The number of blocks that one thread counts: a multiple of the blocks in a cluster.
constexpr u32 kBlocksAtOnce = 256;

/// Computes the correct counts, on all threads. count(i) must return the number of hits of ray i.
/// Each lane has `items` rays, whose indices are a block size apart. `cluster`: the number of
/// blocks in a cluster.
template <class CountRay>
Expected expect(u32 rays, u32 block_size, u32 items, u32 cluster, CountRay count) {
  const u32 in_block = block_size * items;
  const u32 blocks = (rays + in_block - 1) / in_block;
  const auto of_warp = [&](u32 first) {
    u64 sum = 0;
    for (u32 k = 0; k < items; ++k, first += block_size)
      for (u32 i = first; i < std::min(rays, first + kWarpSize); ++i) sum += count(i);
    return sum;
  };
  return reduce_ranges<u32>(
      0, blocks, kBlocksAtOnce, Expected{},
      [&](u32 begin, u32 end, Expected sum) {
        u64 of_cluster = 0;
        for (u32 block = begin; block < end; ++block) {
          u64 of_block = 0;
          for (u32 lane = 0; lane < block_size; lane += kWarpSize) {
            const u64 hits = of_warp(block * in_block + lane);
            of_block += hits;
            sum.warps += hits != 0 ? 1 : 0;
          }
          sum.rays += of_block;
          sum.blocks += of_block != 0 ? 1 : 0;
          of_cluster += of_block;
          if ((block + 1) % cluster != 0 && block + 1 != blocks) continue;
          sum.clusters += of_cluster != 0 ? 1 : 0;
          of_cluster = 0;
        }
        return sum;
      },
      [](const Expected& a, const Expected& b) {
        return Expected{a.rays + b.rays, a.warps + b.warps, a.blocks + b.blocks,
                        a.clusters + b.clusters};
      });
}

/// The expected counts of a point, which all strategies share. They are computed when they are
/// first needed.
using SharedExpected = std::shared_ptr<std::optional<Expected>>;

const Expected& expected_of(const SharedExpected& shared, const SyntheticCase& c, u32 cluster) {
  if (!*shared) {
    const SyntheticView view = view_of(c);
    *shared = expect(c.rays, c.block_size, c.items, cluster,
                     [&](u32 i) { return hits(view, i, c.block_size) ? 1u : 0u; });
  }
  return **shared;
}

/// Judges the queue of a run: it must contain each ray that hits exactly once, and no other ray.
void judge_queue(Row& row, const SyntheticCase& c, const std::vector<u32>& queue, u64 expected) {
  judge(row, "slots", expected, queue.size());
  const SyntheticView view = view_of(c);
  std::vector<bool> seen(c.rays);
  u64 good = 0;
  for (const u32 id : queue) {
    if (id >= c.rays || seen[id] || !hits(view, id, c.block_size)) continue;
    seen[id] = true;
    ++good;
  }
  judge(row, "rays in the queue that belong there", expected, good);
}

void time_row(Row& row, SyntheticRunner& lab, const SyntheticCase& c, bool timed) {
  if (!timed || row.verdict != Verdict::right) return;
  MeasureOptions options;
  options.most_ms = 60.0;
  row.timing = measure([&](u32 runs) { return lab.time(c, runs); }, options);
  row.timing->clock_mhz = lab.clock_mhz();
}

/// True if the strategy makes a queue for each bin.
bool has_bins(std::string_view strategy) {
  return strategy == BinSlots::info.name || strategy == BinSort::info.name ||
         strategy == BinAtomics::info.name;
}

/// True if each queue of the strategy is in the order of lanes.
bool is_in_order(std::string_view strategy) {
  return strategy == LaterSlots::info.name || strategy == BinSlots::info.name ||
         strategy == BinSort::info.name;
}

/// The reason why a case can't be run on this device, or "".
std::string why_not(const SyntheticCase& c, const SyntheticRunner& lab) {
  const std::string unavailable = lab.unavailable(c);
  if (!unavailable.empty()) return unavailable;
  if (c.ragged > 1u && c.work != FmaWork::info.name)
    return "only the steps of work fmaN can be ragged";
  if (c.items > 1u && c.subject != WarpShards::info.name)
    return "takes one item per lane; of several only warp-shards adds up the hits";
  const bool keeps = c.kernel == SyntheticCase::Kernel::reserve &&
                     (c.subject == BlockScan::info.name || c.subject == LaterSlots::info.name) &&
                     c.work != MemoryWork::info.name;
  if (c.payload_bytes > 0u && !keeps)
    return "only slots by block-scan and later have payloads, with work flag or fmaN";
  return "";
}

/// The order in which a strategy gives slots, in words.
std::string order_of(std::string_view strategy) {
  const bool several = has_bins(strategy) || strategy == WarpQueues::info.name;
  return std::string(is_in_order(strategy) ? "of lanes" : "any") +
         (several ? ", in several queues" : "");
}

/// Judges the payloads that the lanes in the queue have stored.
void judge_payloads(Row& row, const SyntheticCase& c, const SyntheticResult& result) {
  const std::size_t quads = c.payload_bytes / sizeof(Float4);
  u64 good = 0;
  for (std::size_t k = 0; k < result.payloads.size(); ++k) {
    const Float4 expected = payload_of(result.queue[k / quads], static_cast<u32>(k % quads));
    good += std::memcmp(&expected, &result.payloads[k], sizeof expected) == 0 ? 1 : 0;
  }
  judge(row, "right elements of payloads", result.queue.size() * quads, good);
}

/// Judges queues that must be in the order of lanes. `again` are the queues of a second run, which
/// must be equal.
void judge_order(Row& row, const SyntheticResult& result, const std::vector<u32>& again) {
  const std::vector<u32>& queue = result.queue;
  u64 misplaced = 0, changed = queue.size() == again.size() ? 0 : 1;
  std::vector<bool> is_first(queue.size());
  for (const u32 begin : result.begins)
    if (begin < queue.size()) is_first[begin] = true;
  for (std::size_t k = 1; k < queue.size(); ++k)
    misplaced += is_first[k] || queue[k - 1] < queue[k] ? 0 : 1;
  for (std::size_t k = 0; k < std::min(queue.size(), again.size()); ++k)
    changed += queue[k] != again[k] ? 1 : 0;
  judge(row, "rays behind a later one", 0, misplaced);
  judge(row, "slots that another run fills otherwise", 0, changed);
}

/// Judges whether each ray is in the queue of its bin.
void judge_bins(Row& row, const SyntheticCase& c, const SyntheticResult& result) {
  u64 good = 0;
  u32 bin = 0;
  for (std::size_t k = 0; k < result.queue.size(); ++k) {
    while (bin + 1 < c.bins && result.begins[bin + 1] <= k) ++bin;
    good += bin_of(result.queue[k], c.bins) == bin ? 1 : 0;
  }
  judge(row, "rays in the queue of their bin", result.queue.size(), good);
}

/// Runs a case, judges its results, and times it if they are right.
void fill_report_row(Row& row, const SyntheticCase& c, const StrategyInfo& strategy,
                     SyntheticRunner& lab, bool timed, const Expected& expected) {
  const bool slots = c.kernel == SyntheticCase::Kernel::reserve;
  const SyntheticResult result = lab.run(c);
  row.counter = result.counter;
  judge(row, "counter", expected.counter(slots ? CounterMeaning::rays : strategy.counter),
        result.counter);
  if (slots) judge_queue(row, c, result.queue, expected.rays);
  if (slots) judge_payloads(row, c, result);
  if (has_bins(c.subject)) judge_bins(row, c, result);
  if (is_in_order(c.subject)) judge_order(row, result, lab.run(c).queue);
  SyntheticCase without_payload = c;  // the same case without its payload, which issues no atomics
  without_payload.payload_bytes = 0;
  // The atomics within CUB are not counted.
  if (c.subject != BinSort::info.name) row.atomics = lab.atomics(without_payload);
  if (const auto atomics = expected.atomics(strategy.atomics_per))
    judge(row, "atomics", *atomics, *row.atomics);
  time_row(row, lab, c, timed);
}

PlannedRow report_row(const SyntheticPoint& point, const StrategyInfo& strategy,
                      SyntheticCase::Kernel kernel, SyntheticRunner& lab, bool timed,
                      const SharedExpected& shared) {
  SyntheticCase c = case_of(point);
  c.subject = strategy.name;
  c.kernel = kernel;
  const bool slots = kernel == SyntheticCase::Kernel::reserve;
  Row row;
  row.experiment = slots ? "slots" : "synthetic";
  row.axes = point.axes();
  row.axes.insert(row.axes.begin(), {"strategy", std::string(strategy.name)});
  row.items = point.rays;
  if (slots) row.found = {{"order", order_of(strategy.name)}};
  if (c.work == MemoryWork::info.name) row.bytes = u64{point.rays} * MemoryWork::info.bytes;
  row.why = why_not(c, lab);
  if (!row.why.empty()) row.verdict = Verdict::skipped;
  return {row, [c, strategy, &lab, timed, shared](Row& r) {
            fill_report_row(r, c, strategy, lab, timed,
                            expected_of(shared, c, lab.blocks_in_cluster()));
          }};
}

PlannedRow placement_row(const PlacementInfo& placement, u32 rays, u32 block_size,
                         SyntheticRunner& lab, bool timed) {
  constexpr u32 kSteps = 100;
  SyntheticCase c;
  c.kernel = SyntheticCase::Kernel::placement;
  c.subject = placement.name;
  c.rays = rays;
  c.steps = kSteps;
  c.block_size = block_size;
  Row row;
  row.experiment = "placement";
  row.axes = {{"placement", std::string(placement.name)},
              {"steps", u64{kSteps}},
              {"rays", u64{rays}},
              {"block_size", u64{block_size}}};
  row.items = rays;
  return {row, [c, placement, &lab, timed](Row& r) {
            const SyntheticView view = view_of(c);
            const Expected expected = expect(c.rays, c.block_size, 1, 1, [&](u32 i) {
              u32 leaves = 0;
              for (u32 step = 0; step < steps_of(view, i); ++step)
                leaves += meets_leaf(i, step) ? 1u : 0u;
              return leaves;
            });
            const SyntheticResult result = lab.run(c);
            r.counter = result.counter;
            judge(r, "counter", expected.counter(placement.counter), result.counter);
            r.atomics = lab.atomics(c);
            time_row(r, lab, c, timed);
          }};
}

/// Adds rows of the broken strategies, under conditions that show their errors: few lanes hit, and
/// the warps of a block finish their work at different times.
void plan_broken(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, u32 rays,
                 Plan& plan) {
  for (const u32 block_size : {64u, 256u, 1024u})
    for (const bool rare : {false, true}) {
      const SyntheticPoint point{"fma1000", rare ? "random" : "one-per-block", rare ? 0.001 : 0.0,
                                 rays, block_size};
      const auto shared = std::make_shared<std::optional<Expected>>();
      for (const StrategyInfo& row : rows_of(BrokenStrategies{}))
        if (is_wanted(request.strategies, row.name))
          plan.push_back(report_row(point, row, SyntheticCase::Kernel::report, lab, timed, shared));
    }
}

/// True for strategies whose rows compare kinds of atomics, not ways to count.
bool is_aside(std::string_view strategy) {
  return strategy == WarpAtom::info.name || strategy == WarpRelease::info.name ||
         strategy == WarpSystem::info.name || strategy == Spread::info.name ||
         strategy == ClusterCount::info.name || strategy == RedAsync::info.name ||
         has_bins(strategy);
}

}  // namespace

std::vector<StrategyInfo> laboratory_strategies() {
  std::vector<StrategyInfo> rows = rows_of(Strategies{});
  for (const StrategyInfo& row : rows_of(LaboratoryStrategies{})) rows.push_back(row);
  for (const StrategyInfo& row : {LaterSlots::info, BinSlots::info, BinSort::info})
    rows.push_back(row);
  return rows;
}

void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan) {
  SyntheticPoint base;
  base.rays = timed ? 16 * kMebi : 4096;
  const std::vector<u32> sizes =
      timed ? std::vector<u32>{kMebi, 16 * kMebi, 128 * kMebi} : std::vector<u32>{1024, 4096};
  const bool sweeps = request.axes.empty();
  const std::vector<SyntheticPoint> points = sweeps ? swept(base, sizes) : combined(request, base);
  const auto add = [&](const SyntheticPoint& point, SyntheticCase::Kernel kernel) {
    const auto shared = std::make_shared<std::optional<Expected>>();
    for (const StrategyInfo& row : laboratory_strategies()) {
      const bool can = kernel == SyntheticCase::Kernel::reserve ? row.reserves() : row.reports();
      // Strategies that only compare kinds of atomics are measured only with the default axes.
      const bool aside = sweeps && request.strategies.empty() && is_aside(row.name);
      if (can && is_wanted(request.strategies, row.name) && (!aside || point == base))
        plan.push_back(report_row(point, row, kernel, lab, timed, shared));
    }
  };
  if (is_wanted(request.experiments, "synthetic")) {
    for (const SyntheticPoint& point : points) add(point, SyntheticCase::Kernel::report);
    if (request.include_broken) plan_broken(request, lab, timed, timed ? kMebi : 16384, plan);
  }
  if (is_wanted(request.experiments, "slots"))
    for (const SyntheticPoint& point : points)
      if (!sweeps || differences(point, base) <= 1 || point.ragged > 1u)
        add(point, SyntheticCase::Kernel::reserve);
  if (is_wanted(request.experiments, "placement"))
    for (const SyntheticPoint& point : placed(request, base))
      for (const PlacementInfo& row : rows_of(Placements{}))
        plan.push_back(placement_row(row, point.rays, point.block_size, lab, timed));
}

}  // namespace ballotcast::detail
