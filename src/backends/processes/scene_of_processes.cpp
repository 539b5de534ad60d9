#include "backends/processes/scene_of_processes.hpp"

#include "backends/processes/rays_of_processes.hpp"
#include "backends/processes/same_scene.hpp"
#include "kernels/stage_times.hpp"

namespace ballotcast::detail {

namespace {

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

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    CastCounts counts;
    together_.call(
        CallKind::cast, {count, static_cast<u64>(kind), visits != nullptr}, rays.rays,
        [&] { counts = scene_->cast(kind, rays, hits, visits, count, choice); },
        [&](u64 first, u64 part) {
          u32* const its_visits = visits ? visits + first : nullptr;
          counts = scene_->cast(kind, rays.from(first), hits + first, its_visits, part, choice);
          together_.reply(&counts, 1);
          together_.reply(hits + first, part);
          if (visits) together_.reply(its_visits, part);
        });
    together_.spread(&counts, 1);
    together_.spread(hits, count);
    if (visits) together_.spread(visits, count);
    return counts;
  }

  void begin_work(u32 rays, u64 bytes) override { scene_->begin_work(rays, bytes); }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    together_.call(
        CallKind::count_crossings, {count}, rays.rays,
        [&] { scene_->count_crossings(rays, counts, count); },
        [&](u64 first, u64 part) {
          scene_->count_crossings(rays.from(first), counts + first, part);
          together_.reply(counts + first, part);
        });
    together_.spread(counts, count);
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    together_.call(
        CallKind::crossings, {count}, rays.rays,
        [&] { scene_->crossings(rays, starts, hits, count); },
        [&](u64 first, u64 part) {
          scene_->crossings(rays.from(first), starts + first, hits, part);
          together_.reply(hits + starts[first], starts[first + part] - starts[first]);
        });
    together_.spread(hits, starts[count]);
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    together_.call(
        CallKind::closest_points, {count}, points.points,
        [&] { scene_->closest_points(points, max_distance, nearest, count); },
        [&](u64 first, u64 part) {
          scene_->closest_points(points.from(first), max_distance, nearest + first, part);
          together_.reply(nearest + first, part);
        });
    together_.spread(nearest, count);
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    together_.call(
        CallKind::contains, {count}, points.points,
        [&] { scene_->contains(points, rule, inside, count); },
        [&](u64 first, u64 part) {
          scene_->contains(points.from(first), rule, inside + first, part);
          together_.reply(inside + first, part);
        });
    together_.spread(inside, count);
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    together_.call(
        CallKind::winding_numbers, {count}, points.points,
        [&] { scene_->winding_numbers(points, numbers, count); },
        [&](u64 first, u64 part) {
          scene_->winding_numbers(points.from(first), numbers + first, part);
          together_.reply(numbers + first, part);
        });
    together_.spread(numbers, count);
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    std::unique_ptr<ResidentRays> kept;
    u32 here = count;
    together_.call(
        CallKind::keep, {count, static_cast<u64>(kind)}, nullptr,
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
        CallKind::draw, {hash_of(settings)}, nullptr,
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
