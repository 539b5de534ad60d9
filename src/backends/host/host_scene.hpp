// A scene in host memory. A machine in host memory casts its rays.
#pragma once

#include "backends/dispatch.hpp"
#include "backends/dispatch_cast.hpp"
#include "backends/host/host_rays.hpp"
#include "backends/host_view.hpp"
#include "kernels/closest_point.hpp"
#include "kernels/crossings.hpp"
#include "kernels/frame.hpp"
#include "kernels/winding_number.hpp"

namespace ballotcast::detail {

/// A ResidentScene that uses a Caster. The Caster has a `machine` (a HostMachine or derived from
/// it), `cast<Pipeline, Strategy>(view, kind, rays, hits, visits, count, plan, checks)`,
/// `count_crossings(view, rays, counts, count)`, `crossings(view, rays, starts, hits, count)`, and
/// `follow(moved)`.
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
    in_parts_of(rays.worlds, count, [&](const auto& view, u64 first, u32 part) {
      caster_.count_crossings(view, rays.rays + first, counts + first, part);
    });
  }

  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    in_parts_of(rays.worlds, count, [&](const auto& view, u64 first, u32 part) {
      caster_.crossings(view, rays.rays + first, starts + first, hits, part);
    });
  }

  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    in_parts_of(points.worlds, count, [&](const auto& view, u64 first, u32 part) {
      caster_.machine.template each<FindClosestPoint>(
          "closest points", part, view, points.points + first, max_distance, nearest + first);
    });
  }

  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    in_parts_of(points.worlds, count, [&](const auto& view, u64 first, u32 part) {
      test_inside(caster_.machine, view, plain_points(points.points + first, part), rule,
                  scene_.arrays.triangle_count, inside + first, part);
    });
  }

  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    in_parts_of(points.worlds, count, [&](const auto& view, u64 first, u32 part) {
      caster_.machine.template each<FindWindingNumber>(
          "winding numbers", part, view, plain_points(points.points + first, part),
          scene_.arrays.triangle_count, numbers + first);
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

  /// Calls work(view, first, part) for each part of `count` rays or points in `worlds`.
  template <class Work>
  void in_parts_of(const RayWorlds& worlds, u64 count, Work work) const {
    in_parts(count, at_once_, [&](u64 first, u32 part) {
      with_view(worlds.from(first), [&](const auto& view) { work(view, first, part); });
    });
  }

  /// How many rays or paths are processed at a time.
  u32 at_once() const { return at_once_; }

  DrawnFrame frame_of(const FrameSettings& settings, const CastChoice& choice,
                      const Progress& report, u32 at_once, const std::vector<RawFilm>* films) {
    DrawnFrame frame;
    dispatch_shading(settings.shading, [&](auto tag) {
      using Shading = typename decltype(tag)::type;
      draw_frame<Shading>(
          caster_.machine, scene_.view, settings, at_once,
          [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
            return cast_part(kind, rays, hits, visits, count, choice);
          },
          report, films, frame);
    });
    return frame;
  }

 private:
  CastCounts cast_part(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u32 count,
                       const CastChoice& choice, const CastChecks& checks = {}) {
    CastCounts counts;
    const CastPlan plan = choice.plan();
    with_view(rays.worlds, [&]<class View>(const View& view) {
      dispatch_cast(choice, [&](auto pipeline, auto strategy) {
        counts = caster_.template cast<typename decltype(pipeline)::type,
                                       typename decltype(strategy)::type>(
            view, kind, rays.rays, hits, visits, count, plan, checks);
      });
    });
    return counts;
  }

  /// Calls visit(view) with the view of the scene, whose type depends on its layout and on whether
  /// there are instances.
  template <class Visit>
  void with_view(const RayWorlds& worlds, Visit visit) const {
    dispatch_layout(scene_.encoded.layout, [&](auto layout_tag) {
      with_view_in<typename decltype(layout_tag)::type>(scene_.arrays, worlds, visit);
    });
  }

  const PreparedScene& scene_;
  Caster caster_;
  u32 at_once_ = kPathsAtOnce;
  u64 lent_word_ = 0;
};

}  // namespace ballotcast::detail
