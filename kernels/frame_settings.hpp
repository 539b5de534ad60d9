// The settings of a frame. ballotcast/frame.hpp has its result.
#pragma once

#include <algorithm>
#include <vector>

#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "image/white_balance.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "kernels/smooth/patches.hpp"
#include "scene/camera.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// The settings of a frame: what to draw and how.
struct FrameSettings {
  const ShadingInfo* shading = nullptr;  // a row of the table of shadings
  CameraView camera;
  u32 width = 0;
  u32 height = 0;
  u32 first_row = 0, rows = 0;  // draw only these rows of the picture; 0 rows: all
  u32 samples = 1;              // per pixel
  u32 bounces = 8;              // at most, per path, in shadings that follow bounces
  float exposure = 1.0f;
  vec3 white{1.0f};           // the colour of light that looks white
  ColorMatrix white_balance;  // makes it neutral; before the exposure
  float camera_light = 0.0f;  // radiance that a white surface facing the camera gets from its lamp
  DepthRange range;           // in shadings that need it
  Smoothing smooth = Smoothing::off;  // of soft light, in shadings that have it
  bool keep_fireflies = false;        // see RenderSettings
  bool keep_hits = false;             // return the camera rays' hits
  bool keep_film = false;             // return the pixels' mean radiance

  u32 rows_to_draw() const { return rows != 0u ? rows : height; }
};

/// The film of some rows before soft light is smoothed, pixel by pixel.
struct RawFilm {
  Array<vec3> light;
  Array<u32> casts;
  Array<PixelPatches> patches;
};

/// A frame as machines draw it, with its film: a whole picture, or the rows that the settings
/// state.
struct DrawnFrame : Frame {
  std::vector<vec3> film;  // if kept: mean radiance before exposure, in the order of image.pixels
  // Of some rows whose light is to be smoothed: their film, and then there are no pixels.
  RawFilm raw;
};

/// Adds the times of stages to those of the same name.
inline void add_stages(const std::vector<StageTime>& more, std::vector<StageTime>& stages) {
  for (const StageTime& one : more) {
    const auto same = std::find_if(stages.begin(), stages.end(),
                                   [&](const StageTime& s) { return s.name == one.name; });
    if (same == stages.end())
      stages.push_back(one);
    else
      same->milliseconds += one.milliseconds;
  }
}

/// The largest number of paths that are followed at once; fewer if memory is short. A frame's
/// CastCounts depend on it, so it is the same constant for all machines.
inline constexpr u32 kPathsAtOnce = 1u << 22;

/// For each ray of a batch of crossings, a device has room for this many crossings on average.
inline constexpr u32 kCrossingsKept = 16;

/// The largest picture, and other upper limits.
inline constexpr u32 kLargestSide = 1u << 15;
inline constexpr u64 kMostPixels = u64{1} << 28;
inline constexpr u64 kMostSmoothPixels = u64{1} << 25;  // smoothing needs the whole film at once
inline constexpr u32 kMostSamples = 1u << 16;
inline constexpr u32 kMostBounces = 16;

}  // namespace ballotcast::detail
