// One scene in several processes (support/processes/processes.hpp).
//
// Each process has the whole scene, and makes the same calls with the same arguments. In a call the
// leader hands out chunks: to its own machines, and to the helpers, each of which it treats as one
// more machine (several/several_scene.hpp). At the end of the call every process has the whole
// result.
//
//   leader      share ---- thread of cuda:0 ---- its ResidentScene
//                    \---- thread for rank 1 --- RemoteScene  ... order, result ...  its scene
//                    \---- thread for rank 2 --- RemoteScene  ... order, result ...  its scene
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/device/batches.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/processes/calls.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "backends/several/several_scene.hpp"
#include "ballotcast/error.hpp"
#include "kernels/frame/stage_times.hpp"
#include "support/hash.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

/// The current call of the leader.
struct LeaderCall {
  Calls calls;
  u64 attempt = 0;  // incremented with each call, and with each repetition of a call
  // By rank: true if the leader's machines can read the memory of that rank's machine
  std::vector<bool> reads;
};

/// The rank of a remote scene.
struct Remote {
  Processes& processes;
  u32 rank;
  const LeaderCall& call;

  void order(u64 first, u64 count, u64 lends = 0) const {
    Order order{call.calls.id(), first, count, lends};
    pass_elements(&order, 1, sending_to(processes, rank));
  }
  template <class T>
  void receive(T* elements, u64 count) const {
    pass_elements(elements, count, receiving_from(processes, rank));
  }
};

class RemoteRays final : public ResidentRays {
 public:
  RemoteRays(const Remote& remote, u32 count) : remote_(remote), count_(count) {}

  CastCounts cast(const CastChoice&, const CastChecks& checks) override {
    CastCounts counts;
    u64 atomics = 0;
    remote_.order(0, 1);
    remote_.receive(&counts, 1);
    remote_.receive(&atomics, 1);
    if (checks.atomics) *checks.atomics = atomics;
    return counts;
  }

  void results(Hit* hits, u32* visits) override {
    remote_.order(0, 1);
    remote_.receive(hits, count_);
    if (visits) remote_.receive(visits, count_);
  }

  std::vector<double> time(const CastChoice&, u32 runs) override {
    std::vector<double> times(runs);
    remote_.order(0, 1);
    remote_.receive(times.data(), runs);
    return times;
  }

 private:
  const Remote remote_;
  const u32 count_;
};

/// A helper, represented in the leader as one more machine. Its functions work only during a call
/// of the leader's scene, and get parts of the arguments of that call.
class RemoteScene final : public ResidentScene {
 public:
  RemoteScene(Processes& processes, u32 rank, const LeaderCall& call)
      : remote_{processes, rank, call} {}

  /// The sums replace those in the query, which are 0, because each chunk has its own sums.
  CastCounts answer(const Query& query) override {
    CastCounts counts;
    remote_.order(query.first, query.count);
    remote_.receive(&counts, 1);
    remote_.receive(query.first_result(), query.bytes_of_results());
    if (query.visits) remote_.receive(query.visits, query.count);
    return counts;
  }

  // Each process calls these functions on its own scene.
  void begin_work(u32, u64) override {}
  void follow(Moved) override {}

  /// Sends the rays to the helper, because the helper can't know them: they may be any of the
  /// leader's rays.
  std::unique_ptr<ResidentRays> keep(RayKind, const Ray* rays, u32 count) override {
    remote_.order(0, count);
    pass_elements(rays, count, sending_to(remote_.processes, remote_.rank));
    return std::make_unique<RemoteRays>(remote_, count);
  }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice&, const Progress&) override {
    DrawnFrame frame;
    std::vector<char> stages;
    const bool lends = settings.raw_stays && remote_.call.reads[remote_.rank];
    remote_.order(settings.first_row, settings.rows_to_draw(),
                  lends ? remote_.call.attempt : u64{0});
    pass_frame(frame, receiving_from(remote_.processes, remote_.rank));
    pass_vector(stages, receiving_from(remote_.processes, remote_.rank));
    frame.stages = unpacked(stages);
    return frame;
  }

  DrawnFrame develop(const FrameSettings&, const std::vector<RawFilm>&) override {
    throw DeviceError("films are smoothed by the process that has them");
  }

  /// This is never called, because remote machines do not smooth the films of others.
  bool reads(const MemoryProbe&) override { return true; }

 private:
  const Remote remote_;
};

/// The part of one process in the calls that all processes make together.
class JointCalls {
 public:
  explicit JointCalls(Processes& processes) : processes_(processes) {}

  /// Runs a call. The leader calls lead(), which hands out chunks of items or rows. A helper calls
  /// help(first, count) for each chunk that it gets.
  ///
  /// If memory runs out in a process, that process can repeat the call with smaller batches, and
  /// the others do not notice. A helper then continues with the chunk that it had.
  template <class Lead, class Help>
  void call(CallKind kind, const std::vector<u64>& what, const Lead& lead, const Help& help) {
    call_.calls.begin(kind, what);
    ++call_.attempt;
    if (processes_.leads()) {
      lead();
      Order end{call_.calls.id(), 0, 0};
      for (u32 rank = 1; rank < processes_.count(); ++rank)
        pass_elements(&end, 1, sending_to(processes_, rank));
    } else {
      while (is_ordered()) {
        help(order_->first, order_->count);
        order_.reset();
      }
      order_.reset();
    }
    call_.calls.end();
  }

  /// Sends the results of a helper to the leader.
  template <class T>
  void reply(const T* elements, u64 count) {
    pass_elements(elements, count, sending_to(processes_, 0));
  }
  /// Sends the results of the leader to all helpers.
  template <class T>
  void spread(T* elements, u64 count) {
    pass_elements(elements, count, broadcasting(processes_));
  }

  Processes& processes() { return processes_; }
  /// The current call, for the remote scenes of the leader.
  const LeaderCall& leader_call() const { return call_; }

  /// The value of Order::lends, for a helper that draws a chunk.
  u64 lends() const { return order_->lends; }

  /// Finds out whose memory the machines of the leader can read. All processes must call this
  /// function, each with its own scene.
  void find_readable(ResidentScene& scene) {
    call_.reads.assign(processes_.count(), false);
    if (!processes_.leads()) {
      std::optional<MemoryProbe> probe = scene.lend();
      pass_optional(probe, sending_to(processes_, 0));
      return;
    }
    for (u32 rank = 1; rank < processes_.count(); ++rank) {
      std::optional<MemoryProbe> probe;
      pass_optional(probe, receiving_from(processes_, rank));
      call_.reads[rank] = probe && scene.reads(*probe);
    }
  }

 private:
  /// Waits for an order, if there is none yet. Returns false if the call has ended.
  bool is_ordered() {
    if (!order_) {
      order_.emplace();
      pass_elements(&*order_, 1, receiving_from(processes_, 0));
    }
    if (order_->call != call_.calls.id())
      throw UsageError(
          "this process does something else than rank 0: all must have the same options and the "
          "same files");
    return order_->count > 0;
  }

  Processes& processes_;
  LeaderCall call_;
  std::optional<Order> order_;  // the order that a helper is currently carrying out
};

/// Rays that are stored in several processes.
class RaysOfProcesses final : public ResidentRays {
 public:
  RaysOfProcesses(JointCalls& calls, std::unique_ptr<ResidentRays> rays, u32 here, u32 all)
      : calls_(calls), rays_(std::move(rays)), here_(here), all_(all) {}

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    CastCounts counts;
    u64 atomics = 0;
    CastChecks own = checks;
    own.atomics = checks.atomics ? &atomics : nullptr;
    const auto work = [&] { counts = rays_->cast(choice, own); };
    calls_.call(CallKind::cast_kept, {all_}, work, [&](u64, u64) {
      work();
      calls_.reply(&counts, 1);
      calls_.reply(&atomics, 1);
    });
    calls_.spread(&counts, 1);
    calls_.spread(&atomics, 1);
    if (checks.atomics) *checks.atomics = atomics;
    return counts;
  }

  void results(Hit* hits, u32* visits) override {
    calls_.call(
        CallKind::results, {all_, visits != nullptr}, [&] { rays_->results(hits, visits); },
        [&](u64, u64) {
          rays_->results(hits, visits);
          calls_.reply(hits, here_);
          if (visits) calls_.reply(visits, here_);
        });
    calls_.spread(hits, all_);
    if (visits) calls_.spread(visits, all_);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times(runs);
    const auto work = [&] { times = rays_->time(choice, runs); };
    calls_.call(CallKind::time, {all_, runs}, work, [&](u64, u64) {
      work();
      calls_.reply(times.data(), runs);
    });
    calls_.spread(times.data(), runs);
    return times;
  }

 private:
  JointCalls& calls_;
  const std::unique_ptr<ResidentRays> rays_;
  const u32 here_, all_;  // number of rays in `rays_`, and in all processes together
};

/// The arguments that must be the same in all processes.
std::vector<u64> what_of(const Query& query) {
  std::vector<u64> what{content_hash(query.info->name.data(), query.info->name.size()),
                        query.count};
  for (const u64 number : query.numbers()) what.push_back(number);
  return what;
}

class SceneOfProcesses final : public ResidentScene {
 public:
  SceneOfProcesses(Processes& processes, std::vector<Member> members, bool share_memory,
                   std::function<void(const std::string&)> on_loss)
      : calls_(processes) {
    if (processes.leads())
      for (u32 rank = 1; rank < processes.count(); ++rank)
        members.push_back({processes.name_of(rank),
                           [&processes, rank, &call = calls_.leader_call()] {
                             return std::make_unique<RemoteScene>(processes, rank, call);
                           },
                           false});
    scene_ = make_several_scene(std::move(members), share_memory, std::move(on_loss));
    calls_.find_readable(*scene_);
  }

  CastCounts answer(const Query& query) override {
    CastCounts counts;
    calls_.call(
        CallKind::answer, what_of(query), [&] { counts = scene_->answer(query); },
        [&](u64 first, u64 number) {
          Query some = query.slice(first - query.first, number);
          const std::vector<u64> sums = own_sums(some);
          counts = scene_->answer(some);
          calls_.reply(&counts, 1);
          calls_.reply(some.first_result(), some.bytes_of_results());
          if (some.visits) calls_.reply(some.visits, number);
        });
    calls_.spread(&counts, 1);
    calls_.spread(query.first_result(), query.bytes_of_results());
    if (query.visits) calls_.spread(query.visits, query.count);
    return counts;
  }

  void begin_work(u32 rays, u64 bytes) override { scene_->begin_work(rays, bytes); }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    std::unique_ptr<ResidentRays> kept;
    u32 here = count;
    calls_.call(
        CallKind::keep, {count, static_cast<u64>(kind)},
        [&] { kept = scene_->keep(kind, rays, count); },
        [&](u64, u64 number) {
          std::vector<Ray> own(number);
          pass_elements(own.data(), number, receiving_from(calls_.processes(), 0));
          here = static_cast<u32>(number);
          kept = scene_->keep(kind, own.data(), here);
        });
    if (!kept) kept = scene_->keep(kind, rays, here = 0u);
    return std::make_unique<RaysOfProcesses>(calls_, std::move(kept), here, count);
  }

  void follow(Moved moved) override { scene_->follow(moved); }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    DrawnFrame frame;
    std::vector<StageTime> own_times;
    calls_.call(
        CallKind::draw, {hash_of(settings)},
        [&] { frame = scene_->draw(settings, choice, report); },
        [&](u64 first_row, u64 rows) {
          FrameSettings some = settings;
          some.first_row = static_cast<u32>(first_row);
          some.rows = rows == settings.height ? 0u : static_cast<u32>(rows);
          if (lent_ != calls_.lends()) scene_->end_loan();
          lent_ = calls_.lends();
          some.raw_is_lent = lent_ != 0u;
          DrawnFrame drawn = scene_->draw(some, choice, {});
          pass_frame(drawn, sending_to(calls_.processes(), 0));
          std::vector<char> stages = packed(drawn.stages);
          pass_vector(stages, sending_to(calls_.processes(), 0));
          for (const StageTime& time : drawn.stages)
            add_time(time.name, time.milliseconds, own_times);
        });
    scene_->end_loan();
    lent_ = 0;
    const auto pass = broadcasting(calls_.processes());
    settings.leader_has_all ? pass_numbers(frame, pass) : pass_frame(frame, pass);
    if (!calls_.processes().leads()) frame.stages = std::move(own_times);
    return frame;
  }

  /// Only the leader has whole films, and smooths them in `draw`.
  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return scene_->develop(settings, films);
  }

 private:
  JointCalls calls_;
  // The scene of the leader contains the helpers as machines
  std::unique_ptr<ResidentScene> scene_;
  u64 lent_ = 0;  // for a helper: the attempt for which its films can be read
};

/// Rank 0 waits until all processes have copied the scene to their machines, so that its drawing
/// time does not include these copies.
void wait_for_all(Processes& processes) { gathered(processes, ""); }

}  // namespace

std::unique_ptr<ResidentScene> make_scene_of_processes(
    Processes& processes, std::vector<Member> members, const PreparedScene& scene,
    bool share_memory, std::function<void(const std::string& why)> on_loss) {
  require_same_scene(processes, scene);
  auto of_all = std::make_unique<SceneOfProcesses>(processes, std::move(members), share_memory,
                                                   std::move(on_loss));
  wait_for_all(processes);
  return of_all;
}

}  // namespace ballotcast::detail
