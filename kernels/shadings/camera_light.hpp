// A light at the camera, for places that no other light reaches.
#pragma once

#include "kernels/shadings/paths/reflection.hpp"
#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Adds the light of the camera's own lamp at the surface that the sample shows. The lamp is where
/// the eye is, so it throws no shadow that the eye could see, and needs no ray. It is as bright far
/// away as near by. A quarter of it comes from all around, so that surfaces seen at grazing
/// angles are not black.
BC_HD inline void add_camera_light(PathVertex& p, const Reflector& reflector, vec3 to_eye) {
  const float cosine = max_of(dot(reflector.normal, to_eye), 0.0f);
  p.add(LightKind::sharp,
        p.throughput * reflector.albedo(to_eye) * (p.view.camera_light * (0.25f + 0.75f * cosine)));
}

}  // namespace ballotcast::detail
