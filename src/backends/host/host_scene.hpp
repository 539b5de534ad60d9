// A scene in host memory. A machine in host memory casts its rays.
#pragma once

#include "backends/batches.hpp"
#include "backends/host/draw.hpp"
#include "backends/host/host_rays.hpp"
#include "backends/host/queries.hpp"

namespace ballotcast::detail {

/// A ResidentScene that uses a Caster. The Caster has a `machine` (a HostMachine or derived from
/// it), `answer(scene, batch, checks)`, and `follow(moved)`.
template <class Caster>
class HostScene : public ResidentScene {
 public:
  template <class... Args>
  explicit HostScene(const PreparedScene& scene, Args&&... args)
      : scene_(scene), caster_(std::forward<Args>(args)...) {}

  CastCounts answer(const Query& query) override {
    return in_batches(query, at_once_, scene_.bounds,
                      [&](const Query& batch) { return caster_.answer(scene_, batch, {}); });
  }

  void follow(Moved moved) override { caster_.follow(moved); }

  void begin_work(u32 rays, u64) override {
    if (rays < at_once_) caster_.machine.release_scratch();
    at_once_ = rays;
  }

  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return std::make_unique<HostRays>(rays, count, kind,
                                      [this](const Query& cast, const CastChecks& checks) {
                                        if (checks.atomics) *checks.atomics = 0;
                                        if (cast.count == 0) return CastCounts();
                                        return caster_.answer(scene_, cast, checks);
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
      if (count == 0) return CastCounts();
      return caster_.answer(scene_, cast_query(kind, rays, hits, count, choice, {}, visits), {});
    };
    return draw_on(caster_.machine, {scene_.view, settings, at_once, cast, report, films});
  }

 private:
  const PreparedScene& scene_;
  Caster caster_;
  u32 at_once_ = kPathsAtOnce;
  u64 lent_word_ = 0;
};

}  // namespace ballotcast::detail
