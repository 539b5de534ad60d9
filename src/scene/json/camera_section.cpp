// Parses cameras of scene files.
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "scene/camera/camera_numbers.hpp"
#include "scene/json/scene_file.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {
namespace {

/// Computes eye, look_at and up from a pose. These keys must not be given together with a pose.
void read_pose(const Section& in, CameraSettings& camera) {
  for (const char* other : {"eye", "look_at", "up"})
    if (in.has(other)) in.fail(other, "and \"pose\" exclude each other");
  const std::vector<double> pose = in.matrix("pose");
  try {
    set_pose(camera, pose, in.has("convention") ? in.text("convention") : "opencv",
             in.has("pose_is") ? in.text("pose_is") : "camera-to-world");
  } catch (const UsageError& error) {
    in.fail("pose", std::string("is wrong: ") + error.what());
  }
}

/// Parses a camera matrix. A field of view must not be given together with it.
void read_intrinsics(const Section& in, CameraSettings& camera) {
  for (const char* other : {"fov", "ortho_height", "pixel_aspect", "shift_x", "shift_y"})
    if (in.has(other)) in.fail(other, "and \"intrinsics\" exclude each other");
  const Section matrix = in.object("intrinsics", {"fx", "fy", "cx", "cy", "width", "height"});
  constexpr u32 kMost = 1u << 20;
  try {
    set_intrinsics(
        camera, {matrix.number("fx"), matrix.number("fy"), matrix.number("cx"), matrix.number("cy"),
                 matrix.count("width", 1, kMost), matrix.count("height", 1, kMost)});
  } catch (const UsageError& error) {
    in.fail("intrinsics", std::string("is wrong: ") + error.what());
  }
}

/// Reads projection and distortion.
void read_projection(const Section& in, CameraSettings& camera) {
  const std::string name = in.has("projection") ? in.text("projection") : "perspective";
  std::vector<double> distortion;
  if (in.has("distortion")) distortion = in.matrix("distortion");
  try {
    set_projection(camera, name, distortion);
  } catch (const UsageError& error) {
    in.fail(in.has("distortion") ? "distortion" : "projection",
            std::string("is wrong: ") + error.what());
  }
  if (camera.projection == Projection::fisheye) camera.fov = kFisheyeFov;
}

}  // namespace

Camera read_camera(const Section& in, dvec3 scene_up) {
  CameraSettings settings = Camera{};
  read_projection(in, settings);
  if (in.has("intrinsics")) read_intrinsics(in, settings);
  if (in.has("pose")) {
    read_pose(in, settings);
  } else {
    for (const char* of_pose : {"convention", "pose_is"})
      if (in.has(of_pose)) in.fail(of_pose, "is that of a \"pose\", which is missing");
    settings.eye = in.vector("eye");
    settings.look_at = in.vector("look_at");
    settings.up = in.has("up") ? in.direction("up")
                               : up_for(dvec3(*settings.look_at) - dvec3(*settings.eye), scene_up);
  }
  Camera camera = complete(settings);
  for (const CameraNumber& number : kCameraNumbers)
    if (in.has(number.key)) camera.*number.value = in.number(number.key);
  try {
    require_fov(camera.fov, camera.projection);
  } catch (const UsageError& error) {
    in.fail("fov", std::string("is wrong: ") + error.what());
  }
  if (dvec3(camera.eye) == dvec3(camera.look_at))
    in.fail("look_at", "must not be the same place as the eye");
  try {
    make_view(camera, dvec3(0.0), 16, 9);
  } catch (const UsageError& error) {
    in.fail(error.what());
  }
  return camera;
}

}  // namespace ballotcast::detail
