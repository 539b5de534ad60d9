// Tests cameras that are given as camera matrices and poses: the pixel that shows a point.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "ballotcast/tables.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/json/scene_file.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace camera_forms_test {

struct Pixel {
  double x, y;
};

/// The place of a picture where a point of the world is seen, computed from the picture's rays.
/// Integer coordinates are centres of pixels.
Pixel seen_at(const CameraSettings& given, dvec3 point, u32 width, u32 height) {
  CameraSettings all = Camera{};
  all.eye = given.eye ? given.eye : all.eye;
  all.look_at = given.look_at ? given.look_at : all.look_at;
  all.up = given.up ? given.up : all.up;
  all.fov = given.fov;
  all.pixel_aspect = given.pixel_aspect;
  all.shift_x = given.shift_x;
  all.shift_y = given.shift_y;
  const PicturePlane p = picture_plane(complete(all), width, height);
  const dvec3 to = point - dvec3(*all.eye);
  // The component of corner + x step_x + y step_y along the line of sight is 1, as for `to /
  // depth`.
  const dvec3 on = to / dot(to, p.ahead) - p.corner;
  return {dot(on, p.step_x) / dot(p.step_x, p.step_x) - 0.5,
          dot(on, p.step_y) / dot(p.step_y, p.step_y) - 0.5};
}

constexpr double kIdentity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
constexpr double kTurned[] = {0.8, 0, 0.6, 5, 0, 1, 0, -2, -0.6, 0, 0.8, 3};

CameraSettings camera(const Intrinsics& matrix, Span<const double> pose,
                      const std::string& convention = "opencv") {
  CameraSettings settings;
  set_intrinsics(settings, matrix);
  set_pose(settings, pose, convention);
  return settings;
}

TEST(CameraForms, points_are_seen_where_the_camera_matrix_says) {
  const CameraSettings c = camera({500, 400, 100, 30, 320, 240}, kIdentity);
  const Pixel axis = seen_at(c, {0, 0, 5}, 320, 240), beside = seen_at(c, {1, 1, 5}, 320, 240);
  EXPECT_NEAR(axis.x, 100.0, 1e-5);
  EXPECT_NEAR(axis.y, 30.0, 1e-5);
  EXPECT_NEAR(beside.x, 200.0, 1e-5);
  EXPECT_NEAR(beside.y, 110.0, 1e-5);
}

TEST(CameraForms, projections_are_those_of_opencv) {
  // The expected pixels are from cv2.projectPoints of OpenCV 5.0, with the rotation vector (0.3,
  // -0.2, 0.5) and the translation (0.1, -0.4, 2). The pose is the inverse of this transform.
  const double pose[] = {0.8595338985586631,   0.4398676329582309,   0.2602267140480944,
                         -0.43045976476876274, -0.49799153700292204, 0.8353156052067087,
                         0.23292116428443652,  -0.08191693278589743, -0.11491695393636671,
                         -0.32979433769225514, 0.9370324372849179,   -1.994490914253101};
  const CameraSettings c = camera({612.5, 598.75, 331.25, 228.5, 640, 480}, pose);
  const std::pair<dvec3, Pixel> projected[] = {
      {{0.0, 0.0, 0.0}, {361.875, 108.75}},
      {{1.0, 0.5, 0.25}, {491.1951084679848, 314.5137726913482}},
      {{-0.75, 0.125, 1.5}, {183.91036991596258, 21.45948854957132}},
      {{0.3, -0.9, -0.4}, {680.6425824380831, -127.43497458772202}},
      {{5.0, -4.0, 20.0}, {449.95713176108023, -2.3143913363043964}}};
  for (const auto& [point, expected] : projected) {
    const Pixel at = seen_at(c, point, 640, 480);
    EXPECT_NEAR(at.x, expected.x, 1e-5);
    EXPECT_NEAR(at.y, expected.y, 1e-5);
  }
}

TEST(CameraForms, scene_files_state_them) {
  const TempDir dir;
  dir.write("a.obj", testing::kSquare + "f 1 2 3 4\n");
  const auto load = [&](const std::string& camera) {
    return load_scene_file(
        dir.write("a.json", R"({"meshes": ["a.obj"], "camera": {)" + camera + "}}"), {});
  };
  const std::string matrix =
      R"("intrinsics": {"fx": 500, "fy": 400, "cx": 100, "cy": 30, "width": 320, "height": 240})";
  const std::string pose = R"("pose": [[1, 0, 0, 7], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])";
  const Camera c = *load(matrix + ", " + pose).camera;
  const Pixel at = seen_at(CameraSettings(c), {8, -1, -5}, 320, 240);
  EXPECT_NEAR(at.x, 200.0, 1e-5);
  EXPECT_NEAR(at.y, 110.0, 1e-5);
  const Camera same =
      *load(matrix + ", " + R"("convention": "opengl", "pose": [1,0,0,7, 0,1,0,0, 0,0,1,0])")
           .camera;
  EXPECT_EQ(same.look_at, c.look_at);
  EXPECT_EQ(same.up, c.up);
  for (const std::string& wrong :
       {pose + R"(, "eye": [0, 0, 0])",
        matrix + R"(, "fov": 40, "eye": [0, 0, 1], "look_at": [0, 0, 0])",
        pose + R"(, "intrinsics": {"fx": 500, "fy": 400, "cx": 100, "cy": 30, "width": 320,)" +
            R"( "height": 240, "skew": 1})",
        std::string(R"("pose": [1, 2, 3])"), pose + R"(, "convention": "x")",
        std::string(R"("eye": [0, 0, 1], "look_at": [0, 0, 0], "convention": "ros")")})
    EXPECT_THROW(load(wrong), InputError) << wrong;
}

TEST(CameraForms, other_sizes_show_the_same_height) {
  const CameraSettings c = camera({500, 400, 100, 30, 320, 240}, kIdentity);
  const Pixel twice = seen_at(c, {1, 1, 5}, 640, 480);
  EXPECT_NEAR(twice.x, 2.0 * 200.5 - 0.5, 1e-5);
  EXPECT_NEAR(twice.y, 2.0 * 110.5 - 0.5, 1e-5);
  const Pixel wider = seen_at(c, {1, 1, 5}, 400, 240);
  EXPECT_NEAR(wider.x, 200.0 + 40.0, 1e-5) << "what is added is added on both sides";
  EXPECT_NEAR(wider.y, 110.0, 1e-5);
}

TEST(CameraForms, conventions_say_where_the_axes_of_the_camera_point) {
  // In each convention, the point is 1 to the right, 1 down and 5 ahead.
  const Intrinsics matrix{500, 400, 100, 30, 320, 240};
  const std::pair<const char*, dvec3> points[] = {
      {"opencv", {1, 1, 5}}, {"opengl", {1, -1, -5}}, {"ros", {5, -1, -1}}};
  for (const auto& [convention, point] : points) {
    const Pixel at = seen_at(camera(matrix, kIdentity, convention), point, 320, 240);
    EXPECT_NEAR(at.x, 200.0, 1e-5) << convention;
    EXPECT_NEAR(at.y, 110.0, 1e-5) << convention;
  }
  EXPECT_EQ(pose_conventions().size(), std::size(points));
}

TEST(CameraForms, of_a_camera_lead_back_to_it) {
  for (const char* projection : {"perspective", "fisheye"}) {
    CameraSettings given{Camera{}}, again{Camera{}};
    set_projection(given, projection);
    set_projection(again, projection);
    set_intrinsics(given, {500, 400, 100, 30, 320, 240});
    set_pose(given, kTurned);
    const Camera camera = complete(given);
    set_intrinsics(again, intrinsics_of(camera, 640, 480));
    const std::vector<double> pose = pose_of(camera);
    set_pose(again, {pose.data(), pose.size()});
    EXPECT_NEAR(*again.fov, camera.fov, 1e-12) << projection;
    EXPECT_NEAR(*again.pixel_aspect, camera.pixel_aspect, 1e-12);
    EXPECT_NEAR(*again.shift_x, camera.shift_x, 1e-14);
    EXPECT_NEAR(*again.shift_y, camera.shift_y, 1e-14);
    EXPECT_LT(glm::distance(dvec3(*again.look_at), dvec3(camera.look_at)), 1e-14);
    EXPECT_LT(glm::distance(dvec3(*again.up), dvec3(camera.up)), 1e-14);
  }
}

TEST(CameraForms, what_is_no_camera_is_refused) {
  CameraSettings c;
  EXPECT_THROW(set_intrinsics(c, {0, 400, 100, 30, 320, 240}), UsageError);
  EXPECT_THROW(set_intrinsics(c, {500, -400, 100, 30, 320, 240}), UsageError);
  EXPECT_THROW(set_intrinsics(c, {500, 400, 100, 30, 0, 240}), UsageError);
  EXPECT_THROW(set_intrinsics(c, {0.9, 1.2, 0.5, 0.5, 320, 240}), UsageError) << "not in pixels";
  EXPECT_NO_THROW(set_intrinsics(c, {0.9, 1.2, 0.5, 0.5, 2, 2}));
  EXPECT_THROW(set_intrinsics(c, {500, 400, 1e308 * 10, 30, 320, 240}), UsageError);
  const double scaled[] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0};
  const double mirror[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0};
  const double last_row[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1};
  EXPECT_THROW(set_pose(c, scaled), UsageError);
  EXPECT_THROW(set_pose(c, mirror), UsageError);
  EXPECT_THROW(set_pose(c, last_row), UsageError);
  EXPECT_THROW(set_pose(c, {kIdentity, 9}), UsageError);
  EXPECT_THROW(set_pose(c, kIdentity, "opencl"), UsageError);
  EXPECT_FALSE(c.eye);
}

}  // namespace camera_forms_test
}  // namespace ballotcast::detail
