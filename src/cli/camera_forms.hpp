// Options that state a camera as other programs do: by matrices, a projection, a distortion.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/camera.hpp"
#include "cli/options.hpp"

namespace ballotcast::detail {

/// The values of the options. Empty lists are not stated.
struct CameraForms {
  std::vector<double> intrinsics;  // fx, fy, cx, cy
  std::vector<double> pose;        // 12 or 16 numbers, row by row
  std::string convention;          // "": opencv
  std::string pose_is;             // "": camera-to-world
  std::string projection;          // "": perspective, or that of the scene
  std::vector<double> distortion;

  /// `camera` with what is stated here, for a picture of this size. Throws UsageError if both state
  /// the same, or if a matrix is none of a camera.
  CameraSettings over(CameraSettings camera, u32 width, u32 height) const;
};

/// The options as rows of the option table. They fill `forms`, which must outlive them.
std::vector<Option> camera_form_options(CameraForms& forms, const std::string& group);

}  // namespace ballotcast::detail
