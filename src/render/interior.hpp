// Whether a view shows the inside of something.
#pragma once

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "render/framing.hpp"
#include "scene/camera.hpp"

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

}  // namespace ballotcast::detail
