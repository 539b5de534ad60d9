// What a frame is asked for, and what comes back.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.hpp"
#include "kernels/pipelines/pipeline.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// What is to be drawn.
struct FrameSettings {
  std::string_view shading = "lit";
  CameraView camera;
  u32 width = 0;
  u32 height = 0;
  u32 samples = 1;  // a pixel
  u32 bounces = 2;  // of a path, in shadings whose paths go on
  float exposure = 1.0f;
  bool smooth = false;     // smooth soft light, in shadings that have it?
  bool keep_hits = false;  // return the camera rays' hits?
  bool keep_film = false;  // return the pixels' mean radiance?
};

/// Told how far a long work is: `done` of `total` rays. Called from one thread at a time.
using ProgressReport = std::function<void(u64 done, u64 total)>;

/// How long one kind of work took in all.
struct StageTime {
  std::string name;
  double milliseconds = 0.0;
};

/// A picture and how it came about.
struct Frame {
  Image<Rgb8> image;
  std::vector<Hit> hits;   // when kept: hits[(y * width + x) * samples + s]
  std::vector<vec3> film;  // when kept: in the order of image.pixels, before exposure
  CastCounts counts;       // over all casts
  float exposure = 1.0f;   // that it was developed with
  std::vector<StageTime> stages;
};

/// Paths worked on at once, at most; fewer where memory is short. Part of what counters depend on,
/// so the same everywhere.
inline constexpr u32 kPathsAtOnce = 1u << 22;

/// Crossings that are kept on a device at once, for each ray that is.
inline constexpr u32 kCrossingsKept = 16;

/// The largest picture.
inline constexpr u32 kLargestSide = 1u << 15;
inline constexpr u64 kMostPixels = u64{1} << 28;
inline constexpr u64 kMostSmoothPixels = u64{1} << 25;  // smoothing wants the whole film at once
inline constexpr u32 kMostSamples = 1u << 16;
inline constexpr u32 kMostBounces = 16;

}  // namespace ballotcast::detail
