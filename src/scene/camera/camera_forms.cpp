// Cameras in the forms of other programs: a camera matrix, and a pose.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "ballotcast/error.hpp"
#include "ballotcast/tables.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"
#include "scene/camera/camera_view.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

/// A row of the table of conventions. For each of the directions right, up and ahead, it has the
/// axis of the camera in this direction (0, 1, 2 for x, y, z) and the sign of this axis.
struct PoseConvention {
  std::string_view name;
  std::string_view summary;
  struct Axis {
    int index;
    double sign;
  } right, up, ahead;
};

/// The conventions. "ros" has the axes of a body in ROS (REP 103, "Standard Units of Measure and
/// Coordinate Conventions"). The optical frames of REP 103 have the axes of "opencv".
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

/// A row of the table of projections. Rows are in the order of the enumeration.
struct ProjectionInfo {
  std::string name;
  std::string_view summary;
  std::size_t coefficients;  // largest number of distortion coefficients
};

const std::array<ProjectionInfo, 3>& projection_table() {
  static const std::array<ProjectionInfo, 3> table = {
      {{"perspective", "straight lines stay straight, unless a distortion bends them", 8},
       {"fisheye", "the distance from the middle is the angle to the line of sight", 4},
       {"panorama", "all around: 360 degrees wide, 180 high (equirectangular)", 0}}};
  return table;
}

constexpr std::array<std::string_view, 2> kPoseDirections = {"camera-to-world", "world-to-camera"};

const PoseConvention& convention_called(const std::string& name) {
  const auto found = std::find_if(kConventions.begin(), kConventions.end(),
                                  [&](const PoseConvention& row) { return row.name == name; });
  if (found == kConventions.end()) throw_unknown("convention", name, names_of(kConventions));
  return *found;
}

/// Throws UsageError unless the axes are orthogonal unit vectors and right-handed.
void require_rotation(const dvec3 (&axes)[3]) {
  constexpr double kRounding = 1e-3;  // the tolerance is large, because files have few digits
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

namespace ballotcast::detail {

const std::string& name_of(Projection projection) {
  const auto index = static_cast<std::size_t>(projection);
  if (index >= projection_table().size()) throw UsageError("camera: unknown projection");
  return projection_table()[index].name;
}

Intrinsics intrinsics_of(const Camera& camera, u32 width, u32 height) {
  Intrinsics m{0.0, 0.0, 0.0, 0.0, width, height};
  const double half = height / 2.0;
  const SinCos edge = sincos_degrees(camera.fov / 2.0);
  m.fy = camera.projection == Projection::fisheye ? height / (camera.fov * (kPi / 180.0))
                                                  : half * edge.cos / edge.sin;
  m.fx = m.fy / camera.pixel_aspect;
  m.cx = camera.shift_x * height + width / 2.0 - 0.5;
  m.cy = camera.shift_y * height + half - 0.5;
  return m;
}

std::vector<double> pose_of(const Camera& camera) {
  const PicturePlane plane = picture_plane(camera, 1, 1);
  std::vector<double> rows;
  for (int i = 0; i < 3; ++i)
    rows.insert(rows.end(), {plane.right[i], -plane.up[i], plane.ahead[i], dvec3(camera.eye)[i]});
  return rows;
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::vector<Choice> projections() { return choices_of(projection_table()); }

void set_projection(CameraSettings& camera, const std::string& projection,
                    Span<const double> distortion) {
  Projection wanted = camera.projection.value_or(Projection::perspective);
  const auto& table = projection_table();
  if (!projection.empty()) {
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const ProjectionInfo& r) { return r.name == projection; });
    if (row == table.end()) throw_unknown("projection", projection, names_of(table));
    wanted = static_cast<Projection>(row - table.begin());
  }
  const ProjectionInfo& row = table[static_cast<std::size_t>(wanted)];
  Distortion all{};
  for (std::size_t i = 0; i < distortion.size(); ++i) {
    if (!std::isfinite(distortion[i]))
      throw UsageError("a coefficient of distortion is not finite");
    if (i < row.coefficients)
      all[i] = distortion[i];
    else if (distortion[i] != 0.0 && row.coefficients == 0)
      throw UsageError("a " + row.name + " has no distortion");
    // OpenCV's lists may continue with coefficients of a thin prism and a tilt
    else if (distortion[i] != 0.0)
      throw UsageError("distortion of a " + row.name + ": at most " +
                       std::to_string(row.coefficients) + " coefficients can be drawn, not " +
                       std::to_string(distortion.size()));
  }
  camera.projection = wanted;
  camera.distortion = all;
}

std::vector<Choice> pose_conventions() { return choices_of(kConventions); }

void set_intrinsics(CameraSettings& camera, const Intrinsics& m) {
  if (m.width == 0 || m.height == 0)
    throw UsageError("intrinsics: the picture that they belong to has no size");
  for (const double f : {m.fx, m.fy})
    if (!(f > 0.0 && std::isfinite(f)))
      throw UsageError("intrinsics: fx and fy must be numbers above 0");
  for (const double c : {m.cx, m.cy})
    if (!std::isfinite(c)) throw UsageError("intrinsics: cx and cy must be finite");
  // With many pixels, such numbers in pixels would be an extremely wide perspective. So they are
  // probably fractions of the picture's size.
  if (std::max(m.fx, m.fy) <= 2.0 && std::max(std::abs(m.cx), std::abs(m.cy)) <= 1.0 &&
      std::min(m.width, m.height) >= 32)
    throw UsageError(
        "intrinsics: these are parts of a picture's size, and must be in pixels: multiply fx and "
        "cx by its width, fy and cy by its height");
  if (!camera.projection) set_projection(camera, "");
  if (camera.projection == Projection::panorama)
    throw UsageError("intrinsics: a panorama has none");
  const double width = m.width, height = m.height;
  camera.fov = camera.projection == Projection::fisheye ? height / m.fy * (180.0 / kPi)
                                                        : 720.0 * turns_of(m.fy, height / 2.0);
  camera.pixel_aspect = m.fy / m.fx;
  camera.shift_x = (m.cx + 0.5 - width / 2.0) / height;
  camera.shift_y = (m.cy + 0.5 - height / 2.0) / height;
  camera.ortho_height = 0.0;
}

void set_pose(CameraSettings& camera, Span<const double> pose, const std::string& convention,
              const std::string& direction) {
  const PoseConvention& row = convention_called(convention);
  require_known("direction of a pose", {direction}, {kPoseDirections[0], kPoseDirections[1]});
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
  if (direction == kPoseDirections[1]) {  // inverts the matrix: its rows are the axes of the camera
    const dvec3 to_camera = columns[3];
    dvec3 rows[3];
    for (int i = 0; i < 3; ++i) rows[i] = {columns[0][i], columns[1][i], columns[2][i]};
    std::copy(rows, rows + 3, columns);
    columns[3] = -(rows[0] * to_camera.x + rows[1] * to_camera.y + rows[2] * to_camera.z);
  }
  const auto towards = [&](const PoseConvention::Axis& axis) {
    return columns[axis.index] * axis.sign;
  };
  camera.eye = Vec3d(columns[3]);
  camera.look_at = Vec3d(columns[3] + towards(row.ahead));
  camera.up = Vec3d(towards(row.up));
}

}  // namespace ballotcast
