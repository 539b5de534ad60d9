// Sun and sky: what is stated of them, and what they come to.
#pragma once

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The sun with every part: parallel light.
struct Sun {
  dvec3 direction{0.4, 0.8, 0.45};  // towards the sun; any length except 0
  vec3 color{1.0f, 0.94f, 0.84f};   // linear
  float strength = 5.0f;            // irradiance on a surface that faces the sun; 0 is night
};

/// The sky with every part: a gradient from the horizon to the zenith, and the ground's colour
/// below the horizon.
struct Sky {
  vec3 zenith{0.32f, 0.52f, 0.95f};  // linear
  vec3 horizon{0.85f, 0.9f, 1.0f};   // linear
  vec3 ground{0.32f, 0.3f, 0.28f};   // linear
  float strength = 1.0f;             // 0 is black
};

/// All light that no surface emits.
struct Light {
  Sun sun;
  Sky sky;
};

/// Is any part stated?
bool is_stated(const SunSettings& sun);
bool is_stated(const SkySettings& sky);

/// `stated` wins over `settings`, part by part.
void state_over(SunSettings& settings, const SunSettings& stated);
void state_over(SkySettings& settings, const SkySettings& stated);

/// The light of a scene. Parts that are not stated have their defaults; but where surfaces emit
/// light, a sun of which nothing is stated has strength 0, and so has the sky.
Light light_of(const SceneData& scene);

}  // namespace ballotcast::detail
