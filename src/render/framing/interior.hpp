// Whether a view shows the inside of something; and so, whether a scene is a room, in which lamps
// shine alone.
#pragma once

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "render/framing/framing.hpp"
#include "scene/camera/camera.hpp"
#include "scene/light/light.hpp"

namespace ballotcast::detail {

/// A view whose points get less than this share of even light from the sky shows the inside of
/// something.
inline constexpr double kLeastSky = 1.0 / 3.0;

/// The share of even light from all around that comes from the sky, on the points that `camera`
/// sees; light passes glass. 1 if it sees nothing. Rays are always the same ones, so it depends on
/// the scene alone.
double share_of_sky(const PreparedScene& scene, ResidentScene& resident, const Camera& camera);

/// The same for the points that these rays have hit, with so many rays from each.
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
