// The table of outputs: numbers per pixel that a picture can have besides its colour.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/api.hpp"
#include "ballotcast/frame.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A pixel's centre ray and its hit. If the ray misses, place and surface have no meaning.
struct PixelHit {
  const PreparedScene& scene;
  const Ray& ray;
  const Hit& hit;
  const HitFilter& filter;  // of the picture
  Place place;
  Surface surface;
};

/// A row of the table. Either the output is drawn with the picture, or one of two functions
/// computes it from the pixel's centre ray.
struct BALLOTCAST_API OutputInfo {
  std::string_view name;  // in names of channels and keys, with _ in place of -
  std::string_view summary;
  std::vector<std::string> channels;
  float background;  // the value where the ray hits nothing
  // Writes one number per channel. Not called for misses.
  void (*floats)(const PixelHit& pixel, float* to);
  i32 (*integer)(const PixelHit& pixel);
  bool everywhere = false;  // the functions are called for misses, too

  bool is_drawn() const { return !floats && !integer; }
  std::string key() const;
};

/// The names of the rows that are drawn.
inline constexpr std::string_view kColourOutput = "colour", kAlphaOutput = "alpha",
                                  kObjectMatte = "crypto-object",
                                  kMaterialMatte = "crypto-material";

const std::vector<OutputInfo>& output_table();

/// The row called `name`, which may have _ in place of -, or be spelled color. Throws UsageError,
/// which lists the rows.
BALLOTCAST_API const OutputInfo& output_called(std::string_view name);

/// Throws UsageError if PixelNumbers for these rows would take too much memory.
void require_moderate_outputs(u32 width, u32 height, const std::vector<const OutputInfo*>& rows);

}  // namespace ballotcast::detail
