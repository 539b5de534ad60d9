// Interiors: whether a view shows one, whether a scene is one, and a camera inside of it.
#pragma once

#include <optional>
#include <vector>

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/framing/framing.hpp"
#include "scene/camera/camera.hpp"
#include "scene/light/light.hpp"

namespace ballotcast::detail {

/// The default field of view inside of an interior, in degrees.
inline constexpr double kInsideFov = 60.0;

/// Looks for places inside of a scene from which one sees far.
///
/// A scene is an interior if from most places in its box nearly all directions end on fronts of
/// surfaces. Of these places, and of the level directions, the camera takes those which show most
/// that is neither close by nor the back of a surface. Rays are always the same ones, so the camera
/// depends on the scene and the aspect alone.
class Lookout {
 public:
  /// `resident`: the scene on the CPU. Both must outlive this object.
  Lookout(const PreparedScene& scene, ResidentScene& resident)
      : scene_(scene), resident_(resident) {}

  /// A camera inside, with this field of view; none if the scene is no interior, or if `outside`
  /// shows its inside, as one before an open side of a room does.
  std::optional<Camera> camera(const Camera& outside, double aspect, double fov);

 private:
  const std::vector<dvec3>& places();
  const std::vector<Camera>& finalists();

  const PreparedScene& scene_;
  ResidentScene& resident_;
  // Found when they are first asked for.
  std::optional<std::vector<dvec3>> places_;
  std::optional<std::vector<Camera>> finalists_;  // the best views
};

// Whether a view shows the inside of something; and so, whether a scene is a room, in which lamps
// shine alone.

/// A view whose points get less than this share of even light from the sky shows the inside of
/// something.
inline constexpr double kLeastSky = 1.0 / 3.0;

/// The share of even light from all around that comes from the sky, on the points that `camera`
/// sees; light passes glass. 1 if it sees nothing. Rays are always the same ones, so it depends on
/// the scene alone.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, const Camera& camera);

/// The same for the points that these rays have hit, with `rays_each` rays from each.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, PreviewHits seen,
                    u32 rays_each);

/// True if the scene is a room with lamps. The camera of `framing` looks at it, whatever camera
/// the picture has; then less than a third of the even light that falls on what is seen there would
/// come from the sky. The rays that tell are always the same ones, and cast on the CPU, so the
/// answer depends on neither picture nor device.
bool is_lamplit_room(Framing& framing);

/// True if the answer of is_lamplit_room matters: there are lamps, and not both of sun and sky are
/// stated.
bool may_be_lamplit(const SceneData& scene);

/// Puts out sun and sky of a frame, as far as nothing is stated about them.
void put_out_daylight(const SceneData& scene, FrameSettings& frame);

}  // namespace ballotcast::detail
