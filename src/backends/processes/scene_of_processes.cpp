#include "backends/processes/scene_of_processes.hpp"

#include <bit>

#include "backends/device/batches.hpp"
#include "backends/processes/rays_of_processes.hpp"
#include "backends/processes/same_scene.hpp"
#include "kernels/stage_times.hpp"
#include "support/content_hash.hpp"

namespace ballotcast::detail {

namespace {

/// What all processes must ask alike.
std::vector<u64> what_of(const Query& query) {
  return {content_hash(query.info->name.data(), query.info->name.size()), query.count,
          query.visits != nullptr, std::bit_cast<u32>(query.max_distance),
          static_cast<u64>(query.rule)};
}

class SceneOfProcesses final : public ResidentScene {
 public:
  SceneOfProcesses(Processes& processes, std::vector<Member> members, bool share_memory,
                   std::function<void(const std::string&)> on_loss)
      : together_(processes) {
    if (processes.leads())
      for (u32 rank = 1; rank < processes.count(); ++rank)
        members.push_back({processes.name_of(rank),
                           [&processes, rank, &call = together_.leader_call()] {
                             return make_remote_scene(processes, rank, call);
                           },
                           false});
    scene_ = make_several_scene(std::move(members), share_memory, std::move(on_loss));
    together_.find_readable(*scene_);
  }

  CastCounts answer(const Query& query) override {
    CastCounts counts;
    together_.call(
        CallKind::answer, what_of(query), [&] { counts = scene_->answer(query); },
        [&](u64 first, u64 number) {
          Query some = query.part(first - query.first, number);
          const std::vector<u64> sums = own_sums(some);
          counts = scene_->answer(some);
          together_.reply(&counts, 1);
          together_.reply(some.first_result(), some.bytes_of_results());
          if (some.visits) together_.reply(some.visits, number);
        });
    together_.spread(&counts, 1);
    together_.spread(query.first_result(), query.bytes_of_results());
    if (query.visits) together_.spread(query.visits, query.count);
    return counts;
  }

  void begin_work(u32 rays, u64 bytes) override { scene_->begin_work(rays, bytes); }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    std::unique_ptr<ResidentRays> kept;
    u32 here = count;
    together_.call(
        CallKind::keep, {count, static_cast<u64>(kind)},
        [&] { kept = scene_->keep(kind, rays, count); },
        [&](u64, u64 part) {
          std::vector<Ray> own(part);
          pass_elements(own.data(), part, receiving_from(together_.processes(), 0));
          here = static_cast<u32>(part);
          kept = scene_->keep(kind, own.data(), here);
        });
    if (!kept) kept = scene_->keep(kind, rays, here = 0u);
    return std::make_unique<RaysOfProcesses>(together_, std::move(kept), here, count);
  }

  void follow(Moved moved) override { scene_->follow(moved); }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    DrawnFrame frame;
    std::vector<StageTime> own_times;
    together_.call(
        CallKind::draw, {hash_of(settings)},
        [&] { frame = scene_->draw(settings, choice, report); },
        [&](u64 first_row, u64 rows) {
          FrameSettings some = settings;
          some.first_row = static_cast<u32>(first_row);
          some.rows = rows == settings.height ? 0u : static_cast<u32>(rows);
          if (lent_ != together_.lends()) scene_->end_loan();
          lent_ = together_.lends();
          some.raw_is_lent = lent_ != 0u;
          DrawnFrame drawn = scene_->draw(some, choice, {});
          pass_frame(drawn, sending_to(together_.processes(), 0));
          std::vector<char> stages = packed(drawn.stages);
          pass_vector(stages, sending_to(together_.processes(), 0));
          for (const StageTime& time : drawn.stages)
            add_time(time.name, time.milliseconds, own_times);
        });
    scene_->end_loan();
    lent_ = 0;
    const auto pass = broadcasting(together_.processes());
    settings.leader_has_all ? pass_numbers(frame, pass) : pass_frame(frame, pass);
    if (!together_.processes().leads()) frame.stages = std::move(own_times);
    return frame;
  }

  /// Only whole films are smoothed, and only the leader has them, in `draw`.
  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return scene_->develop(settings, films);
  }

 private:
  Together together_;
  std::unique_ptr<ResidentScene> scene_;  // of the leader: with the helpers among its machines
  u64 lent_ = 0;                          // of a helper: for which attempt it has lent films
};

/// Rank 0 waits until all have the scene on their machines: so its time of drawing has none of
/// that.
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
