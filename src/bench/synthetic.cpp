#include <algorithm>
#include <charconv>
#include <memory>

#include "bench/atomics.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "kernels/strategies/table.hpp"
#include "kernels/synthetic/placement.hpp"
#include "support/error.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kMega = 1u << 20;

/// One combination of axis values.
struct Point {
  std::string work = "flag";
  std::string lanes = "random";
  double probability = 0.5;
  u32 rays = 16 * kMega;
  u32 block_size = CastOptions{}.block_size;

  bool operator==(const Point&) const = default;
};

HitPattern pattern_called(const std::string& name) {
  const auto names = lane_patterns();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_unknown("lanes", name, names);
  return static_cast<HitPattern>(found - names.begin());
}

/// Sets work and steps from "flag", "fmaN" or "memory". Throws UsageError for another text.
void set_work(SyntheticCase& c, const std::string& text) {
  const std::string_view fma = FmaWork::info.name;
  if (text == FlagWork::info.name || text == MemoryWork::info.name) {
    c.work = text == FlagWork::info.name ? FlagWork::info.name : MemoryWork::info.name;
    return;
  }
  u32 steps = 0;
  const char* begin = text.data() + std::min(fma.size(), text.size());
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), steps);
  if (text.rfind(fma, 0) != 0 || error != std::errc() || end != text.data() + text.size() ||
      steps < 1 || steps > 1000000)
    throw UsageError("unknown work '" + text +
                     "'; known: flag, fmaN (N fused multiply-adds per ray, e.g. fma200), memory");
  c.work = fma;
  c.steps = steps;
}

SyntheticCase case_of(const Point& point) {
  SyntheticCase c;
  set_work(c, point.work);
  c.pattern = pattern_called(point.lanes);
  c.probability = point.probability;
  c.rays = point.rays;
  c.block_size = point.block_size;
  return c;
}

/// The correct counts, computed on the CPU. In experiment placement, a hit is a leaf that a ray
/// meets, so a ray can have several.
struct Expected {
  u64 rays = 0;    // number of hits of all rays
  u64 warps = 0;   // number of warps with a hit
  u64 blocks = 0;  // number of blocks with a hit

  /// The expected number of atomics. Absent if the compiler decides it.
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

/// Counts hits, on all threads. count(i) is the number of hits of ray i.
template <class CountRay>
Expected expect(u32 rays, u32 block_size, CountRay count) {
  const u32 blocks = (rays + block_size - 1) / block_size;
  return reduce_ranges<u32>(
      0, blocks, 256, Expected{},
      [&](u32 begin, u32 end, Expected sum) {
        for (u32 block = begin; block < end; ++block) {
          u64 in_block = 0;
          const u32 last = std::min(rays, (block + 1) * block_size);
          for (u32 warp = block * block_size; warp < last; warp += kWarpSize) {
            u64 in_warp = 0;
            for (u32 i = warp; i < std::min(last, warp + kWarpSize); ++i) in_warp += count(i);
            in_block += in_warp;
            sum.warps += in_warp != 0 ? 1 : 0;
          }
          sum.rays += in_block;
          sum.blocks += in_block != 0 ? 1 : 0;
        }
        return sum;
      },
      [](const Expected& a, const Expected& b) {
        return Expected{a.rays + b.rays, a.warps + b.warps, a.blocks + b.blocks};
      });
}

/// The expected counts of a point. All strategies share them. They are computed when first needed.
using SharedExpected = std::shared_ptr<std::optional<Expected>>;

const Expected& expected_of(const SharedExpected& shared, const SyntheticCase& c) {
  if (!*shared) {
    const SyntheticView view = view_of(c);
    *shared =
        expect(c.rays, c.block_size, [&](u32 i) { return hits(view, i, c.block_size) ? 1u : 0u; });
  }
  return **shared;
}

/// Judges the queue: it must contain each ray that hits exactly once, and no other ray.
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

PlannedRow report_row(const Point& point, const StrategyInfo& strategy,
                      SyntheticCase::Kernel kernel, SyntheticRunner& lab, bool timed,
                      const SharedExpected& shared) {
  SyntheticCase c = case_of(point);
  c.subject = strategy.name;
  c.kernel = kernel;
  const bool slots = kernel == SyntheticCase::Kernel::reserve;
  Row row;
  row.experiment = slots ? "slots" : "synthetic";
  row.axes = {{"strategy", std::string(strategy.name)},
              {"work", point.work},
              {"lanes", point.lanes},
              {"hit_probability", point.probability},
              {"rays", u64{point.rays}},
              {"block_size", u64{point.block_size}}};
  row.items = point.rays;
  if (c.work == MemoryWork::info.name) row.bytes = u64{point.rays} * MemoryWork::info.bytes;
  return {row, [c, slots, strategy, &lab, timed, shared](Row& r) {
            const Expected& expected = expected_of(shared, c);
            const SyntheticResult result = lab.run(c);
            r.counter = result.counter;
            judge(r, "counter", expected.counter(slots ? CounterMeaning::rays : strategy.counter),
                  result.counter);
            if (slots) judge_queue(r, c, result.queue, expected.rays);
            r.atomics = lab.atomics(c);
            if (const auto atomics = expected.atomics(strategy.atomics_per))
              judge(r, "atomics", *atomics, *r.atomics);
            time_row(r, lab, c, timed);
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
            const Expected expected = expect(c.rays, c.block_size, [&](u32 i) {
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

/// All combinations of the requested axes. Other axes have the values of `base`.
std::vector<Point> combined(const AtomicsRequest& r, const Point& base) {
  const Axes bases = {{"work", {base.work}},
                      {"lanes", {base.lanes}},
                      {"hit_probability", {base.probability}},
                      {"rays", {u64{base.rays}}},
                      {"block_size", {u64{base.block_size}}}};
  std::vector<Point> points;
  for (const Values& at : product(with_given(bases, r.axes)))
    points.push_back({value_at<std::string>(at, "work"), value_at<std::string>(at, "lanes"),
                      value_at<double>(at, "hit_probability"),
                      static_cast<u32>(value_at<u64>(at, "rays")),
                      static_cast<u32>(value_at<u64>(at, "block_size"))});
  return points;
}

/// The points of experiment placement. It has the axes rays and block_size; other requested axes
/// are ignored.
std::vector<Point> placed(const AtomicsRequest& r, const Point& base) {
  AtomicsRequest own;
  for (const Axis& axis : r.axes)
    if (axis.name == "rays" || axis.name == "block_size") own.axes.push_back(axis);
  return combined(own, base);
}

/// Starts from `base` and varies one axis at a time: hit_probability, rays and lanes for every kind
/// of work, block_size only for work "flag".
std::vector<Point> swept(const Point& base, const std::vector<u32>& rays) {
  std::vector<Point> points;
  const auto add = [&](const Point& point) {
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  };
  const auto with = [&](const std::string& work, auto change) {
    Point point = base;
    point.work = work;
    change(point);
    add(point);
  };
  for (const char* work : {"flag", "fma200", "fma2000", "memory"}) {
    for (const double p : {0.01, 0.1, 0.5, 1.0}) with(work, [&](Point& q) { q.probability = p; });
    for (const u32 n : rays) with(work, [&](Point& q) { q.rays = n; });
    with(work, [](Point& q) { q.lanes = "coherent"; });
  }
  for (const u32 n : {32u, 64u, 128u, 256u, 512u, 1024u})
    with("flag", [&](Point& q) { q.block_size = n; });
  return points;
}

/// The number of axes on which two points differ.
u32 differences(const Point& a, const Point& b) {
  return (a.work != b.work ? 1u : 0u) + (a.lanes != b.lanes ? 1u : 0u) +
         (a.probability < b.probability || a.probability > b.probability ? 1u : 0u) +
         (a.rays != b.rays ? 1u : 0u) + (a.block_size != b.block_size ? 1u : 0u);
}

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

/// Adds rows of the broken strategies, under conditions that show their errors: few lanes hit, and
/// the warps of a block finish their work at different times.
void plan_broken(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, u32 rays,
                 Plan& plan) {
  for (const u32 block_size : {64u, 256u, 1024u})
    for (const bool rare : {false, true}) {
      Point point{"fma1000", rare ? "random" : "one-per-block", rare ? 0.001 : 0.0, rays,
                  block_size};
      const auto shared = std::make_shared<std::optional<Expected>>();
      for (const StrategyInfo& row : rows_of(BrokenStrategies{}))
        if (wanted(request.strategies, row.name))
          plan.push_back(report_row(point, row, SyntheticCase::Kernel::report, lab, timed, shared));
    }
}

}  // namespace

std::vector<std::string_view> lane_patterns() { return {"random", "coherent", "one-per-block"}; }

void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan) {
  Point base;
  base.rays = timed ? 16 * kMega : 4096;
  const std::vector<u32> sizes =
      timed ? std::vector<u32>{kMega, 16 * kMega, 128 * kMega} : std::vector<u32>{1024, 4096};
  const std::vector<Point> points =
      request.axes.empty() ? swept(base, sizes) : combined(request, base);
  const auto add = [&](const Point& point, SyntheticCase::Kernel kernel) {
    const auto shared = std::make_shared<std::optional<Expected>>();
    for (const StrategyInfo& row : rows_of(Strategies{})) {
      const bool can = kernel == SyntheticCase::Kernel::reserve ? row.reserves() : row.reports();
      if (can && wanted(request.strategies, row.name))
        plan.push_back(report_row(point, row, kernel, lab, timed, shared));
    }
  };
  if (wanted(request.experiments, "synthetic")) {
    for (const Point& point : points) add(point, SyntheticCase::Kernel::report);
    if (request.include_broken) plan_broken(request, lab, timed, timed ? kMega : 16384, plan);
  }
  if (wanted(request.experiments, "slots"))
    for (const Point& point : points)
      if (!request.axes.empty() || differences(point, base) <= 1)
        add(point, SyntheticCase::Kernel::reserve);
  if (wanted(request.experiments, "placement"))
    for (const Point& point : placed(request, base))
      for (const PlacementInfo& row : rows_of(Placements{}))
        plan.push_back(placement_row(row, point.rays, point.block_size, lab, timed));
}

}  // namespace ballotcast::detail
