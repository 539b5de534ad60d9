#include "camera.hpp"

#include "scene/camera.hpp"

namespace ballotcast::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// `pose`, in a convention, is in place of eye, look_at and up; `intrinsics` in place of fov.
CameraOfSize camera_of(const Triple& eye, const Triple& look_at, const Triple& up,
                       std::optional<double> fov, std::optional<double> lens,
                       std::optional<double> focus, std::optional<double> ortho_height,
                       const Quadruple& intrinsics, const std::optional<std::vector<double>>& pose,
                       const std::string& convention, std::uint32_t width, std::uint32_t height) {
  const auto vector = [](const Triple& from) -> std::optional<Vec3d> {
    if (!from) return std::nullopt;
    return Vec3d(std::get<0>(*from), std::get<1>(*from), std::get<2>(*from));
  };
  CameraOfSize camera{{}, width, height};
  CameraSettings& settings = camera.settings;
  settings.eye = vector(eye);
  settings.look_at = vector(look_at);
  settings.up = vector(up);
  settings.fov = fov;
  settings.lens = lens;
  settings.focus = focus;
  settings.ortho_height = ortho_height;
  if (intrinsics) {
    const auto [fx, fy, cx, cy] = *intrinsics;
    set_intrinsics(settings, {fx, fy, cx, cy, width, height});
  }
  if (pose) set_pose(settings, *pose, convention);
  return camera;
}

std::tuple<double, double, double> triple(const detail::dvec3& v) { return {v.x, v.y, v.z}; }

/// The eye; and relative to it the picture's corner, a pixel's step to the right and one down, and
/// the direction ahead. What is not stated has the default of Camera.
nb::tuple plane(const CameraOfSize& of) {
  Camera camera;
  const CameraSettings& s = of.settings;
  const auto take = [](auto& to, const auto& from) {
    if (from) to = *from;
  };
  take(camera.eye, s.eye);
  take(camera.look_at, s.look_at);
  take(camera.up, s.up);
  take(camera.fov, s.fov);
  take(camera.ortho_height, s.ortho_height);
  take(camera.pixel_aspect, s.pixel_aspect);
  take(camera.shift_x, s.shift_x);
  take(camera.shift_y, s.shift_y);
  const detail::PicturePlane p = detail::picture_plane(camera, of.width, of.height);
  return nb::make_tuple(triple(detail::dvec3(camera.eye)), triple(p.corner), triple(p.step_x),
                        triple(p.step_y), triple(p.ahead));
}

}  // namespace

void bind_cameras(nb::module_& module) {
  nb::class_<CameraOfSize>(module, "Camera")
      .def(
          "__init__",
          [](CameraOfSize* self, const Triple& eye, const Triple& look_at, const Triple& up,
             std::optional<double> fov, std::optional<double> lens, std::optional<double> focus,
             std::optional<double> ortho_height, const Quadruple& intrinsics,
             const std::optional<std::vector<double>>& pose, const std::string& convention,
             std::uint32_t width, std::uint32_t height) {
            new (self) CameraOfSize(camera_of(eye, look_at, up, fov, lens, focus, ortho_height,
                                              intrinsics, pose, convention, width, height));
          },
          "eye"_a.none(), "look_at"_a.none(), "up"_a.none(), "fov"_a.none(), "lens"_a.none(),
          "focus"_a.none(), "ortho_height"_a.none(), "intrinsics"_a.none(), "pose"_a.none(),
          "convention"_a, "width"_a, "height"_a)
      .def("plane", &plane);
}

}  // namespace ballotcast::python
