// The parts of a camera that are a single number. They are not in camera_view.hpp, which kernels
// include, because nvcc adds parentheses to declarations of pointers to members, about which g++
// warns.
#pragma once

#include <optional>

#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// A part of a camera that is a single number: its key in JSON, and its members.
struct CameraNumber {
  const char* key;
  double Camera::*value;
  std::optional<double> CameraSettings::*setting;
};
/// All such parts. Scene files, suites and reports iterate over this list.
inline constexpr CameraNumber kCameraNumbers[] = {
    {"fov", &Camera::fov, &CameraSettings::fov},
    {"lens", &Camera::lens, &CameraSettings::lens},
    {"focus", &Camera::focus, &CameraSettings::focus},
    {"ortho_height", &Camera::ortho_height, &CameraSettings::ortho_height},
    {"pixel_aspect", &Camera::pixel_aspect, &CameraSettings::pixel_aspect},
    {"shift_x", &Camera::shift_x, &CameraSettings::shift_x},
    {"shift_y", &Camera::shift_y, &CameraSettings::shift_y}};

}  // namespace ballotcast::detail
