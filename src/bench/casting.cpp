#include <algorithm>
#include <atomic>
#include <cmath>

#include "backends/device/device_choice.hpp"
#include "ballotcast/error.hpp"
#include "bench/atomics.hpp"
#include "bench/plan.hpp"
#include "kernels/frame/pixel_tiles.hpp"
#include "kernels/strategies/strategies.hpp"
#include "render/settings.hpp"
#include "scene/assemble.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kKilo = 1u << 10, kMega = 1u << 20;
const u32 kBlockSize = CastOptions{}.block_size;

/// The first `count` camera rays of a square picture with at least as many pixels. They go through
/// the pixel centres, in tiles of 8x8 pixels, as in a frame.
std::vector<Ray> primary_rays(const Camera& camera, dvec3 origin, u32 count) {
  const auto side = static_cast<u32>(std::ceil(std::sqrt(static_cast<double>(count))));
  const CameraView view = make_view(camera, origin, side, side);
  const Tiling tiling{side, side, 0};
  std::vector<Ray> rays(count);
  for_each_index(count, [&](u32 i) {
    const PixelPlace at = tiling.place(i);
    rays[i] = ray_through(view, static_cast<float>(at.x) + 0.5f, static_cast<float>(at.y) + 0.5f);
  });
  return rays;
}

}  // namespace

/// Rays on the device, with their correct hits and leaf visits, which were computed on the CPU.
struct CastRays {
  std::vector<Ray> rays;
  std::vector<Hit> hits;
  std::vector<u32> visits;
  std::unique_ptr<ResidentRays> on_device;

  /// The summary of `visits` for blocks of this size.
  LeafVisits visits_of(u32 block_size) const {
    LeafVisits sums;
    for (std::size_t begin = 0; begin < visits.size(); begin += block_size) {
      u32 busiest = 0;
      const std::size_t end = std::min(visits.size(), begin + block_size);
      for (std::size_t i = begin; i < end; ++i) {
        sums.sum += visits[i];
        busiest = std::max(busiest, visits[i]);
      }
      sums.sum_of_busiest += busiest;
      sums.most = std::max<u64>(sums.most, busiest);
    }
    return sums;
  }
};

struct CastFixture::State {
  std::shared_ptr<const SceneData> scene;
  std::shared_ptr<const PreparedScene> prepared;
  std::unique_ptr<ResidentScene> on_device, on_cpu;
  Camera camera;
  Loop auto_loop;  // the loop that the device uses by default
  CastRays set;    // the last requested set of rays; only one is kept, because sets are large

  CastRays& rays(u32 count) {
    if (set.rays.size() == count) return set;
    set = {};
    set.rays = primary_rays(camera, scene->origin, count);
    set.hits.resize(count);
    set.visits.resize(count);
    on_cpu->cast(RayKind::closest, set.rays.data(), set.hits.data(), set.visits.data(), count, {});
    set.on_device = on_device->keep(RayKind::closest, set.rays.data(), count);
    return set;
  }
};

CastFixture::CastFixture(const AtomicsRequest& request, const BackendInfo& backend)
    : state_(std::make_unique<State>()) {
  State& p = *state_;
  SceneRequest wanted;
  wanted.file = request.scene;
  wanted.strict = request.strict;
  p.scene = std::make_shared<const SceneData>(assemble(wanted, request.on_warnings));
  if (request.on_scene && !request.scene.empty()) request.on_scene(*p.scene);
  // Uses the simplest tree in the reference layout: the traversal of this layout is the cheapest to
  // save and resume.
  p.prepared = prepare(p.scene, "binned-sah", "bvh2");
  p.camera = camera_for(*p.prepared, {}, 1, 1);
  p.auto_loop = backend.auto_loop();
  p.on_cpu = choose_backend("cpu").backend->upload(*p.prepared);
  p.on_device = backend.upload(*p.prepared);
}

CastFixture::~CastFixture() = default;

const std::string& CastFixture::name() const { return state_->scene->name; }
u64 CastFixture::triangles() const { return state_->scene->triangle_count(); }

namespace {

/// A combination of values of the axes.
struct Point {
  std::string pipeline;
  std::string strategy;
  std::string loop;
  u32 block_size;
  u32 rays;

  bool operator==(const Point&) const = default;
};

/// Compares the ray ids in the queue after each pass with the visits on the CPU: ray i must be
/// alive after pass k if and only if it visits more than k leaves.
class QueueCheck {
 public:
  explicit QueueCheck(const std::vector<u32>& visits)
      : visits_(visits), last_seen_(visits.size(), kNeverSeen) {}

  void operator()(u32 pass, const std::vector<u32>& ids) {
    std::atomic<u64> bad{0};
    for_each_range<std::size_t>(ids.size(), 4096, [&](std::size_t begin, std::size_t end) {
      u64 here = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const u32 id = ids[i];
        const bool good = id < visits_.size() && visits_[id] > pass &&
                          std::atomic_ref<u32>(last_seen_[id]).exchange(pass) != pass;
        here += good ? 0 : 1;
      }
      bad += here;
    });
    bad_ += bad;
    seen_ += ids.size();
  }

  void judge_into(Row& row, u64 visits_sum) const {
    judge(row, "rays in the queues of all passes", visits_sum, seen_);
    judge(row, "rays in a queue that don't belong there", 0, bad_);
  }

 private:
  static constexpr u32 kNeverSeen = 0xffffffffu;
  const std::vector<u32>& visits_;
  std::vector<u32> last_seen_;
  u64 seen_ = 0, bad_ = 0;
};

/// Checks the queues of a cast. Uses a loop in which the host waits after every pass, because
/// otherwise the queues can't be read.
void check_queues(Row& row, CastRays& set, CastChoice choice) {
  choice.loop = Loop{Loop::Who::host, 1};
  QueueCheck queue(set.visits);
  CastChecks checks;
  checks.on_queue = [&](u32 pass, const std::vector<u32>& ids) { queue(pass, ids); };
  set.on_device->cast(choice, checks);
  queue.judge_into(row, set.visits_of(choice.block_size).sum);
}

/// The number of atomics that a cast must issue. Absent if it depends on the order of a queue or on
/// the compiler.
std::optional<u64> atomics_expected(const CastRays& set, const CastChoice& choice) {
  const bool queue = choice.pipeline->queues > 0;
  std::optional<u64> expected;
  const AtomicsPer per = choice.strategy->atomics_per;
  if (per == AtomicsPer::none) expected = 0;
  if (per == AtomicsPer::lane) expected = set.visits_of(kWarpSize).sum;
  if (per == AtomicsPer::warp && !queue) expected = set.visits_of(kWarpSize).sum_of_busiest;
  if (per == AtomicsPer::block && !queue)
    expected = set.visits_of(choice.block_size).sum_of_busiest;
  return expected;
}

/// Compares everything that a cast computes with the CPU's result. This takes several casts,
/// because reading queues and counting atomics change how a cast runs. Sets the row's counter and
/// atomics.
void check(Row& row, CastRays& set, const CastChoice& choice) {
  if (choice.pipeline->queues > 0) check_queues(row, set, choice);
  const LeafVisits visits = set.visits_of(choice.block_size);
  u64 atomics = 0;
  set.on_device->cast(choice, {&atomics, {}});
  row.atomics = atomics;
  if (const auto expected = atomics_expected(set, choice))
    judge(row, "atomics", *expected, atomics);
  const CastCounts counts = set.on_device->cast(choice, {});
  row.counter = counts.counter;
  const CastCounts expected = expected_counts(choice, set.rays.size(), visits);
  judge(row, "passes", expected.passes, counts.passes);
  judge(row, "counter", expected.counter, counts.counter);
  std::vector<Hit> hits(set.rays.size());
  std::vector<u32> got_visits(set.rays.size());
  set.on_device->results(hits.data(), got_visits.data());
  judge(row, "hits that differ", 0, count_different(set.hits, hits));
  judge(row, "leaf visits that differ", 0, got_visits == set.visits ? 0 : 1);
}

PlannedRow row_of(const Point& point, CastFixture& ground, SyntheticRunner& lab, bool timed) {
  Row row;
  row.experiment = "casting";
  row.axes = {
      {"scene", ground.name()}, {"pipeline", point.pipeline},          {"strategy", point.strategy},
      {"loop", point.loop},     {"block_size", u64{point.block_size}}, {"rays", u64{point.rays}}};
  row.items = point.rays;
  if (!takes(point.pipeline, point.strategy)) {
    row.verdict = Verdict::skipped;
    row.why = point.strategy == None::info.name
                  ? "a queue always needs slots, so there is no floor without them"
                  : "pipeline " + point.pipeline + " needs " +
                        (point.pipeline == "queue" ? "slots, which this strategy doesn't reserve"
                                                   : "a report, which this strategy doesn't make");
  }
  return {row, [point, &ground, &lab, timed](Row& r) {
            CastRays& set = ground.state().rays(point.rays);
            CastChoice choice({point.pipeline, point.strategy, point.block_size, point.loop},
                              ground.state().auto_loop);
            if (counter_meaning_of(choice) == CounterMeaning::nothing)
              choice.passes = static_cast<u32>(set.visits_of(choice.block_size).most + 1);
            check(r, set, choice);
            if (!timed || r.verdict != Verdict::right) return;
            MeasureOptions measuring;
            measuring.most_ms = 150.0;
            measuring.warm_up_runs = 1;
            r.timing =
                measure([&](u32 runs) { return set.on_device->time(choice, runs); }, measuring);
            r.timing->clock_mhz = lab.clock_mhz();
          }};
}

/// All combinations of the requested axes and strategies. An axis that is not requested has one
/// default value. If no strategies are requested, each pipeline is combined with all that it can
/// use.
std::vector<Point> combined(const AtomicsRequest& r, u32 rays) {
  const auto known = names_in(Strategies{});
  std::vector<std::string> strategies = r.strategies;
  std::erase_if(strategies, [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) == known.end();
  });
  if (strategies.empty()) strategies.assign(known.begin(), known.end());
  const Axes bases = {{"rays", {u64{rays}}},
                      {"pipeline", {std::string("passes")}},
                      {"loop", {std::string("auto")}},
                      {"block_size", {u64{kBlockSize}}},
                      {"strategy", values_of(strategies)}};
  std::vector<Point> points;
  for (const Values& at : product(with_given(bases, r.axes))) {
    const Point point{value_at<std::string>(at, "pipeline"), value_at<std::string>(at, "strategy"),
                      value_at<std::string>(at, "loop"),
                      static_cast<u32>(value_at<u64>(at, "block_size")),
                      static_cast<u32>(value_at<u64>(at, "rays"))};
    if (!r.strategies.empty() || takes(point.pipeline, point.strategy)) points.push_back(point);
  }
  return points;
}

/// The points of a run without requested axes. Rays are the outermost loop, so each set of rays is
/// computed once.
std::vector<Point> swept(const AtomicsRequest& request, bool timed) {
  const std::vector<u32> counts =
      timed ? std::vector<u32>{64 * kKilo, 256 * kKilo, kMega, 4 * kMega, 16 * kMega}
            : std::vector<u32>{1024, 4096};
  const u32 base = timed ? kMega : 1024;
  std::vector<Point> points;
  const auto add = [&](const std::string& pipeline, const std::vector<std::string>& strategies,
                       const std::string& loop, u32 block_size, u32 rays) {
    for (const std::string& strategy : strategies) {
      const Point point{pipeline, strategy, loop, block_size, rays};
      if (is_wanted(request.strategies, strategy) &&
          std::find(points.begin(), points.end(), point) == points.end())
        points.push_back(point);
    }
  };
  const auto all = [](const std::string& pipeline) {
    std::vector<std::string> names;
    for (const std::string_view name : names_in(Strategies{}))
      if (takes(pipeline, name) || name == None::info.name) names.emplace_back(name);
    return names;
  };
  const std::vector<std::string> few = {"none", "block-vote", "warp-ballot", "compiler", "naive"};
  const auto few_of = [&](const std::string& pipeline) {
    std::vector<std::string> names = few;
    std::erase_if(names, [&](const std::string& name) {
      return !takes(pipeline, name) && name != None::info.name;
    });
    return names;
  };
  for (const u32 rays : counts)
    for (const std::string pipeline : {"passes", "queue"}) {
      add(pipeline, all(pipeline), "auto", kBlockSize, rays);
      if (rays == base)
        for (const u32 block_size : {32u, 64u, 128u, 512u, 1024u})
          add(pipeline, few_of(pipeline), "auto", block_size, rays);
      if (rays == counts.front() || rays == base)
        for (const char* loop : {"host", "host:4", "host:16", "graph"})
          add(pipeline, few_of(pipeline), loop, kBlockSize, rays);
      if (rays == base && pipeline == "passes")
        add(pipeline,  // the case that articles about warp votes describe
            {"none", "block-vote", "block-flag", "warp-array", "naive"}, "host", kBlockSize, rays);
    }
  return points;
}

}  // namespace

void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan) {
  for (const Point& point :
       request.axes.empty() ? swept(request, timed) : combined(request, timed ? kMega : 1024))
    plan.push_back(row_of(point, ground, lab, timed));
}

}  // namespace ballotcast::detail
