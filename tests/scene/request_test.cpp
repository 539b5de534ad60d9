// Tests that settings of a scene that are out of range are refused by name before a file is read.
#include <gtest/gtest.h>

#include <limits>

#include "ballotcast/error.hpp"
#include "scene/assemble.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace request_test {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(SceneRequest, names_the_setting_that_is_out_of_range) {
  struct Case {
    const char* setting;
    void (*spoil)(SceneRequest&);
  };
  const Case cases[] = {
      {"sun.direction", [](SceneRequest& r) { r.sun.direction = Vec3d(0.0, 0.0, 0.0); }},
      {"sun.direction", [](SceneRequest& r) { r.sun.direction = Vec3d(0.0, double{kNan}, 1.0); }},
      {"sun.color", [](SceneRequest& r) { r.sun.color = Vec3f(1.0f, -1.0f, 1.0f); }},
      {"sun.strength", [](SceneRequest& r) { r.sun.strength = -1.0f; }},
      {"sun.strength", [](SceneRequest& r) { r.sun.strength = kNan; }},
      {"sky.zenith", [](SceneRequest& r) { r.sky.zenith = Vec3f(kNan, 0.0f, 0.0f); }},
      {"sky.horizon", [](SceneRequest& r) { r.sky.horizon = Vec3f(1e38f, 0.0f, 0.0f); }},
      {"sky.ground", [](SceneRequest& r) { r.sky.ground = Vec3f(0.0f, 0.0f, -0.5f); }},
      {"sky.strength", [](SceneRequest& r) { r.sky.strength = 1e9f; }},
      {"up direction", [](SceneRequest& r) { r.up = Vec3d(0.0, 0.0, 0.0); }},
      {"exposure", [](SceneRequest& r) { r.exposure = 1e9f; }},
      {"exposure", [](SceneRequest& r) { r.exposure = kNan; }},
      {"crease_angle", [](SceneRequest& r) { r.crease_angle = -200.0; }},
      {"a.obj: the scale",
       [](SceneRequest& r) {
         r.meshes = {{"a.obj", {0.0, 0.0, {}}}};
       }},
      {"a.obj: the scale",
       [](SceneRequest& r) {
         r.meshes = {{"a.obj", {-1.0, 0.0, {}}}};
       }},
      {"a.obj: the placement", [](SceneRequest& r) {
         r.meshes = {{"a.obj", {1.0, double{kNan}, {}}}};
       }}};
  for (const Case& c : cases) {
    SceneRequest request;
    c.spoil(request);
    const std::string message = message_of<UsageError>([&] { assemble(request); });
    EXPECT_TRUE(contains(message, c.setting)) << c.setting << ": " << message;
  }
  EXPECT_NO_THROW(assemble(SceneRequest{}));
}

}  // namespace request_test
}  // namespace ballotcast::detail
