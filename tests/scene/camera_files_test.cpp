// Tests files with several cameras: transforms.json and COLMAP's text files.
#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/camera.hpp"
#include "ballotcast/error.hpp"
#include "scene/camera/camera_view.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace camera_files_test {

struct CameraFiles : ::testing::Test {
  std::vector<FileCamera> transforms(const std::string& json) {
    return read_cameras(dir.write("transforms.json", json), 0, 0);
  }
  std::string refusal(const std::string& json) {
    return message_of<InputError>([&] { transforms(json); });
  }
  std::vector<FileCamera> colmap(const std::string& cameras, const std::string& images) {
    dir.write("sparse/0/cameras.txt", cameras);
    dir.write("sparse/0/images.txt", images);
    return read_cameras(dir / ".");
  }
  std::string colmap_refusal(const std::string& cameras, const std::string& images) {
    return message_of<InputError>([&] { colmap(cameras, images); });
  }

  TempDir dir;
};

/// The direction through the place (x, y) of a camera's picture, where integers are centres of
/// pixels.
dvec3 direction_of(const FileCamera& camera, double x, double y) {
  Camera whole;
  override_with(whole, camera.settings());
  const u32 width = camera.intrinsics.width, height = camera.intrinsics.height;
  const PreciseRays rays = precise_rays(whole, width, height);
  return rays.directions[static_cast<std::size_t>(y * width + x)];
}

void expect_along(dvec3 a, dvec3 b) {
  const dvec3 off = cross(a, b) / std::sqrt(dot(a, a) * dot(b, b));
  EXPECT_GT(dot(a, b), 0.0);
  EXPECT_LT(std::sqrt(dot(off, off)), 1e-9);
}

const std::string kStill = R"("transform_matrix": [[1,0,0,5],[0,1,0,6],[0,0,1,7],[0,0,0,1]])";

TEST_F(CameraFiles, transforms_state_lenses_for_all_frames_or_for_one) {
  const auto cameras = transforms(
      R"({"fl_x": 50, "fl_y": 40, "cx": 30.5, "cy": 20.5, "w": 64.0, "h": 48, "k1": 0.1, "p2": 0.01,
          "camera_model": "OPENCV", "aabb_scale": 16, "frames": [
          {"file_path": "./images/a.png", "sharpness": 3, )" +
      kStill + R"(}, {"file_path": "images/left/b.1.JPG", "fl_x": 60, "w": 32, )" + kStill + "}]}");
  ASSERT_EQ(cameras.size(), 2u);
  EXPECT_EQ(cameras[0].image, "./images/a.png");
  EXPECT_EQ(cameras[0].name, "a");
  EXPECT_EQ(cameras[1].name, "left-b.1");
  EXPECT_EQ(cameras[0].intrinsics.fx, 50.0);
  EXPECT_EQ(cameras[0].intrinsics.cx, 30.0) << "they count from the corner of the first pixel";
  EXPECT_EQ(cameras[1].intrinsics.fx, 60.0);
  EXPECT_EQ(cameras[1].intrinsics.fy, 40.0);
  EXPECT_EQ(cameras[1].intrinsics.width, 32u);
  EXPECT_EQ(cameras[0].distortion, (std::vector<double>{0.1, 0, 0, 0.01, 0}));
  EXPECT_EQ(cameras[0].settings().eye, Vec3d(5, 6, 7));
  expect_along(direction_of(cameras[0], 30, 20), {0, 0, -1});
}

TEST_F(CameraFiles, transforms_may_state_an_angle_and_no_size) {
  const std::string json = R"({"camera_angle_x": 1.5707963267948966, "frames": [
      {"file_path": "./train/r_0", )" +
                           kStill + "}]}";
  const auto cameras = read_cameras(dir.write("transforms_train.json", json), 100, 80);
  EXPECT_NEAR(cameras[0].intrinsics.fx, 50.0, 1e-9);
  EXPECT_NEAR(cameras[0].intrinsics.fy, 50.0, 1e-9);
  EXPECT_EQ(cameras[0].intrinsics.cy, 39.5);
  EXPECT_EQ(cameras[0].name, "r_0");
  EXPECT_TRUE(contains(refusal(json), "no size of the pictures is given"));
}

TEST_F(CameraFiles, transforms_may_be_of_fisheyes_and_panoramas) {
  const std::string frames = R"("frames": [{"file_path": "a.png", )" + kStill + "}]}";
  const auto fisheye = transforms(
      R"({"camera_model": "OPENCV_FISHEYE", "fl_x": 20, "w": 64, "h": 48, "k3": 0.01, "k4": 0.02, )" +
      frames);
  EXPECT_EQ(fisheye[0].projection, "fisheye");
  EXPECT_EQ(fisheye[0].distortion, (std::vector<double>{0, 0, 0.01, 0.02}));
  const auto panorama =
      transforms(R"({"camera_model": "EQUIRECTANGULAR", "w": 64, "h": 32, )" + frames);
  EXPECT_EQ(panorama[0].settings().projection, Projection::panorama);
  EXPECT_TRUE(contains(refusal(R"({"camera_model": "FOV", "fl_x": 9, "w": 64, "h": 48, )" + frames),
                       "\"camera_model\" is 'FOV'; known: OPENCV"));
}

TEST_F(CameraFiles, transforms_that_are_wrong_name_the_key) {
  const std::string begin = R"({"fl_x": 50, "w": 64, "h": 48, "frames": [{"file_path": "a.png", )";
  const std::pair<std::string, const char*> wrong[] = {
      {R"({"fl_x": 50})", "needs the key \"frames\""},
      {R"({"fl_x": 50, "frames": []})", "no camera is in it"},
      {begin + R"("transform_matrix": [[2,0,0,0],[0,2,0,0],[0,0,2,0],[0,0,0,1]]}]})",
       "\"frames[0].transform_matrix\" is wrong: the pose is no rotation"},
      {begin + "\"x\": 1}]}", "needs the key \"transform_matrix\""},
      {R"({"fl_x": -1, "w": 64, "h": 48, "frames": [{"file_path": "a", )" + kStill + "}]}",
       "above 0"},
      {R"({"fl_x": 9, "w": 1e9, "h": 48, "frames": [{"file_path": "a", )" + kStill + "}]}",
       "\"w\" must be an integer from 1 to 1048576"},
      {R"({"fl_x": 9, "w": 64.5, "h": 48, "frames": [{"file_path": "a", )" + kStill + "}]}",
       "\"w\" must be"},
      {R"({"fl_x": 9, "k4": 1, "w": 64, "h": 48, "frames": [{"file_path": "a", )" + kStill + "}]}",
       "\"k4\" can't be drawn"},
      {R"({"fl_x": 1e-9, "w": 64, "h": 48, "frames": [{"file_path": "a", )" + kStill + "}]}",
       "camera 'a': camera: fov"}};
  for (const auto& [json, words] : wrong)
    EXPECT_TRUE(contains(refusal(json), words)) << refusal(json);
}

TEST_F(CameraFiles, colmap_leads_from_the_world_to_the_camera) {
  // The pose is a quarter turn about z and a translation: the camera's x axis is the world's y
  // axis.
  const auto cameras = colmap(
      "# cameras\n1 PINHOLE 64 48 50 40 32.5 24.5\n7 OPENCV 64 48 50 40 32 24 "
      "0.1 0.2 0.003 0.004\n",
      "# images\n1 0.70710678118654752 0 0 -0.70710678118654752 1 2 3 7 "
      "rig/left 1.png\n\n2 1 0 0 0 0 0 0 1 rig/b.png\n1 2 -1 4 5 6\n");
  ASSERT_EQ(cameras.size(), 2u);
  EXPECT_EQ(cameras[0].name, "left 1");
  EXPECT_EQ(cameras[0].distortion, (std::vector<double>{0.1, 0.2, 0.003, 0.004}));
  EXPECT_EQ(cameras[1].intrinsics.cx, 32.0);
  const Vec3d eye = *cameras[0].settings().eye;
  EXPECT_NEAR(eye.x, 2.0, 1e-12);
  EXPECT_NEAR(eye.y, -1.0, 1e-12);
  EXPECT_NEAR(eye.z, -3.0, 1e-12);
  expect_along(direction_of(cameras[1], 32, 24), {0, 0, 1});
  expect_along(direction_of(cameras[1], 42, 24), {0.2, 0, 1});
}

TEST_F(CameraFiles, colmap_has_these_models_of_lenses) {
  const std::string image = "1 1 0 0 0 0 0 0 1 a.png\n";
  const auto lens = [&](const std::string& model) { return colmap("1 " + model + "\n", image)[0]; };
  EXPECT_EQ(lens("SIMPLE_PINHOLE 64 48 50 32 24").intrinsics.fy, 50.0);
  EXPECT_EQ(lens("SIMPLE_RADIAL 64 48 50 32 24 0.1").distortion, (std::vector<double>{0.1}));
  EXPECT_EQ(lens("RADIAL 64 48 50 32 24 0.1 0.2").distortion, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(lens("FULL_OPENCV 64 48 50 50 32 24 1 2 3 4 5 6 7 8").distortion.size(), 8u);
  EXPECT_EQ(lens("OPENCV_FISHEYE 64 48 50 50 32 24 0.1 0.2 0.3 0.4").projection, "fisheye");
  EXPECT_EQ(lens("RADIAL_FISHEYE 64 48 50 32 24 0.1 0.2").intrinsics.cy, 23.5);
}

TEST_F(CameraFiles, colmap_that_is_wrong_names_the_line) {
  const std::string lens = "1 PINHOLE 64 48 50 40 32 24\n", image = "1 1 0 0 0 0 0 0 1 a.png\n";
  const std::tuple<std::string, std::string, const char*> wrong[] = {
      {"\n1 THIN_PRISM_FISHEYE 64 48\n", image, "cameras.txt: line 2: camera model 'THIN_PRISM_F"},
      {"1 PINHOLE 64 48 50 40 32\n", image, "line 1: the principal point is missing"},
      {"1 PINHOLE 64 48 50 40 32 24 9\n", image, "more numbers than PINHOLE has"},
      {"1 PINHOLE 4000000000 48 50 40 32 24\n", image, "the width must be an integer from 1"},
      {"1 PINHOLE 64 48 nan 40 32 24\n", image, "the focal length must be a number, not 'nan'"},
      {"1 PINHOLE 64 48 0 40 32 24\n", image, "focal lengths must be above 0"},
      {lens + lens, image, "line 2: a second camera 1"},
      {lens, "1 0 0 0 0 0 0 0 1 a.png\n", "images.txt: line 1: the quaternion is no rotation"},
      {lens, "1 1 0 0 0 0 0 0 2 a.png\n", "camera 2 is not in"},
      {lens, "1 1 0 0 0 0 0 0 1\n", "the name of the image is missing"},
      {lens, image + image, "line 2: after an image comes the line of its points"},
      {lens, "# nothing\n", "no camera is in it"}};
  for (const auto& [cameras, images, words] : wrong)
    EXPECT_TRUE(contains(colmap_refusal(cameras, images), words))
        << colmap_refusal(cameras, images) << "\n"
        << words;
}

TEST_F(CameraFiles, folders_and_files_that_have_none_say_what_is_missing) {
  const auto refusal_of = [](const std::string& path) {
    return message_of<InputError>([&] { read_cameras(path); });
  };
  EXPECT_TRUE(contains(refusal_of(dir / "."), "neither transforms.json nor COLMAP's"));
  dir.write("sparse/0/cameras.bin", "");
  EXPECT_TRUE(contains(refusal_of(dir / "."), "model_converter"));
  dir.write("cameras.txt", "");
  dir.write("images.txt", "");
  dir.write("transforms.json", "{}");
  EXPECT_TRUE(contains(refusal_of(dir / "."), "has both"));
  EXPECT_TRUE(contains(refusal_of(dir.write("a.obj", "")), "no file of cameras"));
  EXPECT_TRUE(contains(refusal_of(dir / "images.json"), "images.json"));
}

}  // namespace camera_files_test
}  // namespace ballotcast::detail
