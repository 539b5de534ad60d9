// A frame, from camera to pixels, on any machine.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/film.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/shadings/table.hpp"

namespace ballotcast {

/// Draws a frame with `machine`. `cast(kind, rays, hits, visits or null, count)` casts rays that
/// lie on the machine and returns CastCounts.
template <class Shading, class Machine, class Cast>
void draw_frame(Machine& machine, const SceneView& scene, const FrameSettings& settings, Cast cast,
                const ProgressReport& report, Frame& frame) {
  constexpr ShadingInfo info = Shading::info;
  const u64 band_paths = u64{settings.width} * kTileSide * settings.samples;
  const u32 bands = static_cast<u32>(std::max<u64>(1, kPathsAtOnce / band_paths));
  const u32 rows_at_once = std::min(settings.height, bands * kTileSide);
  const u32 pixels_at_once = settings.width * rows_at_once;
  const u32 samples_at_once =
      std::min(settings.samples, std::max(1u, kPathsAtOnce / pixels_at_once));
  const u32 most_paths = pixels_at_once * samples_at_once;

  auto rays = machine.template make<Ray>(most_paths);
  auto hits = machine.template make<Hit>(most_paths);
  auto visits = machine.template make<u32>(info.visits ? most_paths : 0u);
  auto occlusion_rays = machine.template make<Ray>(most_paths);
  auto occlusion_hits = machine.template make<Hit>(info.occlusion ? most_paths : 0u);
  auto unoccluded = machine.template make<vec3>(most_paths);
  auto throughput = machine.template make<vec3>(most_paths);
  auto radiance = machine.template make<vec3>(most_paths);
  auto film = machine.template make<vec3>(pixels_at_once);
  auto codes = machine.template make<Rgb8>(pixels_at_once);
  const PathArrays paths{
      rays.data(),           hits.data(),           info.visits ? visits.data() : nullptr,
      occlusion_rays.data(), occlusion_hits.data(), unoccluded.data(),
      throughput.data(),     radiance.data()};

  const u64 all_pixels = u64{settings.width} * settings.height;
  const u32 casts_a_path = (info.bounces ? settings.bounces + 1u : 1u) * (info.occlusion ? 2u : 1u);
  const u64 all_rays = all_pixels * settings.samples * casts_a_path;
  u64 rays_done = 0;
  const auto cast_paths = [&](RayKind kind, u32 count, u32 depth) {
    const bool closest = kind == RayKind::closest;
    machine.stage(closest ? "closest hits" : "occlusion");
    frame.counts.add(cast(kind, closest ? paths.rays : paths.occlusion_rays,
                          closest ? paths.hits : paths.occlusion_hits,
                          closest && depth == 0u ? paths.visits : nullptr, count));
    rays_done += count;
    if (report) report(rays_done, all_rays);
  };

  frame.image = {settings.width, settings.height, std::vector<Rgb8>(all_pixels)};
  if (settings.keep_hits) frame.hits.resize(all_pixels * settings.samples);
  if (settings.keep_film) frame.film.resize(all_pixels);
  std::vector<vec3> film_here(settings.keep_film ? pixels_at_once : 0u);
  std::vector<Hit> hits_here(settings.keep_hits ? most_paths : 0u);
  const ShadingView view{scene, info.bounces ? settings.bounces : 0u};

  for (u32 row = 0; row < settings.height; row += rows_at_once) {
    const Tiling tiling{settings.width, std::min(rows_at_once, settings.height - row), row};
    PathRange range{tiling, 0, 0, settings.samples};
    for (u32 sample = 0; sample < settings.samples; sample += samples_at_once) {
      range.first_sample = sample;
      range.samples = std::min(samples_at_once, settings.samples - sample);
      const u32 count = range.paths();
      machine.stage("camera rays");
      machine.template each<CameraRays>("camera rays", count, range, settings.camera, paths);
      for (u32 depth = 0; depth <= view.bounces; ++depth) {
        cast_paths(RayKind::closest, count, depth);
        if (depth == 0 && settings.keep_hits) {
          machine.stage("download");
          machine.download(hits_here.data(), paths.hits, count);
          for (u32 i = 0; i < count; ++i) {
            const PixelPlace at = tiling.place(i / range.samples);
            const u64 pixel = u64{at.y} * settings.width + at.x;
            frame.hits[pixel * settings.samples + sample + i % range.samples] = hits_here[i];
          }
        }
        machine.stage("shade");
        machine.template each<ShadePaths<Shading>>("shade", count, range, view, depth, paths);
        if constexpr (info.occlusion) {
          cast_paths(RayKind::any, count, depth);
          machine.stage("shade");
          machine.template each<AddUnoccluded>("add unoccluded", count, paths);
        }
      }
      machine.stage("film");
      machine.template each<AddToFilm>("add to film", tiling.pixels(), range,
                                       static_cast<const vec3*>(paths.radiance), film.data());
    }
    machine.template each<Develop>("develop", tiling.pixels(), range,
                                   static_cast<const vec3*>(film.data()), info.encoding,
                                   settings.exposure, scene.srgb_thresholds, codes.data());
    machine.stage("download");
    if (settings.keep_film) {
      machine.download(film_here.data(), static_cast<const vec3*>(film.data()), tiling.pixels());
      for (u32 i = 0; i < tiling.pixels(); ++i) {
        const PixelPlace at = tiling.place(i);
        frame.film[u64{at.y} * settings.width + at.x] =
            film_here[i] / static_cast<float>(settings.samples);
      }
    }
    machine.download(frame.image.pixels.data() + u64{row} * settings.width,
                     static_cast<const Rgb8*>(codes.data()), tiling.pixels());
  }
  frame.stages = machine.finish_stages();
}

}  // namespace ballotcast
