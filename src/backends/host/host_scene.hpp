// A scene in host memory, and a machine in host memory that casts rays through it.
#pragma once

#include <functional>
#include <vector>

#include "backends/device/batches.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/host/host_machine.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "kernels/queries/queries.hpp"
#include "kernels/trace.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

class CpuMachine;

/// Calls visit(view) with the view of the scene for a query. The type of the view depends on the
/// layout and on whether there are instances.
template <Kernels kKernels = Kernels::fast, class Visit>
void with_host_view(const PreparedScene& scene, const Query& query, Visit visit) {
  dispatch_row(Layouts{}, scene.encoded.layout, [&](auto layout_tag) {
    with_view_in<typename decltype(layout_tag)::type, kKernels>(scene.arrays, of_items(query),
                                                                visit);
  });
}

// All machines in host memory share the following code. It is compiled at most once for each
// machine, and not for each kind of scene.

/// Answers a query that is not a cast. All its arrays are in host memory.
void run_on_host(const PreparedScene& scene, Query query);

/// The data for drawing a frame, and a function that casts its rays; see draw_frame
/// (kernels/frame/frame_drawer.hpp).
struct HostDrawing {
  const SceneView& scene;
  const FrameSettings& settings;
  u32 at_once;
  CastForFrame cast;
  const Progress& report;
  const std::vector<RawFilm>* films = nullptr;
};

/// Draws with the same kernels as on other devices.
DrawnFrame draw_on(HostMachine& machine, const HostDrawing& drawing);
/// Draws the same pixels with SIMD.
DrawnFrame draw_on(CpuMachine& machine, const HostDrawing& drawing);

/// Casts all rays of a query at once.
using CastHostRays = std::function<CastCounts(const Query& cast, const CastChecks& checks)>;

/// Rays in host memory, and the results of their last cast.
class HostRays final : public ResidentRays {
 public:
  HostRays(const Ray* rays, u32 count, RayKind kind, CastHostRays cast)
      : cast_(std::move(cast)),
        kind_(kind),
        rays_(rays, rays + count),
        hits_(count),
        visits_(count) {}

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    return cast_into(visits_.data(), choice, checks);
  }

  void replace(const Ray* rays) override { std::copy_n(rays, rays_.size(), rays_.begin()); }

  void results(Hit* hits, u32* visits) override {
    std::copy(hits_.begin(), hits_.end(), hits);
    if (visits) std::copy(visits_.begin(), visits_.end(), visits);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times;
    for (u32 run = 0; run < runs; ++run) {
      const Stopwatch watch;
      cast_into(nullptr, choice, {});
      times.push_back(watch.milliseconds());
    }
    return times;
  }

 private:
  CastCounts cast_into(u32* visits, const CastChoice& choice, const CastChecks& checks) {
    return cast_(cast_query(kind_, rays_.data(), hits_.data(), rays_.size(), choice, {}, visits),
                 checks);
  }

  const CastHostRays cast_;
  const RayKind kind_;
  std::vector<Ray> rays_;
  std::vector<Hit> hits_;
  std::vector<u32> visits_;
};

/// A ResidentScene that uses a Caster. A Caster has `machine` (a HostMachine or a derived class),
/// `run_batch(scene, batch, checks)` and `follow(moved)`.
template <class Caster>
class HostScene : public ResidentScene {
 public:
  template <class... Args>
  explicit HostScene(const PreparedScene& scene, Args&&... args)
      : scene_(scene), caster_(std::forward<Args>(args)...) {}

  CastCounts answer(const Query& query) override {
    return in_batches(query, at_once_, scene_.bounds,
                      [&](const Query& batch) { return caster_.run_batch(scene_, batch, {}); });
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
                                        return caster_.run_batch(scene_, cast, checks);
                                      });
  }

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    return frame_of(settings, choice, report, at_once_, nullptr);
  }

  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return frame_of(settings, CastChoice(CastOptions{}), {}, 1u, &films);
  }

  std::optional<MemoryProbe> lend() override {
    probed_word_ = random_word();
    return MemoryProbe{caster_.machine.lend(&probed_word_), probed_word_};
  }
  bool reads(const MemoryProbe& probe) override { return detail::reads(caster_.machine, probe); }

 protected:
  Caster& caster() { return caster_; }
  const PreparedScene& scene() const { return scene_; }

  /// The number of rays or paths that are processed at a time.
  u32 at_once() const { return at_once_; }

  DrawnFrame frame_of(const FrameSettings& settings, const CastChoice& choice,
                      const Progress& report, u32 at_once, const std::vector<RawFilm>* films) {
    const auto cast = [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
      if (count == 0) return CastCounts();
      Query query = cast_query(kind, rays, hits, count, choice, {}, visits);
      query.filter = settings.filter;
      return caster_.run_batch(scene_, query, {});
    };
    return draw_on(caster_.machine, {scene_.view, settings, at_once, cast, report, films});
  }

 private:
  const PreparedScene& scene_;
  Caster caster_;
  u32 at_once_ = kPathsAtOnce;
  u64 probed_word_ = 0;
};

}  // namespace ballotcast::detail
