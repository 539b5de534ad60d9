#include "render/remarks.hpp"

#include <algorithm>
#include <vector>

#include "backends/device/backend.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "render/settings.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kGridSide = 64;  // longer side of a coarse grid of rays that is tried first
constexpr u64 kRaysAtOnce = 1 << 16;

/// Casts rays through pixel centres of a picture, on the CPU.
class PixelCaster {
 public:
  PixelCaster(const PreparedScene& scene, const CameraView& view)
      : resident_(cpu_upload(scene)), view_(view) {}

  /// Casts the ray through every `step`-th pixel of every `step`-th row. Returns true if a ray
  /// hits.
  bool any_hits(u32 width, u32 height, u32 step) {
    for (u32 y = step / 2; y < height; y += step)
      for (u32 x = step / 2; x < width; x += step) {
        rays_.push_back(ray_through(view_, float(x) + 0.5f, float(y) + 0.5f));
        if (rays_.size() == kRaysAtOnce && one_hits()) return true;
      }
    return one_hits();
  }

 private:
  /// Casts the collected rays and clears the list. Returns true if at least one ray hits.
  bool one_hits() {
    std::vector<Hit> hits(rays_.size());
    resident_->cast(RayKind::any, rays_.data(), hits.data(), nullptr, rays_.size(), {});
    rays_.clear();
    return std::ranges::any_of(hits, [](const Hit& hit) { return hit.found(); });
  }

  std::unique_ptr<ResidentScene> resident_;
  CameraView view_;
  std::vector<Ray> rays_;
};

constexpr float kMostlyUnlit = 0.9f;
constexpr const char* kAdvice =
    "add a light at the camera, give it a sun, a sky or lamps (Ke), or move the camera out of what "
    "encloses it";

}  // namespace

bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height) {
  if (scene.bounds.empty()) return false;
  PixelCaster caster(scene, make_view(camera, scene.scene->origin, width, height));
  const u32 step = std::max(1u, std::max(width, height) / kGridSide);
  return (step > 1 && caster.any_hits(width, height, step)) || caster.any_hits(width, height, 1);
}

bool is_camera_given(const SceneData& scene, const CameraSettings& settings) {
  return scene.camera || settings.eye || settings.look_at;
}

std::string unseen_warning(bool camera_is_given) {
  return std::string(
             "nothing of the scene is seen: no ray through the centre of a pixel hits it; ") +
         (camera_is_given ? "turn the camera to it, or state no camera"
                          : "give its materials opacity (d 1) and its triangles some size");
}

std::string light_note(const Frame& frame) {
  if (shading_called(frame.settings.shading).encoding == Encoding::light &&
      frame.settings.exposure == 0.0f)
    return "the picture is black, because the exposure is 0";
  // If the exposure is given, no advice is needed.
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
