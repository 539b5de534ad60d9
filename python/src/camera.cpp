#include "camera.hpp"

#include "math/trig.hpp"
#include "scene.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// The parts of a camera that callers can give in several forms. set_intrinsics, set_pose and
/// set_projection take them.
struct Forms {
  Quadruple intrinsics;                     // instead of fov
  std::optional<std::vector<double>> pose;  // instead of eye, look_at and up
  std::string convention, pose_is;
  std::string projection;  // "": not given
  std::vector<double> distortion;
};

CameraOfSize camera_of(const Triple& eye, const Triple& look_at, const Triple& up,
                       std::optional<double> fov, std::optional<double> lens,
                       std::optional<double> focus, std::optional<double> ortho_height,
                       const Forms& forms, std::uint32_t width, std::uint32_t height) {
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
  if (!forms.projection.empty() || !forms.distortion.empty())
    set_projection(settings, forms.projection, forms.distortion);
  if (forms.intrinsics) {
    const auto [fx, fy, cx, cy] = *forms.intrinsics;
    set_intrinsics(settings, {fx, fy, cx, cy, width, height});
  }
  if (forms.pose) set_pose(settings, *forms.pose, forms.convention, forms.pose_is);
  return camera;
}

/// Returns the origins and directions of the rays through the centres of pixels. Absent settings
/// have the defaults of Camera.
nb::tuple rays(const CameraOfSize& of) {
  Camera camera;
  detail::override_with(camera, of.settings);
  detail::PreciseRays all;
  without_gil([&] { all = detail::precise_rays(camera, of.width, of.height); });
  return nb::make_tuple(owned_array<double>(std::move(all.origins), 3),
                        owned_array<double>(std::move(all.directions), 3));
}

/// Returns the cameras of a file. For each: image, name, width, height, (fx, fy, cx, cy),
/// projection, distortion and pose.
nb::list read(const std::string& path, std::uint32_t width, std::uint32_t height) {
  nb::list all;
  for (const FileCamera& camera : read_cameras(path, width, height)) {
    const Intrinsics& m = camera.intrinsics;
    all.append(nb::make_tuple(camera.image, camera.name, m.width, m.height,
                              nb::make_tuple(m.fx, m.fy, m.cx, m.cy), camera.projection,
                              camera.distortion,
                              std::vector<double>(camera.pose.begin(), camera.pose.end())));
  }
  return all;
}

std::tuple<double, double, double> triple(const detail::dvec3& v) { return {v.x, v.y, v.z}; }

/// Returns unit directions from angles in degrees: x ahead, y to the left, z up.
nb::ndarray<nb::numpy, double> directions(const Numbers<const double>& elevations,
                                          const Numbers<const double>& azimuths) {
  std::vector<detail::dvec3> all;
  all.reserve(elevations.shape(0));
  for (std::size_t i = 0; i < elevations.shape(0); ++i) {
    const detail::SinCos up = detail::sincos_degrees(elevations.data()[i]);
    const detail::SinCos around = detail::sincos_degrees(azimuths.data()[i]);
    all.emplace_back(up.cos * around.cos, up.cos * around.sin, up.sin);
  }
  return owned_array<double>(std::move(all), 3);
}

/// Converts a pose to world coordinates. Returns the directions ahead, to the left and up, and the
/// position.
nb::tuple axes_of_pose(const std::vector<double>& pose, const std::string& convention) {
  CameraSettings settings;
  set_pose(settings, pose, convention);
  const detail::dvec3 at(*settings.eye), ahead = detail::dvec3(*settings.look_at) - at;
  const detail::dvec3 up(*settings.up);
  return nb::make_tuple(triple(ahead), triple(detail::cross(up, ahead)), triple(up), triple(at));
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
             const std::string& pose_is, const std::string& projection,
             const std::vector<double>& distortion, std::uint32_t width, std::uint32_t height) {
            new (self) CameraOfSize(camera_of(
                eye, look_at, up, fov, lens, focus, ortho_height,
                {intrinsics, pose, convention, pose_is, projection, distortion}, width, height));
          },
          "eye"_a.none(), "look_at"_a.none(), "up"_a.none(), "fov"_a.none(), "lens"_a.none(),
          "focus"_a.none(), "ortho_height"_a.none(), "intrinsics"_a.none(), "pose"_a.none(),
          "convention"_a, "pose_is"_a, "projection"_a, "distortion"_a, "width"_a, "height"_a)
      .def("rays", &rays);
  module.def("directions", &directions, "elevations"_a, "azimuths"_a);
  module.def("axes_of_pose", &axes_of_pose, "pose"_a, "convention"_a);
  module.def("read_cameras", &read, "path"_a, "width"_a, "height"_a);
}

}  // namespace ballotcast::python
