// Resolves the settings of a picture.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "backends/device/backend.hpp"
#include "ballotcast/frame.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/framing/framing.hpp"

namespace ballotcast::detail {

/// Resolved settings of a picture, in two forms: `settings` for the caller, and `frame` and
/// `choice` for machines, with table rows in place of names.
struct ResolvedPicture {
  RenderSettings settings;
  FrameSettings frame;
  CastChoice choice;
};

/// Applies defaults: shading, samples, the scene's exposure, and a value in place of every `auto`.
/// Turns `smooth` off for pictures that are too large for it. Does not set the camera, because
/// choosing a camera needs the tree; see set_camera. Throws UsageError for invalid settings.
ResolvedPicture resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                        const BackendInfo& backend);

/// Sets the camera to the result of camera_for. Throws the same errors as camera_for and make_view.
void set_camera(ResolvedPicture& picture, Framing& framing);

/// Sets the range of distances for shadings that need it. The camera must be set before.
void set_range(ResolvedPicture& picture, const PreparedScene& scene);

/// Sets the white balance for shadings whose radiance is light. Sun and sky must already be
/// switched off if they should be.
void set_white_balance(ResolvedPicture& picture, const PreparedScene& scene);

/// The camera of the scene, or a camera that frames the scene if it has none. Members that are set
/// in `settings` replace those of this camera. Throws UsageError for an invalid field of view, and
/// InputError if no camera can frame the scene.
Camera camera_for(Framing& framing, const CameraSettings& settings, u32 width, u32 height);
Camera camera_for(const PreparedScene& scene, const CameraSettings& settings, u32 width,
                  u32 height);

/// The name of the stage that draws a small version of a frame to choose the exposure.
inline constexpr const char* kPreviewStage = "preview";

/// The range of exposures that `choose_exposure` returns.
inline constexpr float kLeastChosenExposure = 1e-4f, kMostChosenExposure = 1e4f;

/// An exposure, and the value of Frame::unlit.
struct ChosenExposure {
  float exposure = 1.0f;
  float unlit = 0.0f;
};

/// Chooses an exposure that is good for bright and dark rooms: it maps the upper quartile of
/// luminance to 0.5, a light grey. Only pixels that show a surface and are not black count; without
/// such pixels the exposure is 1. Luminance is measured after the white balance. `frame` must
/// contain its film and hits.
ChosenExposure choose_exposure(const DrawnFrame& frame, const ColorMatrix& white_balance);

/// The allowed texts for a background, for messages.
inline constexpr std::string_view kBackgrounds = "sky, transparent or a colour like #ffffff";

/// Parses a background. Returns nothing unless `text` is one of kBackgrounds. The value of the
/// background is encoded as `encoding`.
std::optional<Background> background_in(std::string_view text, Encoding encoding);

/// The shading called `shading`. If no row has this name, throws UsageError, which lists the rows.
const ShadingInfo& shading_called(std::string_view shading);

/// The names of Smoothing, in the order of its values.
inline constexpr std::array<std::string_view, 3> kSmoothings = {"off", "fast", "on"};
inline std::string name_of(Smoothing smoothing) {
  return std::string(kSmoothings[static_cast<std::size_t>(smoothing)]);
}
/// The value with this name. Throws UsageError for another name.
Smoothing smoothing_called(std::string_view name);

/// The names of Sides, in the order of its values.
inline constexpr std::array<std::string_view, 3> kSides = {"both", "front", "back"};
inline std::string name_of(Sides sides) {
  return std::string(kSides[static_cast<std::size_t>(sides)]);
}
/// The value with this name. Throws UsageError for another name.
Sides sides_called(std::string_view name);

/// All shadings; the first is the default.
std::vector<ShadingInfo> shadings();

}  // namespace ballotcast::detail
