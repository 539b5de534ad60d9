// Cameras with distortion or special projections, for tests that compare devices.
#pragma once

#include <vector>

#include "ballotcast/camera.hpp"

namespace ballotcast::detail::testing {

/// Variants of `camera`: a perspective with distortion, a fisheye with and without distortion, and
/// a panorama. Some pixels of the first have no rays.
inline std::vector<Camera> curvilinear_cameras(Camera camera) {
  camera.fov = 60.0;
  std::vector<Camera> all(4, camera);
  all[0].distortion = {-0.5, 0.05, 0.01, -0.02, 0.01, 0.1, 0.02, 0.01};
  all[1].distortion = {-0.1, 0.01, 0.002, 0.0005};
  all[1].projection = all[2].projection = Projection::fisheye;
  all[1].fov = all[2].fov = 200.0;
  all[3].projection = Projection::panorama;
  return all;
}

}  // namespace ballotcast::detail::testing
