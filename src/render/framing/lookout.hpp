// Interiors: decides whether a view shows an interior and whether a scene is one, and finds a
// camera inside.
#pragma once

#include <optional>
#include <vector>

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/framing/preview.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/light/light.hpp"

namespace ballotcast::detail {

class Framing;

/// The default field of view inside an interior, in degrees.
inline constexpr double kInsideFov = 60.0;

/// Searches for positions inside of a scene from which a camera sees far.
///
/// A scene is an interior if, from most positions in its box, nearly all directions end on fronts
/// of surfaces. Among these positions, and among level directions, the camera gets the view that
/// shows the least of near surfaces and of backs of surfaces. The rays are always the same, so the
/// camera depends only on the scene and the aspect.
class Lookout {
 public:
  /// `resident` is the scene on the CPU. Both arguments must outlive this object.
  Lookout(const PreparedScene& scene, ResidentScene& resident)
      : scene_(scene), resident_(resident) {}

  /// A camera inside the scene, with this field of view. Absent if the scene is not an interior, or
  /// if the camera `outside` shows its inside, for example through an open side of a room.
  std::optional<Camera> camera(const Camera& outside, double aspect, double fov);

 private:
  const std::vector<dvec3>& places();
  const std::vector<Camera>& finalists();

  const PreparedScene& scene_;
  ResidentScene& resident_;
  // These members are computed when they are first needed.
  std::optional<std::vector<dvec3>> places_;
  std::optional<std::vector<Camera>> finalists_;  // the best views
};

// Decides whether a view shows the inside of something, and with that, whether a scene is a room
// that only lamps should light.

/// A view shows an inside if its points get less than this fraction of the light of a uniform sky.
inline constexpr double kLeastSky = 1.0 / 3.0;

/// For the points that `camera` sees: the fraction of uniform light from all sides that comes from
/// the sky. Light passes through glass. 1 if the camera sees nothing. The rays are always the same,
/// so the result depends only on the scene and the camera.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, const Camera& camera);

/// As above, for the points that the rays of `seen` have hit, with `rays_each` rays from each
/// point.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, PreviewHits seen,
                    u32 rays_each);

/// True if the scene is a room with lamps. It is tested with the camera of `framing`, for every
/// camera of the picture. The scene is a room if less than a third of uniform light on the visible
/// points would come from the sky. The rays are always the same and are cast on the CPU, so the
/// result does not depend on the picture or the device.
bool is_lamplit_room(Framing& framing);

/// True if the result of is_lamplit_room is needed: the scene has lamps, and sun and sky are not
/// both given.
bool may_be_lamplit(const SceneData& scene);

/// Switches off sun and sky of a frame, unless they are given.
void put_out_daylight(const SceneData& scene, FrameSettings& frame);

}  // namespace ballotcast::detail
