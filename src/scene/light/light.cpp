#include "scene/light/light.hpp"

#include <cmath>

#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// Calls visit(member of `a`, same member of `b`) for every member.
template <class A, class B, class Visit>
void each_member_of_sun(A& a, B& b, Visit visit) {
  visit(a.direction, b.direction);
  visit(a.color, b.color);
  visit(a.strength, b.strength);
}
template <class A, class B, class Visit>
void each_member_of_sky(A& a, B& b, Visit visit) {
  visit(a.zenith, b.zenith);
  visit(a.horizon, b.horizon);
  visit(a.ground, b.ground);
  visit(a.strength, b.strength);
  visit(a.turn, b.turn);
}

constexpr auto kTakeStated = [](auto& to, const auto& stated) {
  if (stated) to = *stated;
};

}  // namespace

bool is_stated(const SunSettings& sun) { return sun.direction || sun.color || sun.strength; }

bool is_stated(const SkySettings& sky) {
  return sky.file || sky.zenith || sky.horizon || sky.ground || sky.strength || sky.turn;
}

void state_over(SunSettings& settings, const SunSettings& stated) {
  each_member_of_sun(settings, stated, kTakeStated);
}

void state_over(SkySettings& settings, const SkySettings& stated) {
  if (stated.file) settings.file = stated.file;
  each_member_of_sky(settings, stated, kTakeStated);
}

Light light_of(const SceneData& scene) {
  Light light;
  if (!scene.sky_map.pixels.empty() && !is_stated(scene.sun)) light.sun.strength = 0.0f;
  each_member_of_sun(light.sun, scene.sun, kTakeStated);
  each_member_of_sky(light.sky, scene.sky, kTakeStated);
  return light;
}

namespace {

/// A usable radiance: not negative, finite.
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
