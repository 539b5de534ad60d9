// A scene in host memory. A machine in host memory casts its rays.
#pragma once

#include "backends/dispatch.hpp"
#include "backends/host/draw.hpp"
#include "backends/host/host_rays.hpp"
#include "backends/host/queries.hpp"

namespace ballotcast::detail {

/// A ResidentScene that uses a Caster. The Caster has a `machine` (a HostMachine or derived from
/// it), `cast(scene, kind, rays, hits, visits, count, choice, checks)`,
/// `count_crossings(scene, rays, counts, count)`, `crossings(scene, rays, starts, hits, count)`,
/// and `follow(moved)`.
template <class Caster>
class HostScene : public ResidentScene {
 public:
  template <class... Args>
  explicit HostScene(const PreparedScene& scene, Args&&... args)
      : scene_(scene), caster_(std::forward<Args>(args)...) {}

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    return cast_in_parts(count, at_once_, [&](u64 first, u32 part) {
      return cast_part(kind, rays.from(first), hits + first, visits ? visits + first : nullptr,
                       part, choice);
    });
  }

  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      caster_.count_crossings(scene_, rays.from(first), counts + first, part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      caster_.crossings(scene_, rays.from(first), starts + first, hits, part);
    });
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      closest_points_on_host(scene_, points.from(first), max_distance, nearest + first, part);
    });
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      contains_on_host(scene_, points.from(first), rule, inside + first, part);
    });
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      winding_numbers_on_host(scene_, points.from(first), numbers + first, part);
    });
  }

  void follow(Moved moved) override { caster_.follow(moved); }

  void begin_work(u32 rays, u64) override {
    if (rays < at_once_) caster_.machine.release_scratch();
    at_once_ = rays;
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<HostRays>(
        rays, count,
        [this, kind](const Ray* all, Hit* hits, u32* visits, u32 number, const CastChoice& choice,
                     const CastChecks& checks) {
          return cast_part(kind, all, hits, visits, number, choice, checks);
        });
  }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    return frame_of(settings, choice, report, at_once_, nullptr);
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return frame_of(settings, CastChoice(CastOptions{}), {}, 1u, &films);
  }

  std::optional<LentWord> lend() override {
    lent_word_ = random_word();
    return LentWord{caster_.machine.lend(&lent_word_), lent_word_};
  }
  bool reads(const LentWord& word) override { return detail::reads(caster_.machine, word); }

 protected:
  Caster& caster() { return caster_; }
  const PreparedScene& scene() const { return scene_; }

  /// How many rays or paths are processed at a time.
  u32 at_once() const { return at_once_; }

  DrawnFrame frame_of(const FrameSettings& settings, const CastChoice& choice,
                      const Progress& report, u32 at_once, const std::vector<RawFilm>* films) {
    const auto cast = [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
      return cast_part(kind, rays, hits, visits, count, choice);
    };
    return draw_on(caster_.machine, {scene_.view, settings, at_once, cast, report, films});
  }

 private:
  CastCounts cast_part(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u32 count,
                       const CastChoice& choice, const CastChecks& checks = {}) {
    if (checks.atomics) *checks.atomics = 0;
    if (count == 0) return {};
    return caster_.cast(scene_, kind, rays, hits, visits, count, choice, checks);
  }

  const PreparedScene& scene_;
  Caster caster_;
  u32 at_once_ = kPathsAtOnce;
  u64 lent_word_ = 0;
};

}  // namespace ballotcast::detail
