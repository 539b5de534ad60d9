// A frame, from camera to pixels, on any machine.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/film.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/shadings/table.hpp"

namespace ballotcast {

/// How a frame is cut so that no more than kPathsAtOnce paths (and at least a band of tiles) are
/// under way: the same on every machine.
struct FrameCut {
  u32 rows;     // of the picture, at once
  u32 samples;  // of each of their pixels, at once

  explicit FrameCut(const FrameSettings& s) {
    const u64 band_paths = u64{s.width} * kTileSide * s.samples;
    const u64 bands = std::max<u64>(1, kPathsAtOnce / band_paths);
    rows = static_cast<u32>(std::min<u64>(s.height, bands * kTileSide));
    samples = std::min(s.samples, std::max(1u, kPathsAtOnce / (s.width * rows)));
  }
};

/// The memory of the paths under way.
template <class Machine>
struct PathMemory {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

  Buffer<Ray> rays, occlusion_rays;
  Buffer<Hit> hits, occlusion_hits;
  Buffer<u32> visits, casts;
  Buffer<Unoccluded> unoccluded;
  Buffer<vec3> throughput, radiance, soft;
  Buffer<Feature> features;

  PathMemory(Machine& m, u32 paths, const ShadingInfo& info, bool keep_soft)
      : rays(m.template make<Ray>(paths)),
        occlusion_rays(m.template make<Ray>(paths)),
        hits(m.template make<Hit>(paths)),
        occlusion_hits(m.template make<Hit>(info.occlusion() ? paths : 0)),
        visits(m.template make<u32>(info.visits() ? paths : 0)),
        casts(m.template make<u32>(paths)),
        unoccluded(m.template make<Unoccluded>(paths)),
        throughput(m.template make<vec3>(paths)),
        radiance(m.template make<vec3>(paths)),
        soft(m.template make<vec3>(keep_soft ? paths : 0)),
        features(m.template make<Feature>(keep_soft ? paths : 0)) {}

  PathArrays view() {
    const auto or_null = [](auto& b) { return b.size() ? b.data() : nullptr; };
    return {rays.data(),           hits.data(),       or_null(visits),   occlusion_rays.data(),
            occlusion_hits.data(), unoccluded.data(), throughput.data(), radiance.data(),
            casts.data(),          or_null(soft),     or_null(features)};
  }
};

/// Draws a frame of one shading. `cast(kind, rays, hits, visits or null, count)` casts rays that
/// lie on the machine and returns CastCounts.
template <class Shading, class Machine, class Cast>
class FrameDrawer {
 public:
  FrameDrawer(Machine& machine, const SceneView& scene, const FrameSettings& settings, Cast cast,
              const ProgressReport& report, Frame& frame)
      : machine_(machine),
        settings_(settings),
        cast_(cast),
        report_(report),
        frame_(frame),
        cut_(settings),
        smooth_(kInfo.soft_light() && settings.smooth),
        film_rows_(smooth_ ? settings.height : cut_.rows),
        view_{scene, kInfo.bounces() ? settings.bounces : 0u},
        memory_(machine, settings.width * cut_.rows * cut_.samples, kInfo, smooth_),
        paths_(memory_.view()),
        light_(machine.template make<vec3>(film_pixels())),
        casts_(machine.template make<u32>(film_pixels())),
        soft_light_(machine.template make<vec3>(smooth_ ? film_pixels() : 0)),
        soft_squares_(machine.template make<float>(smooth_ ? film_pixels() : 0)),
        soft_features_(machine.template make<Feature>(smooth_ ? film_pixels() : 0)),
        codes_(machine.template make<Rgb8>(film_pixels())) {}

  void draw() {
    machine_.finish_stages();  // of a frame that was given up
    const u64 pixels = u64{settings_.width} * settings_.height;
    frame_.exposure = settings_.exposure;
    frame_.image = {settings_.width, settings_.height, std::vector<Rgb8>(pixels)};
    if (settings_.keep_hits) frame_.hits.resize(pixels * settings_.samples);
    if (settings_.keep_film) frame_.film.resize(pixels);
    for (u32 row = 0; row < settings_.height; row += cut_.rows) {
      const Tiling tiling{settings_.width, std::min(cut_.rows, settings_.height - row), row};
      for (u32 sample = 0; sample < settings_.samples; sample += cut_.samples) {
        const u32 samples = std::min(cut_.samples, settings_.samples - sample);
        follow_paths({tiling, sample, samples, settings_.samples});
      }
      if (!smooth_) finish(row, tiling.rows);
    }
    if (smooth_) {
      smooth();
      finish(0, settings_.height);
    }
    frame_.stages = machine_.finish_stages();
  }

 private:
  template <class T>
  using Buffer = typename PathMemory<Machine>::template Buffer<T>;

  static constexpr ShadingInfo kInfo = Shading::info;

  u32 film_pixels() const { return settings_.width * film_rows_; }

  /// From the camera to the film.
  void follow_paths(const PathRange& range) {
    const u32 count = range.paths();
    machine_.stage("camera rays");
    machine_.template each<CameraRays>("camera rays", count, range, settings_.camera, paths_);
    for (u32 depth = 0; depth <= view_.bounces; ++depth) {
      cast_paths(RayKind::closest, count, depth);
      if (depth == 0 && settings_.keep_hits) keep_hits(range);
      machine_.stage("shade");
      machine_.template each<ShadePaths<Shading>>("shade", count, range, view_, depth, paths_);
      if constexpr (kInfo.occlusion()) {
        cast_paths(RayKind::any, count, depth);
        machine_.stage("shade");
        machine_.template each<AddUnoccluded>("add unoccluded", count, paths_);
      }
    }
    machine_.stage("film");
    const FilmView film{light_.data(),
                        casts_.data(),
                        {soft_light_.data(), soft_squares_.data(), soft_features_.data()},
                        settings_.width,
                        smooth_ ? 0u : range.tiling.first_row};
    machine_.template each<AddToFilm>("add to film", range.tiling.pixels(), range, paths_, film);
  }

  void cast_paths(RayKind kind, u32 count, u32 depth) {
    const bool closest = kind == RayKind::closest;
    machine_.stage(closest ? "closest hits" : "occlusion");
    CastCounts counts = cast_(kind, closest ? paths_.rays : paths_.occlusion_rays,
                              closest ? paths_.hits : paths_.occlusion_hits,
                              closest && depth == 0u ? paths_.visits : nullptr, count);
    counts.rays = 0;  // many of them idle: `finish` adds up those that were cast
    frame_.counts.add(counts);
    rays_done_ += count;
    const u64 casts_a_path = u64{view_.bounces + 1u} * (kInfo.occlusion() ? 2u : 1u);
    const u64 paths = u64{settings_.width} * settings_.height * settings_.samples;
    if (report_) report_(rays_done_, paths * casts_a_path);
  }

  void keep_hits(const PathRange& range) {
    machine_.stage("download");
    hits_here_.resize(range.paths());
    machine_.download(hits_here_.data(), static_cast<const Hit*>(paths_.hits), range.paths());
    for (u32 i = 0; i < range.paths(); ++i) {
      const PixelPlace at = range.tiling.place(i / range.samples);
      const u64 pixel = u64{at.y} * settings_.width + at.x;
      frame_.hits[pixel * settings_.samples + range.first_sample + i % range.samples] =
          hits_here_[i];
    }
  }

  /// Smooths the film's soft light and adds it to the rest.
  void smooth() {
    machine_.stage("smooth");
    const u32 pixels = film_pixels();
    soft_a_ = machine_.template make<SoftLight>(pixels);
    soft_b_ = machine_.template make<SoftLight>(pixels);
    const SoftFilm film{soft_light_.data(), soft_squares_.data(), soft_features_.data()};
    const Feature* features = soft_features_.data();
    const vec3 step_y = settings_.camera.step_y;
    const float pixel_angle = sqrtf(dot(step_y, step_y));
    machine_.template each<SplitSoftLight>("split soft light", pixels, film, settings_.samples,
                                           soft_a_.data());
    for (u32 k = 0; k < kSmoothingSteps; ++k) {
      machine_.template each<SmoothStep>(
          "smooth", pixels, static_cast<const SoftLight*>(soft_a_.data()), soft_b_.data(), features,
          settings_.width, settings_.height, 1u << k, pixel_angle, settings_.camera.eye);
      std::swap(soft_a_, soft_b_);
    }
    machine_.template each<JoinSoftLight>("join soft light", pixels,
                                          static_cast<const SoftLight*>(soft_a_.data()), features,
                                          settings_.samples, light_.data());
  }

  /// From the film's rows to the frame's, which begin at first_row.
  void finish(u32 first_row, u32 rows) {
    const u32 pixels = settings_.width * rows;
    const u64 first = u64{first_row} * settings_.width;
    machine_.stage("film");
    const vec3* light = light_.data();
    machine_.template each<Develop>("develop", pixels, light, settings_.samples, kInfo.encoding,
                                    settings_.exposure, view_.scene.srgb_thresholds, codes_.data());
    machine_.stage("download");
    machine_.download(frame_.image.pixels.data() + first, static_cast<const Rgb8*>(codes_.data()),
                      pixels);
    std::vector<u32> casts(pixels);
    machine_.download(casts.data(), static_cast<const u32*>(casts_.data()), pixels);
    for (const u32 n : casts) frame_.counts.rays += n;
    if (!settings_.keep_film) return;
    machine_.download(frame_.film.data() + first, light, pixels);
    for (u64 i = first; i < first + pixels; ++i)
      frame_.film[i] = frame_.film[i] / static_cast<float>(settings_.samples);
  }

  Machine& machine_;
  const FrameSettings& settings_;
  Cast cast_;
  const ProgressReport& report_;
  Frame& frame_;
  const FrameCut cut_;
  const bool smooth_;
  const u32 film_rows_;
  const ShadingView view_;
  PathMemory<Machine> memory_;
  const PathArrays paths_;
  Buffer<vec3> light_;
  Buffer<u32> casts_;
  Buffer<vec3> soft_light_;
  Buffer<float> soft_squares_;
  Buffer<Feature> soft_features_;
  Buffer<SoftLight> soft_a_, soft_b_;
  Buffer<Rgb8> codes_;
  std::vector<Hit> hits_here_;
  u64 rays_done_ = 0;
};

/// Draws a frame: see FrameDrawer.
template <class Shading, class Machine, class Cast>
void draw_frame(Machine& machine, const SceneView& scene, const FrameSettings& settings, Cast cast,
                const ProgressReport& report, Frame& frame) {
  FrameDrawer<Shading, Machine, Cast>(machine, scene, settings, cast, report, frame).draw();
}

}  // namespace ballotcast
