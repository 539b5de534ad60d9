#include "scene/light/light.hpp"

#include <cmath>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_files.hpp"

namespace ballotcast::detail {

namespace {

/// Copies the parts that are set to a complete sun or sky.
template <class Settings, class Whole>
void take_given(Whole& to, const Settings& settings) {
  for_each_part(settings, [&](auto, auto part, auto member) {
    if constexpr (!std::is_null_pointer_v<decltype(member)>)
      if (settings.*part) to.*member = *(settings.*part);
  });
}

}  // namespace

Light light_of(const SceneData& scene) {
  Light light;
  if (!scene.sky_map.pixels.empty() && !is_given(scene.sun)) light.sun.strength = 0.0f;
  take_given(light.sun, scene.sun);
  take_given(light.sky, scene.sky);
  return light;
}

namespace {

/// Clamps a radiance to the usable range; NaN becomes 0.
float usable(float value) { return clamp_to(value, 0.0f, kBrightestSky); }

}  // namespace

void load_sky_map(SceneData& scene) {
  if (!scene.sky.file) {
    if (scene.sky.turn)
      scene.warnings.push_back(scene.place() +
                               ": the turn of the sky is ignored, because it has no picture");
    return;
  }
  const std::string& path = *scene.sky.file;
  const std::vector<u8> bytes = read_picture_file(path);
  if (!begins_linear(bytes))
    throw InputError(path + ": a picture of the sky must be linear: .hdr, .pfm or .exr");
  const LinearImage image = decode_linear(bytes, path);
  if (image.width < 2 || image.height < 2)
    throw InputError(path + ": a picture of the sky has at least 2 x 2 pixels");
  scene.files.push_back(path);
  scene.sky_map = {image.width, image.height, {}};
  scene.sky_map.pixels.reserve(image.pixels.size());
  u64 unusable = 0;
  for (const Vec3f& from : image.pixels) {
    const vec3 to(usable(from.x), usable(from.y), usable(from.z));
    if (to.x != from.x || to.y != from.y || to.z != from.z) ++unusable;
    scene.sky_map.pixels.push_back(to);
  }
  if (unusable != 0)
    scene.warnings.push_back(
        path +
        ": pixels with values that are negative or no numbers, drawn black, or above 2^30, "
        "reduced to 2^30: " +
        std::to_string(unusable));
  if (image.width != 2 * image.height)
    scene.warnings.push_back(path + ": a picture of the whole sky is twice as wide as high; this " +
                             "one has " + std::to_string(image.width) + "x" +
                             std::to_string(image.height) + " pixels");
}

}  // namespace ballotcast::detail
