// Draws a frame, from camera rays to pixels, on any machine.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_memory.hpp"
#include "kernels/shadings/shadings.hpp"
#include "kernels/smooth/filter.hpp"
#include "kernels/smooth/sums.hpp"
#include "support/array.hpp"
#include "support/threads/parallel.hpp"
#include "support/threads/stop.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Draws a frame, about `at_once` paths at a time (FrameCut). FrameDrawer is no template of the
/// shading, because only one of its kernels depends on the shading.
template <class Machine>
class FrameDrawer {
 public:
  FrameDrawer(Machine& machine, const SceneView& scene, const FrameSettings& settings, u32 at_once,
              CastForFrame cast, const Progress& report, DrawnFrame& frame)
      : machine_(machine),
        settings_(settings),
        info_(*settings.shading),
        cast_(cast),
        report_(report),
        frame_(frame),
        cut_(settings, info_, at_once),
        view_{without_daylight(scene, settings.no_sun, settings.no_sky),
              info_.bounces() ? settings.bounces : 0u, settings.camera_light, settings.range,
              !settings.background.is_sky()},
        path_memory_(machine, cut_, info_),
        paths_(path_memory_.view()),
        film_(machine, cut_) {}

  void draw() {
    begin();
    const u32 end = settings_.first_row + settings_.rows_to_draw();
    for (u32 row = settings_.first_row; row < end; row += cut_.rows) {
      const Tiling tiling{settings_.width, std::min(cut_.rows, end - row), row};
      for (u32 sample = 0; sample < settings_.samples; sample += cut_.samples) {
        const u32 samples = std::min(cut_.samples, settings_.samples - sample);
        follow_paths({tiling, sample, samples, settings_.samples});
      }
      if (!cut_.smooth) finish(row, tiling.rows);
    }
    if (cut_.smooth && settings_.rows != 0u)
      keep_raw_film();
    else if (cut_.smooth)
      smooth_and_finish();
    frame_.stages = machine_.finish_stages();
  }

  /// Smooths and finishes a picture whose rows were drawn before, perhaps by several machines.
  void develop(const std::vector<RawFilm>& films) {
    begin();
    machine_.stage("upload");
    for (const RawFilm& film : films) {
      const u64 first = u64{film.first_row} * settings_.width;
      const auto collect = [&](Quad* block) {
        const FilmArrays to = arrays(), from(block, film.pixels, true);
        machine_.gather(to.patches + first, from.patches, film.pixels);
        machine_.gather(to.light + first, from.light, film.pixels);
        machine_.gather(to.casts + first, from.casts, film.pixels);
        machine_.gather(to.covered + first, from.covered, film.pixels);
      };
      if (film.lent)
        lent_.push_back(machine_.template take<Quad>(*film.lent, film.quads(), collect));
      else
        collect(film.block);
    }
    smooth_and_finish();
    frame_.stages = machine_.finish_stages();
  }

 private:
  void begin() {
    machine_.finish_stages();  // drops the times of an earlier frame that was not finished
    const u64 pixels = u64{settings_.width} * settings_.rows_to_draw();
    frame_.exposure = settings_.exposure;
    frame_.white = settings_.white;
    frame_.image = {settings_.width, settings_.rows_to_draw(), std::vector<Rgb8>(pixels)};
    if (settings_.keep_hits) resize_in_large_pages(frame_.hits, pixels * settings_.samples);
    if (settings_.keep_film) frame_.film.resize(pixels);
    if (settings_.keeps_alpha()) frame_.image.alpha.resize(pixels);
  }

  void smooth_and_finish() {
    smooth();
    finish(0, settings_.height);
  }

  void keep_raw_film() {
    frame_.image = {};
    frame_.film = {};
    const u64 pixels = cut_.film_pixels();
    const std::optional<LentMemory> lent = lent_block();
    if (settings_.raw_is_lent ? lent.has_value() : settings_.raw_stays) {
      machine_.wait();
      const auto own = std::make_shared<Block>(std::move(film_.block));
      frame_.raw = {{settings_.first_row, pixels, own->data(), own, lent}};
      return;
    }
    machine_.stage("download");
    RawFilm film = host_film(settings_.first_row, pixels);
    machine_.download(film.block, static_cast<const Quad*>(film_.block.data()), film.quads());
    frame_.raw = {std::move(film)};
  }

  using Block = BufferOf<Machine, Quad>;

  /// How another process can open the film's memory. Absent if no other process needs it, or if
  /// memory can't be shared between processes here.
  std::optional<LentMemory> lent_block() {
    if (!settings_.raw_is_lent) return {};
    try {
      return machine_.lend(film_.block.data());
    } catch (const LentMemoryLost&) {
      return {};
    }
  }

  FilmArrays arrays() { return {film_.block.data(), cut_.film_pixels(), cut_.smooth}; }

  /// Traces the paths of a range, from the camera rays on, and adds their light to the film.
  void follow_paths(const PathRange& range) {
    const u32 count = range.paths();
    machine_.stage("camera rays");
    if (settings_.camera.curvilinear.is_used())
      machine_.template each<CameraRays<true>>("camera rays", count, range, settings_.camera,
                                               paths_);
    else
      machine_.template each<CameraRays<false>>("camera rays", count, range, settings_.camera,
                                                paths_);
    for (u32 depth = 0; depth <= last_depth(); ++depth) {
      const RayKind kind = kind_at(depth);
      machine_.stage(kind == RayKind::closest ? "closest hits" : "occlusion");
      cast(kind, paths_.rays, paths_.hits, depth == 0 ? paths_.visits : nullptr, count);
      if (depth == 0 && settings_.keep_hits) keep_hits(range);
      machine_.stage("shade");
      shade(range, depth);
      if (!info_.occlusion() || depth > view_.bounces) continue;
      machine_.stage("occlusion");
      cast(RayKind::any, paths_.occlusion_rays, paths_.occlusion_hits, nullptr, count);
      machine_.stage("shade");
      machine_.template each<AddUnoccluded>("add unoccluded", count, paths_);
    }
    machine_.stage("film");
    const FilmView film{arrays(), settings_.camera, settings_.width,
                        cut_.smooth ? settings_.first_row : range.tiling.first_row};
    machine_.template each<AddToFilm>("add to film", range.tiling.pixels(), range, paths_, film);
  }

  void shade(const PathRange& range, u32 depth) {
    dispatch_row(Shadings{}, settings_.shading, [&](auto tag) {
      using Shading = typename decltype(tag)::type;
      machine_.template each<ShadePaths<Shading>>("shade", range.paths(), range, view_, depth,
                                                  paths_);
    });
  }

  void cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
    check_stop();
    CastCounts counts = cast_(kind, rays, hits, visits, count);
    counts.rays = 0;  // `count` includes idle rays; `finish` adds up the rays that were cast
    frame_.counts.add(counts);
    rays_done_ += count;
    if (report_) report_(rays_done_, settings_.most_rays(settings_.rows_to_draw()));
  }

  void keep_hits(const PathRange& range) {
    machine_.stage("download");
    hits_here_.resize(range.paths());
    machine_.download(hits_here_.data(), static_cast<const Hit*>(paths_.hits), range.paths());
    for_each_range<u32>(range.paths(), 4096u, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) {
        const PathRange::PixelSample own = range.pixel_sample_of(i);
        const PixelPlace at = range.tiling.place(own.pixel);
        const u64 pixel = u64{at.y - settings_.first_row} * settings_.width + at.x;
        frame_.hits[pixel * settings_.samples + range.first_sample + own.sample] = hits_here_[i];
      }
    });
  }

  /// The depth of the last ray of a path. After its last bounce, a path casts one more ray, which
  /// only finds lamps and sky.
  u32 last_depth() const { return info_.bounces() ? view_.bounces + 1u : 0u; }

  /// The kind of the rays at a depth. The ray after the last bounce only finds lamps and sky. In a
  /// scene without lamps, it only matters whether this ray hits anything.
  RayKind kind_at(u32 depth) const {
    return depth > view_.bounces && view_.scene.emitters.count == 0u ? RayKind::any
                                                                     : RayKind::closest;
  }

  /// Smooths the light of lamps and the ambient light in the film. Measures which share of the
  /// light smoothing has lost.
  void smooth() {
    machine_.stage("smooth");
    const SmoothWindows windows = settings_.smooth == Smoothing::fast ? kFastWindows : kFullWindows;
    const u32 pixels = cut_.film_pixels();
    const PixelPatches* const patches = arrays().patches;
    const PatchGrid grid{{film_.surfaces.data(), cut_.patches()},
                         film_.second.data(),
                         settings_.width,
                         settings_.height,
                         static_cast<float>(settings_.samples)};
    machine_.template each<SplitPatches>(
        "split patches", cut_.patches(), patches, static_cast<const u32*>(arrays().covered), pixels,
        settings_.camera, grid.surfaces, lights(film_.lamp), lights(film_.ambient));
    machine_.template each<MarkSecondPatches>("mark second patches", film_.second.size(),
                                              grid.surfaces, pixels, film_.second.data());
    const bool has_lamps = view_.scene.emitters.count != 0u || view_.scene.sky.has_map();
    FireflySums* const lost = film_.lost.data();
    if (has_lamps) smooth(grid, film_.lamp, windows.guide, windows.lamp, lost);
    smooth(grid, film_.ambient, windows.guide, windows.ambient, lost + cut_.strips());
    lent_.clear();  // freeing takes the host some time, during which the machine smooths
    const FireflySums none{0.0, 0.0, 0.0};
    const bool drops = !settings_.keep_fireflies;
    const FireflySums of_lamps = drops && has_lamps ? firefly_sums(0) : none;
    const FireflySums of_ambient = drops ? firefly_sums(1) : none;
    machine_.template each<JoinPatches>("join patches", pixels, patches, pixels, lights(film_.lamp),
                                        lights(film_.ambient),
                                        Gains{of_lamps.gain(), of_ambient.gain()}, arrays().light);
    machine_.template each<SumFilm>("sum film", cut_.strips(), settings_.width, settings_.height,
                                    static_cast<const vec3*>(arrays().light), film_.sums.data());
    std::vector<double> sums(cut_.strips());
    machine_.download(sums.data(), static_cast<const double*>(film_.sums.data()), sums.size());
    double left = 0.0;
    for (const double sum : sums) left += sum;
    const double missing = of_lamps.missing() + of_ambient.missing();
    frame_.light_lost = missing + left > 0.0 ? missing / (missing + left) : 0.0;
  }

  /// The light of one kind that smoothing has taken from the whole picture.
  FireflySums firefly_sums(u32 kind) {
    std::vector<FireflySums> strips(cut_.strips());
    machine_.download(strips.data(),
                      static_cast<const FireflySums*>(film_.lost.data()) + kind * cut_.strips(),
                      strips.size());
    FireflySums all{0.0, 0.0, 0.0};
    for (const FireflySums& strip : strips) {
      all.lost += strip.lost;
      all.away += strip.away;
      all.left += strip.left;
    }
    return all;
  }

  template <class Buffer>
  PatchLights lights(Buffer& buffer) const {
    return {buffer.data(), cut_.patches()};
  }

  /// Runs the steps of the filter (smooth/filter.hpp) for one kind of light.
  template <class Buffer>
  void smooth(const PatchGrid& grid, Buffer& light, i32 guide_radius, i32 radius,
              FireflySums* lost) {
    Buffer &result = film_.scratch[0], &guide = film_.scratch[1];
    const u32 items = grid.items();
    const auto smooth_light = [&](i32 window) {
      machine_.template each<SmoothLight>("smooth light", items, grid, lights(light), lights(guide),
                                          window, lights(result));
    };
    machine_.template each<DropFireflies>("drop fireflies", items, grid, lights(light),
                                          settings_.keep_fireflies, lights(result));
    if (!settings_.keep_fireflies)
      machine_.template each<SumLost>(
          "sum lost", cut_.strips(), grid, static_cast<const PixelPatches*>(arrays().patches),
          static_cast<const u32*>(arrays().covered), lights(light), lights(result), lost);
    machine_.template each<MeasureNoise>("measure noise", items, grid, lights(result),
                                         lights(light));
    machine_.template each<BlurGuide>("blur guide", items, grid, lights(light), lights(guide));
    if (guide_radius > 0) {
      smooth_light(std::min(guide_radius, radius));
      std::swap(result, guide);
    }
    smooth_light(radius);
    std::swap(result, light);
  }

  /// Converts the film to pixels, and copies them into the frame from row first_row on. Also adds
  /// up the rays that were cast, and copies the film if the frame keeps it.
  void finish(u32 first_row, u32 rows) {
    const u32 pixels = settings_.width * rows;
    const u64 first = u64{first_row - settings_.first_row} * settings_.width;
    machine_.stage("film");
    const FilmArrays film = arrays();
    machine_.template each<Develop>(
        "develop", pixels, film, settings_.samples, info_.encoding, settings_.white_balance,
        settings_.exposure, settings_.background, view_.scene.srgb_thresholds, film_.codes.data());
    machine_.stage("download");
    machine_.download(frame_.image.pixels.data() + first,
                      static_cast<const Rgb8*>(film_.codes.data()), pixels);
    std::vector<u32> casts(pixels);
    machine_.download(casts.data(), static_cast<const u32*>(film.casts), pixels);
    for (const u32 n : casts) frame_.counts.rays += n;
    if (settings_.keeps_alpha()) {
      const std::vector<float> shares = shares_covered(pixels);
      std::copy(shares.begin(), shares.end(), frame_.image.alpha.begin() + static_cast<i64>(first));
    }
    if (!settings_.keep_film) return;
    machine_.download(frame_.film.data() + first, static_cast<const vec3*>(film.light), pixels);
    for (u64 i = first; i < first + pixels; ++i)
      frame_.film[i] = frame_.film[i] / static_cast<float>(settings_.samples);
    if (settings_.background.kind != Background::Kind::color) return;
    const std::vector<float> shares = shares_covered(pixels);
    for (u32 i = 0; i < pixels; ++i) {
      vec3& mean = frame_.film[first + i];
      mean = mean + settings_.background.value * (1.0f - shares[i]);
    }
  }

  /// For each of the film's first `pixels` pixels: the share of its samples that show a surface,
  /// from 0 to 1.
  std::vector<float> shares_covered(u32 pixels) {
    std::vector<u32> counts(pixels);
    machine_.download(counts.data(), static_cast<const u32*>(arrays().covered), pixels);
    std::vector<float> shares;
    for (const u32 count : counts)
      shares.push_back(static_cast<float>(count & ~kShowsLamp) /
                       static_cast<float>(settings_.samples));
    return shares;
  }

  Machine& machine_;
  const FrameSettings& settings_;
  const ShadingInfo& info_;
  const CastForFrame cast_;
  const Progress& report_;
  DrawnFrame& frame_;
  const FrameCut cut_;
  const ShadingView view_;
  PathMemory<Machine> path_memory_;
  const PathArrays paths_;
  FilmMemory<Machine> film_;
  // Keeps the films of other processes open while they are read.
  std::vector<typename Machine::Taken> lent_;
  std::vector<Hit> hits_here_;
  u64 rays_done_ = 0;
};

/// Draws a frame. If `films` is not null, does not cast rays, but smooths and finishes these films.
/// See FrameDrawer.
template <class Machine>
void draw_frame(Machine& machine, const SceneView& scene, const FrameSettings& settings,
                u32 at_once, CastForFrame cast, const Progress& report,
                const std::vector<RawFilm>* films, DrawnFrame& frame) {
  FrameDrawer<Machine> drawer(machine, scene, settings, at_once, cast, report, frame);
  films ? drawer.develop(*films) : drawer.draw();
}

}  // namespace ballotcast::detail
