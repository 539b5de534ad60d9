// A camera in the form in which Python passes it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <vector>

#include "ballotcast/ballotcast.hpp"

namespace ballotcast::python {

using Triple = std::optional<std::tuple<double, double, double>>;
using Quadruple = std::optional<std::tuple<double, double, double, double>>;

/// A camera for a picture of width x height pixels.
struct CameraOfSize {
  CameraSettings settings;
  std::uint32_t width, height;
};

/// Adds the class Camera to the module.
void bind_cameras(nanobind::module_& module);

}  // namespace ballotcast::python
