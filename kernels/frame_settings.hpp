// The settings of a frame. drawn_frame.hpp has its result.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "ballotcast/image.hpp"
#include "ballotcast/options.hpp"
#include "image/color.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// What a picture shows where camera rays hit nothing.
struct Background {
  enum class Kind : u32 { sky, color, transparent };
  Kind kind = Kind::sky;
  Rgb8 code{};       // of a colour
  vec3 value{0.0f};  // the number whose code that is, in the encoding of the shading

  BC_HD bool is_sky() const { return kind == Kind::sky; }
};

/// What people may write, for messages.
inline constexpr std::string_view kBackgrounds = "sky, transparent or a colour like #ffffff";

/// The background that a text states, which is one of kBackgrounds; absent if it is not. The value
/// is in such an encoding.
inline std::optional<Background> background_in(std::string_view text, Encoding encoding) {
  using Kind = Background::Kind;
  if (text == "sky") return Background{};
  if (text == "transparent") return Background{Kind::transparent, {}, vec3(0.0f)};
  u32 code = 0;
  const char* const end = text.data() + text.size();
  if (text.size() != 7 || text[0] != '#' ||
      std::from_chars(text.data() + 1, end, code, 16).ptr != end)
    return {};
  const auto channel = [&](u32 shift) { return static_cast<u8>(code >> shift & 255u); };
  const auto value = [&](u8 of) {
    return encoding == Encoding::plain ? static_cast<float>(of) / 255.0f
                                       : srgb_to_linear_table()[of];
  };
  const Rgb8 color{channel(16), channel(8), channel(0)};
  return Background{Kind::color, color, {value(color.r), value(color.g), value(color.b)}};
}

/// The settings of a frame: what to draw and how.
struct FrameSettings {
  const ShadingInfo* shading = nullptr;  // a row of the table of shadings
  CameraView camera;
  u32 width = 0;
  u32 height = 0;
  u32 first_row = 0, rows = 0;  // draw only these rows of the picture; 0 rows: all
  bool raw_stays = false;       // see RawFilm
  bool raw_is_lent = false;     // and another process takes it from there
  u32 samples = 1;              // per pixel
  u32 bounces = 8;              // at most, per path, in shadings that follow bounces
  float exposure = 1.0f;
  vec3 white{1.0f};           // the colour of light that looks white
  ColorMatrix white_balance;  // makes it neutral; before the exposure
  float camera_light = 0.0f;  // radiance that a white surface facing the camera gets from its lamp
  DepthRange range;           // in shadings that need it
  Smoothing smooth = Smoothing::off;  // of soft light, in shadings that have it
  bool keep_fireflies = false;        // see RenderSettings
  Background background;
  bool keep_hits = false;       // return the camera rays' hits
  bool keep_film = false;       // return the pixels' mean radiance
  bool keep_alpha = false;      // return which share of each pixel shows a surface
  bool leader_has_all = false;  // of several processes, only the leader gets pixels and hits
  std::string stated;           // all settings of the picture, which processes compare

  u32 rows_to_draw() const { return rows != 0u ? rows : height; }
  /// How many casts a path takes part in, with a ray or an idle one.
  u64 casts_a_path() const {
    const u64 most_bounces = shading->bounces() ? bounces : 0u;
    return (shading->bounces() ? most_bounces + 2u : 1u) +
           (shading->occlusion() ? most_bounces + 1u : 0u);
  }
  /// The most rays that drawing so many rows casts, idle ones included.
  u64 most_rays(u32 of_rows) const { return u64{width} * of_rows * samples * casts_a_path(); }
};

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
