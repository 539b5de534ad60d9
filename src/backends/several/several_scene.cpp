#include "backends/several/several_scene.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "backends/device/batches.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/several/machines.hpp"
#include "backends/several/shared_frame.hpp"
#include "ballotcast/error.hpp"
#include "kernels/frame/stage_times.hpp"

namespace ballotcast::detail {

namespace {

// The number of blocks in each machine's share of the rays, and the limits of a block's size in
// rays. More blocks share slow rays more evenly, but fewer rays of a block use the same memory.
constexpr u64 kBlocksEach = 16;
constexpr u64 kLeastBlock = 1u << 10, kMostBlock = 1u << 20;

/// Rays that are divided among machines. Blocks are assigned to the machines in turn, so that each
/// machine gets an equal share of slow rays. Blocks are large, because rays of one part of a
/// picture use the same memory, which is then in the caches.
class SeveralRays final : public ResidentRays {
 public:
  SeveralRays(Machines& machines, RayKind kind, const Ray* rays, u32 count);
  ~SeveralRays() override;

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override;
  void results(Hit* hits, u32* visits) override;
  /// All machines cast in parallel. The time of a run is that of the slowest machine.
  std::vector<double> time(const CastChoice& choice, u32 runs) override;

 private:
  struct Share {
    std::vector<u32> blocks;
    u32 count = 0;
    std::unique_ptr<ResidentRays> rays;
  };

  /// Calls work(share, scene) in the thread of each machine that has rays.
  template <class Work>
  void on_all(const Work& work) {
    machines_.on_all([&](std::size_t i, ResidentScene& scene) {
      if (!shares_[i].blocks.empty()) work(shares_[i], scene);
    });
  }

  /// Calls with(first ray, end) for each block of a share.
  template <class With>
  void for_each_block(const Share& share, const With& with) const {
    for (const u32 block : share.blocks)
      with(block * block_, static_cast<u32>(std::min<u64>(u64{block + 1u} * block_, count_)));
  }

  Machines& machines_;
  const u32 count_;
  u32 block_;                  // number of rays per block, except the last
  std::vector<Share> shares_;  // one per machine
  std::mutex mutex_;           // protects members that all machines change
};

SeveralRays::SeveralRays(Machines& machines, RayKind kind, const Ray* rays, u32 count)
    : machines_(machines), count_(count), shares_(machines.size()) {
  const std::vector<std::size_t> some = machines.left();
  const u64 blocks = kBlocksEach * some.size();
  block_ =
      static_cast<u32>(std::clamp<u64>((count + blocks - 1u) / blocks, kLeastBlock, kMostBlock));
  for (u32 block = 0; u64{block} * block_ < count; ++block)
    shares_[some[block % some.size()]].blocks.push_back(block);
  on_all([&](Share& share, ResidentScene& scene) {
    std::vector<Ray> share_rays;
    for_each_block(share, [&](u32 first, u32 end) {
      share_rays.insert(share_rays.end(), rays + first, rays + end);
    });
    share.count = static_cast<u32>(share_rays.size());
    share.rays = scene.keep(kind, share_rays.data(), share.count);
  });
}

SeveralRays::~SeveralRays() {
  try {
    on_all([](Share& share, ResidentScene&) { share.rays.reset(); });
  } catch (...) {  // errors were already reported by the call that failed
  }
}

CastCounts SeveralRays::cast(const CastChoice& choice, const CastChecks& checks) {
  CastCounts all;
  u64 atomics = 0;
  on_all([&](Share& share, ResidentScene&) {
    u64 share_atomics = 0;
    CastChecks share_checks = checks;
    if (checks.atomics) share_checks.atomics = &share_atomics;
    const CastCounts counts = share.rays->cast(choice, share_checks);
    const std::lock_guard lock(mutex_);
    all.add(counts);
    atomics += share_atomics;
  });
  if (checks.atomics) *checks.atomics = atomics;
  return all;
}

void SeveralRays::results(Hit* hits, u32* visits) {
  on_all([&](Share& share, ResidentScene&) {
    std::vector<Hit> share_hits(share.count);
    std::vector<u32> share_visits(visits ? share.count : 0u);
    share.rays->results(share_hits.data(), visits ? share_visits.data() : nullptr);
    u32 from = 0;
    for_each_block(share, [&](u32 first, u32 end) {
      std::copy_n(share_hits.data() + from, end - first, hits + first);
      if (visits) std::copy_n(share_visits.data() + from, end - first, visits + first);
      from += end - first;
    });
  });
}

std::vector<double> SeveralRays::time(const CastChoice& choice, u32 runs) {
  std::vector<double> slowest(runs, 0.0);
  on_all([&](Share& share, ResidentScene&) {
    const std::vector<double> times = share.rays->time(choice, runs);
    const std::lock_guard lock(mutex_);
    for (u32 run = 0; run < runs; ++run) slowest[run] = std::max(slowest[run], times[run]);
  });
  return slowest;
}

// The size of a chunk of rays or points is a multiple of kGrainOfItems. If there are enough of
// them, a chunk takes kSecondsOfItems seconds or more, because each chunk has fixed costs (copies,
// launches).
constexpr u64 kGrainOfItems = 256;
constexpr double kSecondsOfItems = 2e-4;

class SeveralScene final : public ResidentScene {
 public:
  SeveralScene(std::vector<Member> members, bool share_memory,
               std::function<void(const std::string&)> on_loss)
      : machines_(std::move(members), std::move(on_loss)), share_memory_(share_memory) {}

  CastCounts answer(const Query& query) override {
    CastCounts all;
    const u64 grain = std::min<u64>(kGrainOfItems, at_once_);
    machines_.share(Items::rays, query.count, {grain, at_once_ / grain * grain, kSecondsOfItems},
                    [&](ResidentScene& scene, u64 first, u64 count) {
                      Query chunk = query.slice(first, count);
                      const std::vector<u64> sums = own_sums(chunk);
                      const CastCounts counts = scene.answer(chunk);
                      const std::lock_guard lock(mutex_);
                      all.add(counts);
                      add_sums(sums, query);
                    });
    return all;
  }

  void begin_work(u32 rays, u64 bytes) override {
    at_once_ = rays;
    machines_.on_all([&](std::size_t, ResidentScene& scene) { scene.begin_work(rays, bytes); });
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<SeveralRays>(machines_, kind, rays, count);
  }

  void follow(Moved moved) override {
    machines_.on_all([&](std::size_t, ResidentScene& scene) { scene.follow(moved); });
  }

  /// The machines draw rows of tiles. If soft light is smoothed, one machine smooths it at the end,
  /// because this needs the whole film. If possible, it copies the films directly from the memory
  /// of the other machines. If another process smooths, the films are kept until end_loan().
  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    FrameSettings own = settings;
    own.raw_is_lent = settings.raw_is_lent && settings.rows != 0u;
    own.raw_stays = own.raw_is_lent || (share_memory_ && settings.rows == 0u);
    try {
      return draw_shared(own, choice, report);
    } catch (const FilmsLost&) {
    }
    own.raw_stays = false;
    return draw_shared(own, choice, report);
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    DrawnFrame out;
    machines_.on_fastest(Items::rows,
                         [&](ResidentScene& scene) { out = scene.develop(settings, films); });
    return out;
  }

  /// With several machines, films are not read by other processes: if one machine failed, its films
  /// would be lost, while the others would continue.
  std::optional<MemoryProbe> lend() override {
    std::optional<MemoryProbe> probe;
    if (machines_.size() == 1u)
      machines_.on_all([&](std::size_t, ResidentScene& scene) { probe = scene.lend(); });
    return probe;
  }

  bool reads(const MemoryProbe& probe) override {
    std::atomic<bool> all_do = true;
    machines_.on_all([&](std::size_t, ResidentScene& scene) {
      if (!scene.reads(probe)) all_do = false;
    });
    return all_do;
  }

  void end_loan() override { lent_.free(); }

 private:
  /// Thrown if a machine has failed or lacks memory, so that the films in its memory are lost.
  struct FilmsLost {};

  DrawnFrame draw_shared(const FrameSettings& settings, const CastChoice& choice,
                         const Progress& report) {
    SharedFrame frame(machines_, settings, choice, report);
    frame.draw();
    if (!frame.is_to_be_smoothed()) {
      frame.report_done();
      return frame.finished(lent_);
    }
    if (settings.raw_stays && frame.has_lost_machines()) throw FilmsLost();
    DrawnFrame whole = developed(settings, std::move(frame.drawn()), frame.films());
    frame.report_done();
    return whole;
  }

  /// Smooths the films of a drawn frame and returns the frame.
  DrawnFrame developed(const FrameSettings& settings, DrawnFrame drawn,
                       const std::vector<RawFilm>& films) {
    DrawnFrame smooth;
    bool failed = false;
    machines_.on_fastest(Items::rows, [&](ResidentScene& scene) {
      // The machine that has failed had films in its memory.
      if (failed && settings.raw_stays) throw FilmsLost();
      try {
        smooth = scene.develop(settings, films);
      } catch (const OutOfDeviceMemory&) {
        if (!settings.raw_stays) throw;
        stop_sharing();  // the next frame would not have enough memory, either
      } catch (const LentMemoryLost&) {
        stop_sharing();
      } catch (const DeviceError&) {
        failed = true;
        throw;
      }
    });
    smooth.counts.add(drawn.counts);
    smooth.hits = std::move(drawn.hits);
    for (const StageTime& time : drawn.stages)
      add_time(time.name, time.milliseconds, smooth.stages);
    return smooth;
  }

  [[noreturn]] void stop_sharing() {
    share_memory_ = false;
    throw FilmsLost();
  }

  Machines machines_;
  KeptFilms lent_{machines_};
  bool share_memory_;
  std::mutex mutex_;  // protects members that the threads of several machines change
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

std::unique_ptr<ResidentScene> make_several_scene(
    std::vector<Member> members, bool share_memory,
    std::function<void(const std::string& why)> on_loss) {
  return std::make_unique<SeveralScene>(std::move(members), share_memory, std::move(on_loss));
}

}  // namespace ballotcast::detail
