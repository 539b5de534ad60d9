// Tests frames of a scene file with keyframes: each frame equals the scene that is loaded for this
// frame alone.
#include "scene/motion/frames.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "scene/gltf_text.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace frames_test {

std::string scene_file(const std::string& name) {
  return std::string(BALLOTCAST_SOURCE_DIR) + "/scenes/" + name;
}

RenderSettings small_picture() {
  RenderSettings settings;
  settings.width = 48;
  settings.height = 27;
  settings.samples = 1;
  return settings;
}

SceneRequest request_of(const std::string& file, u32 frame) {
  SceneRequest request;
  request.file = file;
  request.frame = frame;
  return request;
}

class FramesOn : public ::testing::TestWithParam<const char*> {};

TEST_P(FramesOn, are_those_of_scenes_that_stand_still) {
  const std::string file = scene_file("turning.json");
  const SceneFrames frames(request_of(file, 40));
  RendererOptions options{GetParam()};
  options.moves = true;
  Renderer renderer(Scene(frames.scene()), options);
  for (const u32 frame : {40u, 0u, 13u, 47u, 100u}) {
    SCOPED_TRACE(frame);
    change_scene(renderer, frames.in(frame));
    Renderer alone(load_scene(request_of(file, frame)), {GetParam()});
    EXPECT_EQ(hash_of(renderer.render(small_picture()).image),
              hash_of(alone.render(small_picture()).image));
  }
}

TEST_P(FramesOn, of_instances_are_those_of_scenes_that_stand_still) {
  TempDir dir;
  dir.write("a.json", R"({"meshes": [")" + scene_file("blob.obj") + R"("], "instances": [
      {"mesh": ")" + scene_file("blob.obj") +
                          R"(", "keyframes": [
         {"frame": 0, "translate": [2, 0, 0]}, {"frame": 9, "translate": [2, 4, 0], "rotate_y": 50}]},
      {"mesh": ")" + scene_file("blob.obj") +
                          R"(", "translate": [-2, 0, 0],
       "material": {"emission": [3, 2, 1]}, "keyframes": [
         {"frame": 0, "scale": 0.5}, {"frame": 9, "scale": 3}]}]})");
  const SceneFrames frames(request_of(dir / "a.json", 3));
  RendererOptions options{GetParam()};
  options.moves = true;
  Renderer renderer(Scene(frames.scene()), options);
  for (const u32 frame : {3u, 9u, 0u, 5u}) {
    SCOPED_TRACE(frame);
    change_scene(renderer, frames.in(frame));
    Renderer alone(load_scene(request_of(dir / "a.json", frame)), {GetParam()});
    EXPECT_EQ(hash_of(renderer.render(small_picture()).image),
              hash_of(alone.render(small_picture()).image));
  }
}

TEST_P(FramesOn, of_animated_files_are_those_of_scenes_that_stand_still) {
  TempDir dir;
  dir.write("a.gltf", testing::turning_triangle());
  dir.write("a.json", R"({"meshes": [{"file": "a.gltf", "translate": [0, 0, 2], "keyframes": [
      {"frame": 0, "rotate_y": 0}, {"frame": 24, "rotate_y": 90}]}, "a.gltf",
      {"file": "a.gltf", "translate": [0, -1, 0], "animation": "none"}]})");
  for (const char* file : {"a.gltf", "a.json"}) {
    SCOPED_TRACE(file);
    const SceneFrames frames(request_of(dir / file, 3));
    EXPECT_EQ(frames.last_frame(), 24u);
    EXPECT_TRUE(frames.are_animated());
    RendererOptions options{GetParam()};
    options.moves = true;
    Renderer renderer(Scene(frames.scene()), options);
    for (const u32 frame : {3u, 20u, 0u, 99u}) {
      SCOPED_TRACE(frame);
      change_scene(renderer, frames.in(frame));
      Renderer alone(load_scene(request_of(dir / file, frame)), {GetParam()});
      EXPECT_EQ(hash_of(renderer.render(small_picture()).image),
                hash_of(alone.render(small_picture()).image));
    }
  }
}

TEST(Frames, of_animated_files_have_times) {
  TempDir dir;
  SceneRequest request = request_of(dir.write("a.gltf", testing::turning_triangle()), 6);
  const std::vector<Vec3f> frame = load_scene(request).vertices();
  request.frames_per_second = 12;
  EXPECT_EQ(SceneFrames(request).last_frame(), 12u);
  request.frame = 3;
  EXPECT_EQ(load_scene(request).vertices()[1].x, frame[1].x);
  request.frame.reset();
  request.time = 0.25;
  EXPECT_EQ(load_scene(request).vertices()[1].x, frame[1].x);
  request.frame = 3;
  EXPECT_EQ(message_of<UsageError>([&] { load_scene(request); }),
            "a moment must be a frame or a time, not both");
  request = request_of(scene_file("blob.obj"), 0);
  request.frame.reset();
  request.time = 1.0;
  EXPECT_TRUE(contains(message_of<UsageError>([&] { load_scene(request); }),
                       "blob.obj' has no animation to play"));
}

TEST(Frames, leave_out_animations_beside_instances) {
  TempDir dir;
  dir.write("a.gltf", testing::turning_triangle());
  dir.write("a.json", R"({"meshes": ["a.gltf"], "instances": [{"mesh": "a.gltf", "keyframes": [
      {"frame": 0, "translate": [0, 0, 2]}, {"frame": 9, "translate": [0, 9, 2]}]}]})");
  EXPECT_TRUE(load_scene(dir / "a.json").warnings().empty());
  std::vector<std::string> warnings;
  const SceneFrames frames(request_of(dir / "a.json", 0),
                           [&](const std::vector<std::string>& all) { warnings = all; });
  EXPECT_FALSE(frames.are_animated());
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_TRUE(contains(warnings[0], "a.gltf: animations left out: beside instances"));
}

TEST(Frames, have_the_boxes_that_renderers_have_in_them) {
  TempDir dir;
  dir.write("a.gltf", testing::turning_triangle());
  dir.write("placed.json", R"({"meshes": [{"file": "a.gltf", "keyframes": [
      {"frame": 0, "translate": [0, 0, 2]}, {"frame": 9, "translate": [900000.5, 9, 2]}]}]})");
  dir.write("instances.json",
            R"({"instances": [{"mesh": "a.gltf"}, {"mesh": "a.gltf", "keyframes": [
      {"frame": 0, "scale": 1}, {"frame": 9, "scale": 7, "translate": [0, 9, 2]}]}]})");
  for (const char* file : {"a.gltf", "placed.json", "instances.json"}) {
    SCOPED_TRACE(file);
    const SceneFrames frames(request_of(dir / file, 0));
    RendererOptions options{"cpu"};
    options.moves = true;
    Renderer renderer(Scene(frames.scene()), options);
    const std::vector<u32> some = {0, 3, 9, 4};
    const std::vector<PlacedBox> boxes = frames.boxes_in(some);
    ASSERT_EQ(boxes.size(), some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      change_scene(renderer, frames.in(some[i]));
      EXPECT_EQ(boxes[i].box.low, prepared_of(renderer).bounds.low) << some[i];
      EXPECT_EQ(boxes[i].box.high, prepared_of(renderer).bounds.high) << some[i];
      EXPECT_EQ(boxes[i].origin, scene_of(renderer).origin) << some[i];
    }
  }
}

TEST(Frames, that_can_not_be_drawn_have_no_box) {
  TempDir dir;
  dir.write("a.gltf", testing::turning_triangle());
  dir.write("a.json", R"({"instances": [{"mesh": "a.gltf"}, {"mesh": "a.gltf", "keyframes": [
      {"frame": 0, "scale": 1}, {"frame": 9, "scale": 5e6}]}]})");
  EXPECT_EQ(SceneFrames(request_of(dir / "a.json", 0)).boxes_in({0, 9, 1}).size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Devices, FramesOn, testing::kDevices, testing::name_of_device);

TEST(Frames, may_change_only_camera_and_sun) {
  TempDir dir;
  dir.write("a.json", R"({"meshes": [")" + scene_file("cornell-box.obj") + R"("],
      "camera": {"look_at": [278, 273, 0],
                 "keyframes": [{"frame": 0, "eye": [278, 273, -800]},
                               {"frame": 9, "eye": [200, 273, -700]}]},
      "sun": {"keyframes": [{"frame": 0, "strength": 1}, {"frame": 9, "strength": 4}]}})");
  const SceneFrames frames(request_of(dir / "a.json", 0));
  EXPECT_FALSE(frames.in(5).pose.has_value());
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer renderer(Scene(frames.scene()), options);
  const std::string tree = hash_of(prepared_of(renderer).encoded);
  change_scene(renderer, frames.in(5));
  EXPECT_EQ(hash_of(prepared_of(renderer).encoded), tree);
  Renderer alone(load_scene(request_of(dir / "a.json", 5)), {"cpu"});
  EXPECT_EQ(hash_of(renderer.render(small_picture()).image),
            hash_of(alone.render(small_picture()).image));
}

TEST(Frames, need_a_scene_file_and_usable_values) {
  EXPECT_EQ(message_of<UsageError>([&] { SceneFrames frames(request_of("a.obj", 0)); }),
            "frames: 'a.obj' has none; scene files (.json) and glTF files (.gltf, .glb) have");
  SceneRequest request = request_of(scene_file("turning.json"), 0);
  request.meshes.push_back({"a.obj", {}});
  EXPECT_EQ(message_of<UsageError>([&] { SceneFrames frames(request); }),
            "frames: meshes can't be added; name them in a scene file");
  TempDir dir;
  dir.write("a.json", R"({"meshes": [{"file": ")" + scene_file("cornell-box.obj") + R"(",
      "keyframes": [{"frame": 0, "scale": 1}, {"frame": 10, "scale": -1}]}]})");
  const SceneFrames frames(request_of(dir / "a.json", 0));
  EXPECT_EQ(message_of<InputError>([&] { frames.in(10); }),
            (dir / "a.json") + ": \"meshes[0].scale\" must be above 0");
}

}  // namespace frames_test
}  // namespace ballotcast::detail
