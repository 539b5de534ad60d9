// Tests the origins and directions of camera rays.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "kernels/frame/paths.hpp"
#include "scene/camera/camera_view.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace camera_test {

Camera camera_at_5() {
  Camera camera;
  camera.eye = {0.0, 0.0, 5.0};
  camera.look_at = {0.0, 0.0, 0.0};
  return camera;
}

vec3 point_at(const Ray& ray, float t) { return vec3(ray.origin) + vec3(ray.direction) * t; }

TEST(Camera, rays_through_a_lens_meet_where_it_is_sharp) {
  Camera camera = camera_at_5();
  camera.lens = 0.5;
  camera.focus = 3.0;
  const CameraView view = make_view(camera, dvec3(0.0), 100, 50);
  const Ray middle = ray_through(view, 20.0f, 10.0f);
  const vec3 sharp = point_at(middle, 3.0f);
  float spread = 0.0f;
  for (u32 i = 0; i < 64; ++i) {
    const Ray ray = through_lens(view, middle, disk_sample(sample_2d(1u, i, 1u)));
    const vec3 off = point_at(ray, 3.0f) - sharp;
    EXPECT_LT(dot(off, off), 1e-10f);
    const vec3 start = vec3(ray.origin) - view.eye;
    EXPECT_LE(dot(start, start), 0.0626f);
    EXPECT_EQ(start.z, 0.0f);
    spread = std::max(spread, dot(start, start));
  }
  EXPECT_GT(spread, 0.05f);
}

TEST(Camera, a_lens_is_sharp_at_what_it_looks_at_unless_something_else_is_given) {
  Camera camera = camera_at_5();
  camera.lens = 0.5;
  EXPECT_EQ(make_view(camera, dvec3(0.0), 100, 50).sharpness, 0.2f);
  camera.lens = 0.0;
  EXPECT_EQ(make_view(camera, dvec3(0.0), 100, 50).sharpness, 0.0f);
}

TEST(Camera, samples_of_a_pixel_go_through_different_points_of_the_lens) {
  Camera camera = camera_at_5();
  camera.lens = 0.5;
  const CameraView view = make_view(camera, dvec3(0.0), 100, 50);
  const Ray a = camera_ray(view, {3, 4}, sample_place(3, 4, 0, 4), 4),
            b = camera_ray(view, {3, 4}, sample_place(3, 4, 1, 4), 4);
  EXPECT_NE(vec3(a.origin), vec3(b.origin));
}

TEST(Camera, orthographic_rays_are_parallel_and_show_the_given_height) {
  Camera camera = camera_at_5();
  camera.ortho_height = 4.0;
  const CameraView view = make_view(camera, dvec3(0.0), 100, 50);
  const Ray top = ray_through(view, 50.0f, 0.0f), bottom = ray_through(view, 50.0f, 50.0f),
            left = ray_through(view, 0.0f, 25.0f);
  EXPECT_EQ(vec3(top.direction), vec3(0.0f, 0.0f, -1.0f));
  EXPECT_EQ(vec3(bottom.direction), vec3(0.0f, 0.0f, -1.0f));
  EXPECT_NEAR(top.origin.y, 2.0f, 1e-5f);
  EXPECT_NEAR(bottom.origin.y, -2.0f, 1e-5f);
  EXPECT_NEAR(left.origin.x, -4.0f, 1e-5f);
  EXPECT_EQ(view.pixel_size_at({0.0f, 0.0f, -100.0f}), view.pixel_size_at({0.0f, 0.0f, 4.0f}));
}

/// The message with which a camera is refused.
std::string refusal(const Camera& camera) {
  return message_of<UsageError>([&] { make_view(camera, dvec3(0.0), 100, 50); });
}

TEST(Camera, whose_up_is_parallel_to_its_sight_is_refused_with_an_up_that_helps) {
  for (const double up : {1.0, -1.0, 1e-200, 1e200}) {
    Camera camera = camera_at_5();
    camera.up = {0.0, 0.0, up};
    EXPECT_TRUE(contains(refusal(camera), "camera: up is parallel")) << refusal(camera);
    EXPECT_TRUE(contains(refusal(camera), "such as 0,1,0")) << refusal(camera);
  }
  Camera camera = camera_at_5();
  camera.up = {0.0, 0.0, 0.0};
  EXPECT_TRUE(contains(refusal(camera), "up must not be 0,0,0"));
}

TEST(Camera, that_looks_straight_up_or_down_gets_the_top_of_one_that_has_tilted_there) {
  EXPECT_EQ(up_for({0, -3, 0}, {0, 1, 0}), dvec3(0, 0, -1));
  EXPECT_EQ(up_for({0, 2, 0}, {0, 1, 0}), dvec3(0, 0, 1));
  EXPECT_EQ(up_for({0, 0, -1}, {0, 0, 5}), dvec3(0, 1, 0));
  EXPECT_EQ(up_for({0, -3, 0.001}, {0, 1, 0}), dvec3(0, 1, 0)) << "it is not parallel";
}

TEST(Camera, whose_field_of_view_no_picture_can_show_is_refused_with_the_limits) {
  for (const double fov : {0.0, -3.0, 1e-5, 179.001, 179.999, 180.0, std::nan("")}) {
    Camera camera = camera_at_5();
    camera.fov = fov;
    EXPECT_TRUE(contains(refusal(camera), "fov must be between 0.0001 and 179 degrees")) << fov;
  }
  for (const double fov : {kLeastFov, kMostFov}) {
    Camera camera = camera_at_5();
    camera.fov = fov;
    const CameraView view = make_view(camera, dvec3(0.0), 1920, 1080);
    const Ray a = ray_through(view, 960.0f, 540.0f), b = ray_through(view, 961.0f, 540.0f);
    EXPECT_NE(vec3(a.direction), vec3(b.direction)) << "pixels have rays of their own";
  }
}

TEST(Camera, refuses_sizes_that_are_none) {
  for (double Camera::*const size : {&Camera::lens, &Camera::focus, &Camera::ortho_height}) {
    Camera camera = camera_at_5();
    camera.*size = -1.0;
    EXPECT_THROW(make_view(camera, dvec3(0.0), 100, 50), UsageError);
    camera.*size = std::nan("");
    EXPECT_THROW(make_view(camera, dvec3(0.0), 100, 50), UsageError);
  }
}

}  // namespace camera_test
}  // namespace ballotcast::detail
