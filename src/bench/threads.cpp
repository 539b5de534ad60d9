#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

#include "bench/atomics.hpp"
#include "bench/synthetic_points.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kDefaultRays = 1u << 20;
// The distance in bytes between counters that share no cache line. It is twice a line, because
// processors fetch lines in pairs.
constexpr std::size_t kApart = 128;

struct alignas(kApart) Line {
  std::array<std::atomic<u64>, kApart / sizeof(u64)> words{};
};

/// One counter per thread, either in adjacent words or each in cache lines of its own.
class Counters {
 public:
  explicit Counters(u32 threads) : lines_(threads) {}

  std::atomic<u64>& shared() { return lines_.front().words.front(); }
  std::atomic<u64>& apart(u32 thread) { return lines_[thread].words.front(); }
  std::atomic<u64>& adjacent(u32 thread) {
    constexpr u32 kWords = kApart / sizeof(u64);
    return lines_[thread / kWords].words[thread % kWords];
  }
  u64 sum() const {
    u64 sum = 0;
    for (const Line& line : lines_)
      for (const std::atomic<u64>& word : line.words) sum += word.load();
    return sum;
  }

 private:
  std::vector<Line> lines_;
};

void add(std::atomic<u64>& counter, u64 value) {
  counter.fetch_add(value, std::memory_order_relaxed);
}

// The ways in which threads add up. Each thread has an object of the way: hit() is called for each
// hit, end_block() after each block of rays, end() at the end.

/// Does not add hits, but keeps the compiler from leaving out the work that finds them.
struct AddNothing {
  static constexpr ThreadWayInfo info{"none", "no sum (the floor)"};
  AddNothing(Counters&, u32) {}
  void hit() { ++hits; }
  void end_block() {}
  void end() {
    volatile u64 seen = hits;
    static_cast<void>(seen);
  }
  u64 hits = 0;
};

struct AddPerThread {
  static constexpr ThreadWayInfo info{"thread-sum", "each thread counts, then adds once"};
  AddPerThread(Counters& counters, u32) : sum(counters.shared()) {}
  void hit() { ++hits; }
  void end_block() {}
  void end() { add(sum, hits); }
  std::atomic<u64>& sum;
  u64 hits = 0;
};

struct AddPerBlock {
  static constexpr ThreadWayInfo info{"block-sum", "a count per block of rays, added once"};
  AddPerBlock(Counters& counters, u32) : sum(counters.shared()) {}
  void hit() { ++hits; }
  void end_block() {
    if (hits != 0) add(sum, hits);
    hits = 0;
  }
  void end() {}
  std::atomic<u64>& sum;
  u64 hits = 0;
};

struct AddApart {
  static constexpr ThreadWayInfo info{
      "thread-shards", "an atomic per hit, on a counter per thread that has a cache line"};
  AddApart(Counters& counters, u32 thread) : own(counters.apart(thread)) {}
  void hit() { add(own, 1); }
  void end_block() {}
  void end() {}
  std::atomic<u64>& own;
};

struct AddAdjacent {
  static constexpr ThreadWayInfo info{
      "false-sharing", "an atomic per hit, on a counter per thread beside those of others"};
  AddAdjacent(Counters& counters, u32 thread) : own(counters.adjacent(thread)) {}
  void hit() { add(own, 1); }
  void end_block() {}
  void end() {}
  std::atomic<u64>& own;
};

struct AddEach {
  static constexpr ThreadWayInfo info{"naive", "an atomic per hit, all on one counter"};
  AddEach(Counters& counters, u32) : sum(counters.shared()) {}
  void hit() { add(sum, 1); }
  void end_block() {}
  void end() {}
  std::atomic<u64>& sum;
};

using ThreadWays = TypeList<AddNothing, AddPerThread, AddPerBlock, AddApart, AddAdjacent, AddEach>;

/// Does the work of one thread: blocks first to last - 1, whose hits it adds up by `way`.
template <class Work, class Way>
void work_through(const SyntheticView& view, u32 block_size, u32 first, u32 last, Way way) {
  for (u32 block = first; block < last; ++block) {
    const u32 times = times_of(view, block);
    const u32 end = std::min(view.count, (block + 1) * block_size);
    for (u32 i = block * block_size; i < end; ++i)
      if (Work::work(view, i, times) != kNever && hits(view, i, block_size)) way.hit();
    way.end_block();
  }
  way.end();
}

/// Calls body(thread) on `threads` threads, which begin at the same time. Returns the milliseconds
/// from the first begin to the last end.
template <class Body>
double time_together(u32 threads, const Body& body) {
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> begins(threads), ends(threads);
  std::barrier start(static_cast<std::ptrdiff_t>(threads));
  {
    std::vector<std::jthread> running;
    for (u32 t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        start.arrive_and_wait();
        begins[t] = Clock::now();
        body(t);
        ends[t] = Clock::now();
      });
  }
  return std::chrono::duration<double, std::milli>(*std::max_element(ends.begin(), ends.end()) -
                                                   *std::min_element(begins.begin(), begins.end()))
      .count();
}

/// The memory that work "memory" reads and writes.
struct WorkMemory {
  std::vector<Float4> read;
  std::vector<float> written;

  explicit WorkMemory(const SyntheticCase& c) : written(1) {
    if (c.work != MemoryWork::info.name) return;
    read.assign(std::size_t{2} * c.rays, Float4{1.0f, 2.0f, 3.0f, 4.0f});
    written.resize(c.rays);
  }
};

double run_in(WorkMemory& memory, std::string_view way, const SyntheticCase& c, u32 threads,
              u64& sum) {
  SyntheticView view = view_of(c);
  view.read = memory.read.data();
  view.written = memory.written.data();
  const u64 blocks = (c.rays + c.block_size - 1) / c.block_size;
  Counters counters(threads);
  double ms = 0.0;
  dispatch(ThreadWays{}, "strategy", way, [&](auto way_tag) {
    using Way = typename decltype(way_tag)::type;
    dispatch(Works{}, "work", c.work, [&](auto work_tag) {
      using Work = typename decltype(work_tag)::type;
      ms = time_together(threads, [&](u32 t) {
        work_through<Work>(view, c.block_size, static_cast<u32>(blocks * t / threads),
                           static_cast<u32>(blocks * (t + 1) / threads), Way(counters, t));
      });
    });
  });
  sum = counters.sum();
  return ms;
}

u64 all_hits(const SyntheticCase& c) {
  const SyntheticView view = view_of(c);
  return reduce_ranges<u32>(
      0, c.rays, 65536, u64{0},
      [&](u32 begin, u32 end, u64 sum) {
        for (u32 i = begin; i < end; ++i) sum += hits(view, i, c.block_size) ? 1 : 0;
        return sum;
      },
      [](u64 a, u64 b) { return a + b; });
}

PlannedRow row_of(const SyntheticPoint& point, const ThreadWayInfo& way, u32 threads) {
  Row row;
  row.experiment = "threads";
  row.axes = {{"strategy", std::string(way.name)}};
  for (const auto& axis : point.axes())
    if (!is_of_lanes(axis.first)) row.axes.push_back(axis);
  row.axes.emplace_back("threads", u64{threads});
  row.items = point.rays;
  return {row, [c = case_of(point), way, threads](Row& r) {
            WorkMemory memory(c);
            u64 sum = 0;
            const auto times = [&](u32 runs) {
              std::vector<double> ms;
              for (u32 k = 0; k < runs; ++k)
                ms.push_back(run_in(memory, way.name, c, threads, sum));
              return ms;
            };
            times(1);
            r.counter = sum;
            judge(r, "counter", way.name == AddNothing::info.name ? 0 : all_hits(c), sum);
            if (r.verdict != Verdict::right) return;
            MeasureOptions options;
            options.most_ms = 150.0;
            r.timing = measure(times, options);
          }};
}

/// The points of a run without requested axes: `base` with little and with much work per ray.
std::vector<SyntheticPoint> little_and_much(const SyntheticPoint& base) {
  SyntheticPoint much = base;
  much.work = "fma200";
  return {base, much};
}

}  // namespace

std::vector<ThreadWayInfo> thread_ways() { return rows_of(ThreadWays{}); }

void plan_threads(const AtomicsRequest& request, Plan& plan) {
  SyntheticPoint base;
  base.rays = kDefaultRays;
  const Axes counts = with_given({{"threads", {u64{thread_count()}}}}, request.axes);
  for (const SyntheticPoint& point :
       request.axes.empty() ? little_and_much(base) : combined(request, base))
    for (const Value& threads : counts.front().values)
      for (const ThreadWayInfo& way : thread_ways())
        if (is_wanted(request.strategies, way.name))
          plan.push_back(row_of(point, way, static_cast<u32>(std::get<u64>(threads))));
}

}  // namespace ballotcast::detail
