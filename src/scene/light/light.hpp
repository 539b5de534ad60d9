// Sun and sky: the given settings, the resulting light, and pictures of the sky.
#pragma once

#include <string_view>
#include <vector>

#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// The sun with all parts set. Its light is parallel.
struct Sun {
  dvec3 direction{0.4, 0.8, 0.45};  // direction towards the sun; any length except 0
  vec3 color{1.0f, 0.94f, 0.84f};   // linear
  float strength = 5.0f;            // irradiance on a surface that faces the sun; 0 is night
};

/// The sky with all parts set: a picture (SceneData::sky_map), or a gradient from horizon to zenith
/// with the colour of the ground below the horizon.
struct Sky {
  vec3 zenith{0.32f, 0.52f, 0.95f};  // linear colour
  vec3 horizon{0.85f, 0.9f, 1.0f};   // linear colour
  vec3 ground{0.25f, 0.28f, 0.33f};  // linear colour
  float strength = 1.0f;             // factor on the colours or on the picture; 0 is black
  double turn = 0.0;  // rotation of the picture about up in degrees, as Placement::rotate_y
};

/// Calls with(key, member of SunSettings, same member of Sun) for each part of a sun. Scene files,
/// checks and packed scenes use this function; the type of a part determines its allowed values.
template <class With>
void for_each_part(const SunSettings&, const With& with) {
  with("direction", &SunSettings::direction, &Sun::direction);
  with("color", &SunSettings::color, &Sun::color);
  with("strength", &SunSettings::strength, &Sun::strength);
}

/// As above for a sky, except its file, which is not a member of Sky.
template <class With>
void for_each_part(const SkySettings&, const With& with) {
  with("file", &SkySettings::file, nullptr);
  with("turn", &SkySettings::turn, &Sky::turn);
  with("zenith", &SkySettings::zenith, &Sky::zenith);
  with("horizon", &SkySettings::horizon, &Sky::horizon);
  with("ground", &SkySettings::ground, &Sky::ground);
  with("strength", &SkySettings::strength, &Sky::strength);
}

/// The names of RenderSettings::light: the light of the scene; an additional light at the camera;
/// lamps only; lamps in addition to sun and sky. The last two override the choice that is made by
/// the geometry of the scene.
inline constexpr std::string_view kSceneLight = "scene", kCameraLight = "camera",
                                  kLamplight = "lamps", kDaylight = "daylight";
inline std::vector<std::string_view> light_names() {
  return {kSceneLight, kCameraLight, kLamplight, kDaylight};
}

/// All light that does not come from surfaces.
struct Light {
  Sun sun;
  Sky sky;
};

/// True if any part of a sun or a sky is given.
template <class Settings>
bool is_given(const Settings& settings) {
  bool any = false;
  for_each_part(settings, [&](auto, auto part, auto) { any |= (settings.*part).has_value(); });
  return any;
}

/// Copies the parts that are set in `changes` to `settings`. Other parts of `settings` are not
/// changed.
template <class Settings>
void override_with(Settings& settings, const Settings& changes) {
  for_each_part(changes, [&](auto, auto part, auto) {
    if (changes.*part) settings.*part = changes.*part;
  });
}

/// The light of a scene. Parts that are not given have their default values. But if no part of the
/// sun is given and the sky is a picture, the sun has strength 0, because the picture contains the
/// sun. In a room with lamps, sun or sky may be switched off: see render/framing/lookout.hpp.
Light light_of(const SceneData& scene);

/// The largest radiance of a sky picture. Larger values are reduced to it, so that sums are finite.
inline constexpr float kBrightestSky = 0x1p30f;

/// Reads the picture of the sky from the file `scene.sky.file` into `scene.sky_map`, if a file is
/// given. Throws InputError, which names the file, if it can't be read or is not a picture of a
/// sky.
void load_sky_map(SceneData& scene);

}  // namespace ballotcast::detail
