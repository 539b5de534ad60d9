// Interiors: decides whether a view shows one and whether a scene is one, and finds a camera
// inside.
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
/// surfaces. Among these places, and among level directions, the camera takes the view that shows
/// the least of what is close by and of backs of surfaces. The rays are always the same, so the
/// camera depends only on the scene and the aspect.
class Lookout {
 public:
  /// `resident`: the scene on the CPU. Both must outlive this object.
  Lookout(const PreparedScene& scene, ResidentScene& resident)
      : scene_(scene), resident_(resident) {}

  /// A camera inside, with this field of view. Absent if the scene is not an interior, or if the
  /// camera `outside` shows its inside, for example through an open side of a room.
  std::optional<Camera> camera(const Camera& outside, double aspect, double fov);

 private:
  const std::vector<dvec3>& places();
  const std::vector<Camera>& finalists();

  const PreparedScene& scene_;
  ResidentScene& resident_;
  // These are found when they are first asked for.
  std::optional<std::vector<dvec3>> places_;
  std::optional<std::vector<Camera>> finalists_;  // the best views
};

// Decides whether a view shows the inside of something. With that, decides whether a scene is a
// room that only lamps should light.

/// A view shows an inside if its points get less than this share of even light from the sky.
inline constexpr double kLeastSky = 1.0 / 3.0;

/// On the points that `camera` sees: the share of even light from all around that comes from the
/// sky. Light passes through glass. 1 if the camera sees nothing. The rays are always the same, so
/// the result depends only on the scene and the camera.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, const Camera& camera);

/// The same for the points that the rays of `seen` have hit, with `rays_each` rays from each point.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, PreviewHits seen,
                    u32 rays_each);

/// True if the scene is a room with lamps. The camera of `framing` looks at it, whatever camera the
/// picture has. It is a room if less than a third of even light on the seen points would come from
/// the sky. The rays are always the same and are cast on the CPU, so the answer does not depend on
/// picture or device.
bool is_lamplit_room(Framing& framing);

/// True if the answer of is_lamplit_room matters: the scene has lamps, and sun and sky are not both
/// given.
bool may_be_lamplit(const SceneData& scene);

/// Switches off sun and sky of a frame, except for those that are given.
void put_out_daylight(const SceneData& scene, FrameSettings& frame);

}  // namespace ballotcast::detail
