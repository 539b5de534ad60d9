#include "backends/several/several_scene.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "backends/several/frame_rows.hpp"
#include "backends/several/machines.hpp"
#include "backends/several/several_rays.hpp"
#include "kernels/stage_times.hpp"
#include "kernels/tiles.hpp"

namespace ballotcast::detail {

namespace {

// A piece of rays or points, and of rows of tiles: its grain, and how long it should take at least,
// because each has costs of its own (copies, launches).
constexpr u64 kGrainOfRays = 256;
constexpr double kSecondsOfRays = 2e-4, kSecondsOfRows = 2e-3;

class SeveralScene final : public ResidentScene {
 public:
  SeveralScene(std::vector<Member> members, std::function<void(const std::string&)> on_loss)
      : machines_(std::move(members), std::move(on_loss)) {}

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    CastCounts all;
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      const CastCounts counts = scene.cast(kind, rays.from(first), hits + first,
                                           visits ? visits + first : nullptr, part, choice);
      const std::lock_guard lock(mutex_);
      all.add(counts);
    });
    return all;
  }

  void begin_work(u32 rays, u64 bytes) override {
    at_once_ = rays;
    machines_.on_all([&](std::size_t, ResidentScene& scene) { scene.begin_work(rays, bytes); });
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.count_crossings(rays.from(first), counts + first, part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.crossings(rays.from(first), starts + first, hits, part);
    });
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.closest_points(points.from(first), max_distance, nearest + first, part);
    });
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.contains(points.from(first), rule, inside + first, part);
    });
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    share_rays(count, [&](ResidentScene& scene, u64 first, u64 part) {
      scene.winding_numbers(points.from(first), numbers + first, part);
    });
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<SeveralRays>(machines_, kind, rays, count);
  }

  void follow(Moved moved) override {
    machines_.on_all([&](std::size_t, ResidentScene& scene) { scene.follow(moved); });
  }

  /// Machines draw rows of tiles. If soft light is smoothed, one of them does so at the end,
  /// because that needs the whole film.
  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    const u32 rows = settings.rows_to_draw();
    const u64 bands = (u64{rows} + kTileSide - 1u) / kTileSide;
    DrawnFrame whole;
    std::atomic<u64> rows_done{0};
    const u64 most = settings.most_rays(rows);
    const auto draw_bands = [&](ResidentScene& scene, u64 first, u64 count) {
      FrameSettings some = settings;
      const u32 before = static_cast<u32>(first) * kTileSide;
      some.first_row += before;
      some.rows = std::min(static_cast<u32>(count) * kTileSide, rows - before);
      if (some.rows == settings.height) some.rows = 0u;  // a whole frame
      DrawnFrame drawn = scene.draw(some, choice, {});
      rows_done += some.rows_to_draw();
      if (some.rows_to_draw() == rows) {
        whole = std::move(drawn);
        return;
      }
      {
        const std::lock_guard lock(mutex_);
        make_room(drawn, settings, rows, whole);
        whole.counts.add(drawn.counts);
        for (const StageTime& time : drawn.stages)
          add_time(time.name, time.milliseconds, whole.stages);
      }
      put_rows(drawn, settings, before, whole);
    };
    // One machine alone draws all of it at once.
    const u64 grain = machines_.left().size() > 1u ? 1u : bands;
    machines_.share(Items::rows, bands, {grain, bands, kSecondsOfRows}, draw_bands, [&] {
      if (report) report(settings.most_rays(static_cast<u32>(rows_done)), most);
    });
    if (report) report(most, most);
    if (settings.rows == 0u && !whole.raw.patches.empty()) {
      DrawnFrame smooth = develop(settings, whole.raw);
      smooth.counts.add(whole.counts);
      smooth.hits = std::move(whole.hits);
      for (const StageTime& time : whole.stages)
        add_time(time.name, time.milliseconds, smooth.stages);
      return smooth;
    }
    whole.image.width = settings.width;
    whole.image.height = rows;
    whole.exposure = settings.exposure;
    whole.white = settings.white;
    return whole;
  }

  DrawnFrame develop(const FrameSettings& settings, const RawFilm& film) override {
    DrawnFrame out;
    machines_.on_fastest(Items::rows,
                         [&](ResidentScene& scene) { out = scene.develop(settings, film); });
    return out;
  }

 private:
  template <class Work>
  void share_rays(u64 count, const Work& work) {
    const u64 grain = std::min<u64>(kGrainOfRays, at_once_);
    machines_.share(Items::rays, count, {grain, at_once_ / grain * grain, kSecondsOfRays}, work);
  }

  Machines machines_;
  std::mutex mutex_;  // of what the threads of several machines change
  u32 at_once_ = kPathsAtOnce;
};

}  // namespace

std::unique_ptr<ResidentScene> make_several_scene(
    std::vector<Member> members, std::function<void(const std::string& why)> on_loss) {
  return std::make_unique<SeveralScene>(std::move(members), std::move(on_loss));
}

}  // namespace ballotcast::detail
