// A light at the camera, for places that no other light reaches.
#pragma once

#include "kernels/shadings/paths/reflection.hpp"
#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Adds the light of the camera's own lamp at the surface that the sample shows. The lamp is at the
/// eye, so it throws no visible shadow and needs no ray. Its brightness does not depend on the
/// distance. A quarter of its light comes from all around, so that surfaces seen at grazing angles
/// are not black.
BC_HD inline void add_camera_light(PathVertex& p, const Reflector& reflector, vec3 to_eye) {
  const float cosine = max_of(dot(reflector.normal, to_eye), 0.0f);
  p.add(LightKind::sharp,
        p.throughput * reflector.albedo(to_eye) * (p.view.camera_light * (0.25f + 0.75f * cosine)));
}

}  // namespace ballotcast::detail
