// The settings of a frame. drawn_frame.hpp has the result.
#pragma once

#include "ballotcast/image.hpp"
#include "ballotcast/options.hpp"
#include "image/color.hpp"
#include "kernels/hit_filter.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// What a picture shows where camera rays hit nothing.
struct Background {
  enum class Kind : u32 { sky, color, transparent };
  Kind kind = Kind::sky;
  Rgb8 code{};       // the colour as 8-bit codes, if kind is color
  vec3 value{0.0f};  // the value that `code` encodes, in the encoding of the shading

  BC_HD bool is_sky() const { return kind == Kind::sky; }
};

/// The settings of a frame: what to draw and how.
struct FrameSettings {
  const ShadingInfo* shading = nullptr;  // a row of the table of shadings
  CameraView camera;
  u32 width = 0;
  u32 height = 0;
  u32 first_row = 0, rows = 0;  // draw only these rows of the picture; 0 rows: all
  bool raw_stays = false;       // the raw film stays in the memory of the machine; see RawFilm
  bool raw_is_lent = false;     // another process reads the raw film from that memory
  u32 samples = 1;              // samples per pixel
  u32 bounces = 8;              // the most bounces of a path, in shadings that follow bounces
  float exposure = 1.0f;
  vec3 white{1.0f};           // the colour of light that looks white
  ColorMatrix white_balance;  // makes `white` neutral; applied before the exposure
  // Radiance of a white surface that faces the camera, by the lamp at the camera.
  float camera_light = 0.0f;
  bool no_sun = false,
       no_sky = false;  // leave out the sun or sky of the scene; see render/framing/lookout.hpp
  DepthRange range;     // the distances that shading `depth` maps to white and dark grey
  // How soft light is smoothed, in shadings that have soft light.
  Smoothing smooth = Smoothing::off;
  bool keep_fireflies = false;  // see RenderSettings
  Background background;
  HitFilter filter;        // the filter of all rays of the picture; its arrays per ray are null
  bool keep_hits = false;  // return the camera rays' hits
  bool keep_film = false;  // return the pixels' mean radiance
  bool leader_has_all = false;  // of several processes, only the leader gets pixels and hits
  // All settings of the picture as text. Processes compare it to check that they draw the same
  // picture.
  std::string all_settings;

  /// True if the picture needs an alpha channel: the share of each pixel that shows a surface.
  bool keeps_alpha() const { return background.kind == Background::Kind::transparent; }
  u32 rows_to_draw() const { return rows != 0u ? rows : height; }
  /// The number of casts in which each path takes part. A path that has ended takes part with an
  /// idle ray.
  u64 casts_a_path() const {
    const u64 most_bounces = shading->bounces() ? bounces : 0u;
    return (shading->bounces() ? most_bounces + 2u : 1u) +
           (shading->occlusion() ? most_bounces + 1u : 0u);
  }
  /// The largest number of rays cast to draw `of_rows` rows, idle rays included.
  u64 most_rays(u32 of_rows) const { return u64{width} * of_rows * samples * casts_a_path(); }
};

/// The upper limits of settings: the pixels of a side, the pixels of a picture, the pixels of a
/// picture whose light is smoothed, and the samples per pixel.
inline constexpr u32 kLargestSide = 1u << 15;
inline constexpr u64 kMostPixels = u64{1} << 28;
// Lower than kMostPixels, because smoothing needs the whole film at once.
inline constexpr u64 kMostSmoothPixels = u64{1} << 25;
inline constexpr u32 kMostSamples = 1u << 16;
inline constexpr u32 kMostBounces = 16;

}  // namespace ballotcast::detail
