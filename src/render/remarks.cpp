#include "render/remarks.hpp"

#include <algorithm>

#include "kernels/shadings/shading_info.hpp"
#include "render/settings.hpp"

namespace ballotcast::detail {

namespace {

constexpr float kMostlyUnlit = 0.9f;
constexpr const char* kAdvice =
    "add a light at the camera, give it a sun, a sky or lamps (Ke), or move the camera out of what "
    "encloses it";

}  // namespace

bool is_camera_stated(const SceneData& scene, const CameraSettings& stated) {
  return scene.camera || stated.eye || stated.look_at;
}

std::string unseen_warning(bool camera_is_stated) {
  return std::string(
             "nothing of the scene is seen: no ray through the centre of a pixel hits it; ") +
         (camera_is_stated ? "turn the camera to it, or state no camera"
                           : "give its materials opacity (d 1) and its triangles some size");
}

std::string light_note(const Frame& frame) {
  if (shading_called(frame.settings.shading).encoding == Encoding::light &&
      frame.settings.exposure == 0.0f)
    return "the picture is black, because the exposure is 0";
  // Whoever states another exposure knows what it does.
  if (frame.settings.exposure || shading_called(frame.settings.shading).encoding != Encoding::light)
    return "";
  const bool is_low = frame.exposure <= kLeastChosenExposure;
  if (is_low || frame.exposure >= kMostChosenExposure)
    return std::string("the picture is too ") + (is_low ? "bright" : "dark") +
           " for an automatic exposure, which is " +
           (is_low ? "at least 0.0001" : "at most 10000") +
           ": state an exposure, or make the light " + (is_low ? "weaker" : "stronger") +
           " (sun, sky, Ke of lamps)";
  if (std::ranges::all_of(frame.image.pixels,
                          [](const Rgb8& p) { return p.r == 0 && p.g == 0 && p.b == 0; }))
    return std::string("the picture is black: no light reaches what the camera sees; ") + kAdvice;
  if (frame.unlit > kMostlyUnlit)
    return std::string("almost no light reaches what the camera sees; ") + kAdvice;
  return "";
}

}  // namespace ballotcast::detail
