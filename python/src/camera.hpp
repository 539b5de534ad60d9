// The parts of a camera that Python's callers state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "ballotcast/ballotcast.hpp"

namespace ballotcast::python {

using Triple = std::optional<std::tuple<double, double, double>>;

inline CameraSettings camera_of(const Triple& eye, const Triple& look_at, const Triple& up,
                                std::optional<double> fov, std::optional<double> lens,
                                std::optional<double> focus, std::optional<double> ortho_height) {
  const auto vector = [](const Triple& from) -> std::optional<Vec3d> {
    if (!from) return std::nullopt;
    return Vec3d(std::get<0>(*from), std::get<1>(*from), std::get<2>(*from));
  };
  CameraSettings camera;
  camera.eye = vector(eye);
  camera.look_at = vector(look_at);
  camera.up = vector(up);
  camera.fov = fov;
  camera.lens = lens;
  camera.focus = focus;
  camera.ortho_height = ortho_height;
  return camera;
}

}  // namespace ballotcast::python
