// Tests pictures with distortion, fisheyes and panoramas: the direction that each pixel shows.
#include "scene/camera/curvilinear_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/tables.hpp"
#include "helpers/meshes.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/json/scene_file.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace curvilinear_picture_test {

constexpr double kIdentity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// A camera at the origin that looks along z, with y down.
Camera camera_of(const std::string& projection, Span<const double> distortion,
                 const Intrinsics& matrix) {
  CameraSettings settings = Camera{};
  set_projection(settings, projection, distortion);
  set_intrinsics(settings, matrix);
  set_pose(settings, kIdentity);
  return complete(settings);
}

/// The direction through the place (x, y) of a picture, where integers are centres of pixels.
dvec3 direction_at(const Camera& camera, double x, double y, u32 width = 640, u32 height = 480) {
  dvec3 direction(0.0);
  const PicturePlane plane = picture_plane(camera, width, height);
  if (!direction_through(plane.curvilinear, x + 0.5, y + 0.5, direction)) return dvec3(NAN);
  return direction;
}

void expect_towards(dvec3 point, dvec3 direction) {
  const dvec3 off =
      cross(point, direction) / std::sqrt(dot(point, point) * dot(direction, direction));
  EXPECT_GT(dot(point, direction), 0.0);
  EXPECT_LT(std::sqrt(dot(off, off)), 1e-9) << point.x << " " << point.y << " " << point.z;
}

struct Seen {
  dvec3 point;
  double x, y;
};

TEST(CurvilinearPicture, pixels_show_the_points_that_opencv_draws_there) {
  // The expected pixels are from cv2.projectPoints and cv2.fisheye.projectPoints of OpenCV 5.0.
  const Intrinsics matrix{612.5, 598.75, 331.25, 228.5, 640, 480};
  const double five[] = {-0.21, 0.06, 0.0012, -0.0007, 0.01};
  for (const Seen& seen : {Seen{{0.2, -0.1, 1}, 452.397140625, 169.31169140625},
                           {{0.45, 0.3, 0.9}, 616.6921740504972, 414.883217803355},
                           {{-0.5, 0.35, 1.1}, 68.65359004115373, 408.32184336767733},
                           {{0.02, 0.4, 1}, 343.0494322302158, 460.65074073768926},
                           {{-0.3, -0.3, 0.8}, 113.95274713516233, 16.400805761337267}})
    expect_towards(seen.point,
                   direction_at(camera_of("perspective", five, matrix), seen.x, seen.y));
  const double eight[] = {0.4, -0.12, 0.0003, 0.0011, 0.02, 0.55, -0.06, 0.01};
  for (const Seen& seen : {Seen{{0.2, -0.1, 1}, 452.9182106980664, 169.0570051154349},
                           {{0.45, 0.3, 0.9}, 622.3258283619421, 418.1006220672082},
                           {{-0.5, 0.35, 1.1}, 65.60960587007628, 410.4711555851683},
                           {{0.02, 0.4, 1}, 343.32339666440146, 462.4631674315627},
                           {{-0.3, -0.3, 0.8}, 111.3213656399279, 13.37382031433765}})
    expect_towards(seen.point,
                   direction_at(camera_of("perspective", eight, matrix), seen.x, seen.y));
  const double fisheye[] = {0.03, -0.012, 0.004, -0.0006};
  const Intrinsics wide{212.5, 208.75, 331.25, 228.5, 640, 480};
  for (const Seen& seen : {Seen{{0.2, -0.1, 1}, 373.1217344574942, 207.93358925176022},
                           {{1.5, 0.3, 0.9}, 552.6442817649383, 271.9974647702879},
                           {{-3, 0.35, 1.1}, 66.11124368670153, 258.8869809931614},
                           {{0.02, 4, 1}, 332.7032549742159, 514.0218596400687},
                           {{-20, -3, 0.8}, -2.705357908816552, 179.29069579049496}})
    expect_towards(seen.point, direction_at(camera_of("fisheye", fisheye, wide), seen.x, seen.y));
}

TEST(CurvilinearPicture, random_lenses_draw_directions_back_to_their_pixels) {
  testing::Random random(3);
  u32 seen = 0;
  for (int lens = 0; lens < 200; ++lens) {
    double k[8];
    for (double& c : k) c = static_cast<double>(random.between(-0.3f, 0.3f));
    k[2] *= 0.02, k[3] *= 0.02;
    const Camera camera = camera_of("perspective", k, {400, 410, 320, 240, 640, 480});
    for (int i = 0; i < 20; ++i) {
      const double column = static_cast<double>(random.between(0.0f, 640.0f)),
                   row = static_cast<double>(random.between(0.0f, 480.0f));
      const dvec3 d = direction_at(camera, column, row);
      if (std::isnan(d.x)) continue;
      ++seen;
      const double x = d.x / d.z, y = d.y / d.z, s = x * x + y * y;
      const double radial =
          (1 + s * (k[0] + s * (k[1] + s * k[4]))) / (1 + s * (k[5] + s * (k[6] + s * k[7])));
      EXPECT_NEAR(400 * (x * radial + 2 * k[2] * x * y + k[3] * (s + 2 * x * x)) + 320, column,
                  1e-6);
      EXPECT_NEAR(410 * (y * radial + k[2] * (s + 2 * y * y) + 2 * k[3] * x * y) + 240, row, 1e-6);
    }
  }
  EXPECT_GT(seen, 3000u);
}

TEST(CurvilinearPicture, nothing_is_seen_where_a_lens_folds_over) {
  // The distorted radius r (1 - 0.4 r^2) grows up to r = sqrt(1 / 1.2), where it is 2/3 of r.
  const double k[] = {-0.4};
  const Camera camera = camera_of("perspective", k, {300, 300, 319.5, 239.5, 640, 480});
  const double edge = 300.0 * std::sqrt(1.0 / 1.2) * 2.0 / 3.0;
  EXPECT_FALSE(std::isnan(direction_at(camera, 319.5 + edge - 1e-3, 239.5).x));
  EXPECT_TRUE(std::isnan(direction_at(camera, 319.5 + edge + 1e-3, 239.5).x));
  const dvec3 last = direction_at(camera, 319.5, 239.5 + edge - 1e-6);
  EXPECT_NEAR(last.y / last.z, std::sqrt(1.0 / 1.2), 1e-3);
  EXPECT_TRUE(contains(unseen_corners(camera, 640, 480), "nothing beyond 182.6 pixels"));
  const double pincushion[] = {0.1};
  EXPECT_EQ(unseen_corners(camera_of("perspective", pincushion, {300, 300, 320, 240, 640, 480}),
                           640, 480),
            "");
  const Ray ray = ray_through(make_view(camera, dvec3(0.0), 640, 480), 0.5f, 0.5f);
  EXPECT_FALSE(ray.asks());
}

TEST(CurvilinearPicture, a_fisheye_draws_angles_as_distances) {
  CameraSettings settings = Camera{};
  set_projection(settings, "fisheye");
  set_pose(settings, kIdentity);
  settings.fov = 180.0;
  const Camera camera = complete(settings);
  expect_towards({0, 0, 1}, direction_at(camera, 49.5, 49.5, 100, 100));
  expect_towards({1, 0, 1}, direction_at(camera, 74.5, 49.5, 100, 100));
  expect_towards({0, 1, 0}, direction_at(camera, 49.5, 99.5, 100, 100));
  settings.fov = 360.0;
  expect_towards({-1, 0, -1}, direction_at(complete(settings), 49.5 - 37.5, 49.5, 100, 100));
  EXPECT_TRUE(std::isnan(direction_at(complete(settings), 0, 0, 100, 100).x)) << "beyond the back";
}

TEST(CurvilinearPicture, a_panorama_shows_all_directions) {
  CameraSettings settings = Camera{};
  set_projection(settings, "panorama");
  set_pose(settings, kIdentity);
  const Camera camera = complete(settings);
  expect_towards({0, 0, 1}, direction_at(camera, 199.5, 99.5, 400, 200));
  expect_towards({1, 0, 0}, direction_at(camera, 299.5, 99.5, 400, 200));
  expect_towards({-1, 0, 0}, direction_at(camera, 99.5, 99.5, 400, 200));
  expect_towards({0, 0, -1}, direction_at(camera, -0.5, 99.5, 400, 200));
  expect_towards({0, -1, 1}, direction_at(camera, 199.5, 49.5, 400, 200));
  expect_towards({1, 1, 0}, direction_at(camera, 299.5, 149.5, 400, 200));
  EXPECT_EQ(unseen_corners(camera, 400, 200), "");
  EXPECT_NEAR(make_view(camera, dvec3(0.0), 400, 200).pixel_size_at({0, 0, 2}), kPi / 100.0, 1e-6);
}

TEST(CurvilinearPicture, rays_in_double_are_those_of_pictures) {
  const double k[] = {0.1, 0.02, 0.001};
  const Camera camera = camera_of("perspective", k, {300, 310, 30, 22, 64, 48});
  const PreciseRays rays = precise_rays(camera, 64, 48);
  const CameraView view = make_view(camera, dvec3(0.0), 64, 48);
  for (u32 i = 0; i < 64 * 48; ++i) {
    const Ray ray = ray_through(view, float(i % 64) + 0.5f, float(i / 64) + 0.5f);
    EXPECT_EQ(vec3(rays.directions[i]), vec3(ray.direction));
  }
}

TEST(CurvilinearPicture, cameras_that_can_not_be_are_refused) {
  const double k[] = {0, 0, 0, 0, 0, 0, 0, 0, 1}, nothing_more[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CameraSettings c = Camera{};
  EXPECT_THROW(set_projection(c, "", {k, 9}), UsageError);
  EXPECT_NO_THROW(set_projection(c, "", {nothing_more, 10}));
  EXPECT_THROW(set_projection(c, "fisheye", {k, 9}), UsageError);
  EXPECT_THROW(set_projection(c, "panorama", {nothing_more, 1}), UsageError);
  EXPECT_TRUE(contains(message_of<UsageError>([&] { set_projection(c, "fish"); }),
                       "known: perspective, fisheye, panorama"));
  const auto refusal = [](Camera camera) {
    return message_of<UsageError>([&] { picture_plane(camera, 100, 50); });
  };
  Camera camera;
  camera.projection = Projection::fisheye;
  camera.fov = 361.0;
  EXPECT_TRUE(contains(refusal(camera), "between 0.0001 and 360 degrees"));
  camera.fov = 200.0;
  camera.lens = 1.0;
  EXPECT_TRUE(contains(refusal(camera), "lens is for perspectives, not for a fisheye"));
  camera.projection = static_cast<Projection>(7);
  EXPECT_TRUE(contains(refusal(camera), "unknown projection"));
  camera = {};
  camera.distortion[0] = 0.1;
  camera.ortho_height = 1.0;
  EXPECT_TRUE(contains(refusal(camera), "has no distortion"));
  camera.ortho_height = 0.0;
  camera.distortion[0] = NAN;
  EXPECT_TRUE(contains(refusal(camera), "coefficients of distortion"));
  EXPECT_EQ(projections().size(), 3u);
}

TEST(CurvilinearPicture, scene_files_state_them) {
  const TempDir dir;
  dir.write("a.obj", testing::kSquare + "f 1 2 3 4\n");
  const auto load = [&](const std::string& camera) {
    return *load_scene_file(
                dir.write("a.json", R"({"meshes": ["a.obj"], "camera": {)" + camera + "}}"), {})
                .camera;
  };
  const std::string at = R"("eye": [0, 0, 1], "look_at": [0, 0, 0], )";
  const Camera distorted = load(at + R"("distortion": [0.1, 0.2, 0, 0.5])");
  EXPECT_EQ(distorted.distortion, (Distortion{0.1, 0.2, 0, 0.5, 0, 0, 0, 0}));
  EXPECT_EQ(load(at + R"("projection": "fisheye")").fov, 180.0);
  EXPECT_EQ(load(at + R"("projection": "fisheye", "fov": 220)").fov, 220.0);
  const Camera matrix =
      load(at + R"("projection": "fisheye", "intrinsics": {"fx": 100, "fy": 100, "cx": 3, "cy": 4,
              "width": 64, "height": 48})");
  EXPECT_NEAR(matrix.fov, 0.48 * 180.0 / kPi, 1e-12);
  EXPECT_EQ(load(at + R"("projection": "panorama")").projection, Projection::panorama);
  for (const char* wrong :
       {R"("projection": "fish")", R"("distortion": 3)", R"("distortion": [1,2,3,4,5,6,7,8,9])",
        R"("projection": "panorama", "distortion": [1])", R"("projection": "fisheye", "lens": 1)",
        R"("pose_is": "world-to-camera")"})
    EXPECT_THROW(load(at + wrong), InputError) << wrong;
}

TEST(CurvilinearPicture, a_pose_may_lead_from_the_world_to_the_camera) {
  // Both matrices describe the camera at (1, 2, 3) whose axes x, y, z are the world's y, z, x.
  const double to_world[] = {0, 0, 1, 1, 1, 0, 0, 2, 0, 1, 0, 3};
  const double to_camera[] = {0, 1, 0, -2, 0, 0, 1, -3, 1, 0, 0, -1};
  for (const Choice& convention : pose_conventions()) {
    CameraSettings a, b;
    set_pose(a, to_world, convention.name);
    set_pose(b, to_camera, convention.name, "world-to-camera");
    EXPECT_EQ(a.eye, Vec3d(1, 2, 3));
    EXPECT_EQ(a.eye, b.eye);
    EXPECT_EQ(a.look_at, b.look_at);
    EXPECT_EQ(a.up, b.up);
    EXPECT_THROW(set_pose(a, to_world, convention.name, "x"), UsageError);
  }
}

}  // namespace curvilinear_picture_test
}  // namespace ballotcast::detail
