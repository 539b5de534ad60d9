// The table of outputs: numbers about pixels that a picture can have besides its colour.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/api.hpp"
#include "ballotcast/frame.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A pixel's centre ray and what it hit. If that is nothing, place and surface do not count.
struct PixelHit {
  const PreparedScene& scene;
  const Ray& ray;
  const Hit& hit;
  const HitFilter& filter;  // of the picture
  Place place;
  Surface surface;
};

/// A row of the table. Either it is drawn with the picture, or one of two functions computes it
/// from the pixel's centre ray.
struct BALLOTCAST_API OutputInfo {
  std::string_view name;  // in names of channels and keys with _ for -
  std::string_view summary;
  std::vector<std::string> channels;
  float background;  // where nothing is hit
  // Writes as many numbers as there are channels. Not called where nothing is hit.
  void (*floats)(const PixelHit& pixel, float* to);
  i32 (*integer)(const PixelHit& pixel);
  bool everywhere = false;  // call it for misses, too

  bool is_drawn() const { return !floats && !integer; }
  std::string key() const;
};

/// The names of the rows that are drawn.
inline constexpr std::string_view kColourOutput = "colour", kAlphaOutput = "alpha",
                                  kObjectMatte = "crypto-object",
                                  kMaterialMatte = "crypto-material";

const std::vector<OutputInfo>& output_table();

/// The row of a name, which may have _ for -, and be spelled color. Throws UsageError, which lists
/// the rows.
BALLOTCAST_API const OutputInfo& output_called(std::string_view name);

/// Throws UsageError if numbers that PixelNumbers holds would take too much memory.
void require_moderate_outputs(u32 width, u32 height, const std::vector<const OutputInfo*>& rows);

}  // namespace ballotcast::detail
