#include "backends/processes/remote_scene.hpp"

#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// The rank that a remote scene stands for.
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

class RemoteScene final : public ResidentScene {
 public:
  RemoteScene(Processes& processes, u32 rank, const LeaderCall& call)
      : remote_{processes, rank, call} {}

  /// Sums replace those that are there, which are 0: each piece has its own.
  CastCounts answer(const Query& query) override {
    CastCounts counts;
    remote_.order(query.first, query.count);
    remote_.receive(&counts, 1);
    remote_.receive(query.first_result(), query.bytes_of_results());
    if (query.visits) remote_.receive(query.visits, query.count);
    return counts;
  }

  // Each process does these in its own scene.
  void begin_work(u32, u64) override {}
  void follow(Moved) override {}

  /// Its rays lie anywhere among all rays, so they are sent.
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

  /// It is never asked to develop films of others.
  bool reads(const MemoryProbe&) override { return true; }

 private:
  const Remote remote_;
};

}  // namespace

std::unique_ptr<ResidentScene> make_remote_scene(Processes& processes, u32 rank,
                                                 const LeaderCall& call) {
  return std::make_unique<RemoteScene>(processes, rank, call);
}

}  // namespace ballotcast::detail
