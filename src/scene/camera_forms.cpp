// Cameras in the forms in which other programs state them: a camera matrix, a pose.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ballotcast/tables.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"
#include "scene/camera.hpp"
#include "support/error.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

/// A row of the table of conventions: for the directions right, up and ahead, the axis of the
/// camera that points there (0, 1, 2 for x, y, z), and whether it points the other way.
struct PoseConvention {
  std::string_view name;
  std::string_view summary;
  struct Axis {
    int index;
    double sign;
  } right, up, ahead;
};

/// ROS: the axes of a body, REP 103 "Standard Units of Measure and Coordinate Conventions". The
/// optical frames that it defines for cameras are those of OpenCV.
constexpr std::array<PoseConvention, 3> kConventions = {
    {{"opencv",
      "x to the right, y down, z ahead; also COLMAP, Open3D, ROS's optical frames",
      {0, 1.0},
      {1, -1.0},
      {2, 1.0}},
     {"opengl",
      "x to the right, y up, z back; also glTF, Blender, NeRF",
      {0, 1.0},
      {1, 1.0},
      {2, -1.0}},
     {"ros", "x ahead, y to the left, z up; the body of a robot", {1, -1.0}, {2, 1.0}, {0, 1.0}}}};

const PoseConvention& convention_called(const std::string& name) {
  const auto found = std::find_if(kConventions.begin(), kConventions.end(),
                                  [&](const PoseConvention& row) { return row.name == name; });
  if (found == kConventions.end()) throw_unknown("convention", name, names_of(kConventions));
  return *found;
}

/// Throws UsageError unless the axes are at right angles, of length 1 and right-handed.
void require_rotation(const dvec3 (&axes)[3]) {
  constexpr double kRounding = 1e-3;  // files have few digits
  bool good = true;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      good = good && std::abs(dot(axes[i], axes[k]) - (i == k ? 1.0 : 0.0)) <= kRounding;
  if (good && dot(cross(axes[0], axes[1]), axes[2]) > 0.0) return;
  throw UsageError(good
                       ? "the pose mirrors: the determinant of its rotation is -1, not 1; is it of "
                         "another convention?"
                       : "the pose is no rotation and translation: the first three columns must "
                         "have length 1 and be at right angles");
}

}  // namespace
}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::vector<Choice> pose_conventions() {
  std::vector<Choice> out;
  for (const PoseConvention& row : kConventions)
    out.push_back({std::string(row.name), std::string(row.summary)});
  return out;
}

void set_intrinsics(CameraSettings& camera, const Intrinsics& m) {
  if (m.width == 0 || m.height == 0)
    throw UsageError("intrinsics: the picture that they belong to has no size");
  for (const double f : {m.fx, m.fy})
    if (!(f > 0.0 && std::isfinite(f)))
      throw UsageError("intrinsics: fx and fy must be numbers above 0");
  for (const double c : {m.cx, m.cy})
    if (!std::isfinite(c)) throw UsageError("intrinsics: cx and cy must be finite");
  const double width = m.width, height = m.height;
  camera.fov = 720.0 * turns_of(m.fy, height / 2.0);
  camera.pixel_aspect = m.fy / m.fx;
  camera.shift_x = (m.cx + 0.5 - width / 2.0) / height;
  camera.shift_y = (m.cy + 0.5 - height / 2.0) / height;
  camera.ortho_height = 0.0;
}

void set_pose(CameraSettings& camera, Span<const double> pose, const std::string& convention) {
  const PoseConvention& row = convention_called(convention);
  if (pose.size() != 12 && pose.size() != 16)
    throw UsageError("a pose has 12 or 16 numbers, 3 or 4 rows of 4; this one has " +
                     std::to_string(pose.size()));
  for (const double number : pose)
    if (!std::isfinite(number)) throw UsageError("a number of the pose is not finite");
  if (pose.size() == 16 &&
      !(pose[12] == 0.0 && pose[13] == 0.0 && pose[14] == 0.0 && pose[15] == 1.0))
    throw UsageError("the last row of the pose must be 0 0 0 1");
  dvec3 columns[4];
  for (std::size_t k = 0; k < 4; ++k) columns[k] = {pose[k], pose[4 + k], pose[8 + k]};
  require_rotation({columns[0], columns[1], columns[2]});
  const auto towards = [&](const PoseConvention::Axis& axis) {
    return columns[axis.index] * axis.sign;
  };
  camera.eye = Vec3d(columns[3]);
  camera.look_at = Vec3d(columns[3] + towards(row.ahead));
  camera.up = Vec3d(towards(row.up));
}

}  // namespace ballotcast
