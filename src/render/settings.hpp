// How the settings of a picture are resolved.
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

/// Fills in defaults: shading, samples, the scene's exposure, and the choice behind every auto.
/// Turns `smooth` off for pictures that are too large for it. The camera is left as it is, because
/// choosing one needs the tree; see set_camera. Throws UsageError for invalid settings.
ResolvedPicture resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                        const BackendInfo& backend);

/// Fills in the camera: camera_for of the settings. Throws the same errors as camera_for and
/// make_view.
void set_camera(ResolvedPicture& picture, Framing& framing);

/// Fills in the range of distances, in shadings that need it. The camera must be set.
void set_range(ResolvedPicture& picture, const PreparedScene& scene);

/// Fills in the white balance, in shadings whose radiance is light. Sun and sky must have been put
/// out, if they are to be.
void set_white_balance(ResolvedPicture& picture, const PreparedScene& scene);

/// The camera of the scene; if it has none, a camera that frames it. Parts that `stated`
/// states replace those of this camera. Throws UsageError for an invalid field of view, and
/// InputError if no camera can frame the scene.
Camera camera_for(Framing& framing, const CameraSettings& stated, u32 width, u32 height);
Camera camera_for(const PreparedScene& scene, const CameraSettings& stated, u32 width, u32 height);

/// The stage of a frame in which a small version is drawn, for choosing the exposure.
inline constexpr const char* kPreviewStage = "preview";

/// The range of `choose_exposure`.
inline constexpr float kLeastChosenExposure = 1e-4f, kMostChosenExposure = 1e4f;

/// An exposure, and Frame::unlit.
struct ChosenExposure {
  float exposure = 1.0f;
  float unlit = 0.0f;
};

/// An exposure with which bright and dark rooms both look good: it maps the upper quartile of
/// luminance to 0.5, a light grey. Only pixels that show a surface and are not black count; if
/// there are none, it is 1. Luminance is that after the white balance. `frame` must have kept its
/// film and hits.
ChosenExposure choose_exposure(const DrawnFrame& frame, const ColorMatrix& white_balance);

/// What people may write for a background, for messages.
inline constexpr std::string_view kBackgrounds = "sky, transparent or a colour like #ffffff";

/// The background that a text states, which is one of kBackgrounds; absent if it is not. Its value
/// is a number of this encoding.
std::optional<Background> background_in(std::string_view text, Encoding encoding);

/// The shading called `shading`. If no row has this name, throws UsageError, which lists the rows.
const ShadingInfo& shading_called(std::string_view shading);

/// The names of Smoothing, in the order of its values.
inline constexpr std::array<std::string_view, 3> kSmoothings = {"off", "fast", "on"};
inline std::string name_of(Smoothing smoothing) {
  return std::string(kSmoothings[static_cast<std::size_t>(smoothing)]);
}
/// The value of a name. Throws UsageError for another name.
Smoothing smoothing_called(std::string_view name);

/// The names of Sides, in the order of its values.
inline constexpr std::array<std::string_view, 3> kSides = {"both", "front", "back"};
inline std::string name_of(Sides sides) {
  return std::string(kSides[static_cast<std::size_t>(sides)]);
}
/// The value of a name. Throws UsageError for another name.
Sides sides_called(std::string_view name);

/// All shadings; the first is the default.
std::vector<ShadingInfo> shadings();

}  // namespace ballotcast::detail
