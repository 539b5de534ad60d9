// Tests animations of glTF files: positions at given times, compared with values computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scene/gltf_text.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail {
namespace gltf_animation_test {

using testing::copying;
using testing::corner;
using testing::Gltf;
using testing::load;
using testing::triangle;
using testing::warnings_of;

const std::string kNormalized = R"(, "normalized": true)";

LoadOptions at(double seconds, const std::string& animation = "") {
  LoadOptions options;
  options.moment.seconds = seconds;
  options.animation = animation;
  return options;
}

void expect_near(vec3 found, vec3 expected) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6f) << "component " << i;
}

/// A glTF file with a triangle in the plane z = 0 and animations of its nodes.
struct Animated {
  Gltf gltf = triangle();
  std::string channels, samplers, further;
  u32 count = 0;

  /// Adds a channel with its own sampler.
  Animated& move(u32 node, const std::string& path, const std::string& interpolation, u32 times,
                 u32 values) {
    const std::string comma = count == 0 ? "" : ", ";
    channels += comma + R"({"sampler": )" + std::to_string(count++) + R"(, "target": {"node": )" +
                std::to_string(node) + R"(, "path": ")" + path + R"("}})";
    samplers += comma + R"({"input": )" + std::to_string(times) + R"(, "output": )" +
                std::to_string(values) + R"(, "interpolation": ")" + interpolation + R"("})";
    return *this;
  }
  Animated& move(u32 node, const std::string& path, const std::string& interpolation,
                 const std::vector<float>& times, const std::vector<float>& values) {
    const u32 width = path == "rotation" ? 4 : path == "weights" ? 1 : 3;
    const u32 input = gltf.add_floats(times, 1);
    return move(node, path, interpolation, input, gltf.add_floats(values, width));
  }
  Gltf file() const {
    Gltf all = gltf;
    all.more += R"(, "animations": [{"name": "Walk", "channels": [)" + channels +
                R"(], "samplers": [)" + samplers + "]}" + further + "]";
    return all;
  }
  vec3 corner_at(double seconds, int k = 0) const {
    return corner(load(file(), at(seconds)), 0, k);
  }
  std::string refusal() const {
    return message_of<InputError>([&] { load(file(), at(0.5)); });
  }
};

TEST(GltfAnimations, leave_a_file_at_rest_unless_a_time_is_asked_for) {
  Animated a;
  a.gltf.nodes = R"({"mesh": 0, "translation": [7, 0, 0]})";
  const SceneData plain = load(a.gltf);
  a.move(0, "translation", "LINEAR", {0, 1}, {1, 0, 0, 2, 0, 0});
  const SceneData rest = load(a.file());
  EXPECT_TRUE(rest.warnings.empty()) << warnings_of(rest);
  EXPECT_EQ(rest.animations, std::vector<std::string>{"Walk"});
  EXPECT_FALSE(rest.motion);
  EXPECT_EQ(corner(rest), corner(plain));
  EXPECT_EQ(corner(load(a.file(), at(0.5, "none"))), corner(plain));
  EXPECT_EQ(corner(load(a.gltf, at(0.5))), corner(plain));
}

TEST(GltfAnimations, step_to_the_next_key_when_its_time_has_come) {
  Animated a;
  a.move(0, "translation", "STEP", {1, 2, 3}, {1, 0, 0, 2, 0, 0, 3, 0, 0});
  EXPECT_EQ(a.corner_at(0).x, 1.0f);
  EXPECT_EQ(a.corner_at(1.999).x, 1.0f);
  EXPECT_EQ(a.corner_at(2).x, 2.0f);
  EXPECT_EQ(a.corner_at(99).x, 3.0f);
}

TEST(GltfAnimations, go_evenly_from_key_to_key_and_stay_before_and_behind_them) {
  Animated a;
  a.move(0, "translation", "LINEAR", {1, 3}, {1, 10, -4, 5, 20, 4});
  EXPECT_EQ(a.corner_at(0), vec3(1.0f, 10.0f, -4.0f));
  EXPECT_EQ(a.corner_at(1.5), vec3(2.0f, 12.5f, -2.0f));
  EXPECT_EQ(a.corner_at(3), vec3(5.0f, 20.0f, 4.0f));
  EXPECT_EQ(a.corner_at(100), vec3(5.0f, 20.0f, 4.0f));
}

TEST(GltfAnimations, follow_the_cubic_spline_of_the_specification) {
  // Each key has the slope before it, its value, and the slope after it. The time is half-way
  // between 1 s and 3 s, so the span is 2 s: 0.5 * 0 + 2 * 0.125 * 1 + 0.5 * 4 - 2 * 0.125 * -2 =
  // 2.75.
  Animated a;
  a.move(0, "scale", "CUBICSPLINE", {1, 3},
         {9, 9, 9, 0, 1, 1, 1, 0, 0, -2, 0, 0, 4, 1, 1, 9, 9, 9});
  EXPECT_FLOAT_EQ(a.corner_at(2, 1).x, 2.75f);
  EXPECT_EQ(a.corner_at(0, 1).x, 0.0f);
  EXPECT_EQ(a.corner_at(3, 1).x, 4.0f);
}

TEST(GltfAnimations, turn_by_the_shorter_arc_at_an_even_speed) {
  const float h = std::sqrt(0.5f);
  const double third = std::acos(-1.0) / 6.0;  // a third of a quarter turn
  for (const float sign : {1.0f, -1.0f}) {     // q and -q are the same rotation
    Animated a;
    a.move(0, "rotation", "LINEAR", {0, 3}, {0, 0, 0, 1, 0, 0, sign * h, sign * h});
    expect_near(a.corner_at(1, 1), vec3(std::cos(third), std::sin(third), 0.0));
    expect_near(a.corner_at(1.5, 1), vec3(h, h, 0.0f));
    expect_near(a.corner_at(3, 1), vec3(0.0f, 1.0f, 0.0f));
  }
}

TEST(GltfAnimations, turn_also_by_tiny_angles_half_turns_and_integers) {
  Animated tiny;
  tiny.move(0, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0, 1e-8f, 1});
  EXPECT_NEAR(tiny.corner_at(0.5, 1).y, 1e-8f, 1e-13f);
  Animated half;
  half.move(0, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0});
  expect_near(half.corner_at(0.5, 1), vec3(0.0f, 1.0f, 0.0f));
  Animated integers;
  const u32 times = integers.gltf.add_floats({0, 1}, 1);
  integers.move(0, "rotation", "LINEAR", times,
                integers.gltf.add<std::int16_t>({0, 0, 0, 32767, 0, 0, 32767, 0}, "VEC4", 5122, 4,
                                                kNormalized));
  expect_near(integers.corner_at(0.5, 1), vec3(0.0f, 1.0f, 0.0f));
}

TEST(GltfAnimations, give_quaternions_of_cubic_splines_length_1) {
  Animated a;
  a.move(0, "rotation", "CUBICSPLINE", {0, 1},
         {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  // The mean of the two keys is (0, 0, 0.5, 0.5): a quarter turn.
  expect_near(a.corner_at(0.5, 1), vec3(0.0f, 1.0f, 0.0f));
}

TEST(GltfAnimations, move_whatever_hangs_on_a_node) {
  Animated a;
  a.gltf.nodes = R"({"mesh": 0, "translation": [0, 0, 1]}, {"children": [0, 2]},
                    {"camera": 0}, {"extensions": {"KHR_lights_punctual": {"light": 0}}})";
  a.gltf.roots = "1, 3";
  a.gltf.more = R"(, "cameras": [{"type": "perspective", "perspective": {"yfov": 1}}],
    "extensions": {"KHR_lights_punctual": {"lights": [{"type": "directional"}]}})";
  const float h = std::sqrt(0.5f);
  a.move(1, "translation", "LINEAR", {0, 1}, {0, 0, 0, 8, 0, 0});
  a.move(3, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, h, 0, h});
  const SceneData scene = load(a.file(), at(0.5));
  EXPECT_EQ(corner(scene), vec3(4.0f, 0.0f, 1.0f));
  ASSERT_TRUE(scene.camera && scene.sun.direction);
  EXPECT_EQ(scene.camera->eye.x, 4.0);
  EXPECT_NEAR(scene.sun.direction->x, std::sin(std::acos(-1.0) / 4.0), 1e-9);
}

TEST(GltfAnimations, bend_a_skinned_bar_at_its_joint) {
  // Two triangles make a bar along x, of length 2. The far end of the bar belongs to the joint at x
  // = 1.
  Animated a;
  Gltf& g = a.gltf;
  g = {};
  g.add_floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0}, 3);
  const u32 corners = g.add<std::uint16_t>({0, 1, 2, 1, 3, 2}, "SCALAR", 5123, 1);
  const u32 normals = g.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  const u32 joints = g.add<u8>({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5121, 4);
  const u32 weights = g.add_floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4);
  const u32 binds = g.add<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1},
                                 "MAT4", 5126, 16);
  g.primitive = R"("indices": )" + std::to_string(corners) +
                R"(, "attributes": {"POSITION": 0, "NORMAL": )" + std::to_string(normals) +
                R"(, "JOINTS_0": )" + std::to_string(joints) + R"(, "WEIGHTS_0": )" +
                std::to_string(weights) + "}";
  g.nodes = R"({"mesh": 0, "skin": 0}, {"children": [2]}, {"translation": [1, 0, 0]})";
  g.roots = "0, 1";
  g.more =
      R"(, "skins": [{"joints": [1, 2], "inverseBindMatrices": )" + std::to_string(binds) + "}]";
  const float h = std::sqrt(0.5f);
  a.move(2, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0, -h, 0, h});
  EXPECT_EQ(corner(load(a.file()), 1, 1), vec3(2.0f, 0.0f, 0.0f));
  const SceneData bent = load(a.file(), at(1));
  expect_near(corner(bent, 0, 1), vec3(1.0f, 0.0f, 0.0f));
  expect_near(corner(bent, 1, 1), vec3(1.0f, 0.0f, 1.0f));  // rotated about y, from x to z
  expect_near(corner(load(a.file(), at(0.5)), 1, 1), vec3(1.0f + h, 0.0f, h));
  expect_near(bent.mesh.corner_normals[0], vec3(0.0f, 0.0f, 1.0f));
  expect_near(bent.mesh.corner_normals[4], vec3(-1.0f, 0.0f, 0.0f));
  // A skin changes the shape of a mesh. So the bar is copied, although other meshes would become
  // instances.
  LoadOptions few = at(1);
  few.most_copied = 0;
  g.roots = "0, 1, 3, 4";
  g.nodes += R"(, {"mesh": 0, "skin": 0}, {"mesh": 0, "skin": 0})";
  EXPECT_TRUE(load(a.file(), few).instances.empty());
}

TEST(GltfAnimations, change_the_weights_of_morph_targets) {
  Animated a;
  const u32 first = a.gltf.add_floats({4, 0, 0, 4, 0, 0, 4, 0, 0}, 3);
  const u32 second = a.gltf.add_floats({0, 8, 0, 0, 8, 0, 0, 8, 0}, 3);
  a.gltf.primitive = R"("attributes": {"POSITION": 0}, "targets": [{"POSITION": )" +
                     std::to_string(first) + R"(}, {"POSITION": )" + std::to_string(second) + "}]";
  a.gltf.nodes = R"({"mesh": 0, "weights": [1, 0]})";
  Animated cubic = a;
  a.move(0, "weights", "LINEAR", {0, 1}, {0, 0.5f, 1, 0});
  EXPECT_EQ(corner(load(a.file())), vec3(4.0f, 0.0f, 0.0f));
  EXPECT_EQ(a.corner_at(0), vec3(0.0f, 4.0f, 0.0f));
  EXPECT_EQ(a.corner_at(0.5), vec3(2.0f, 2.0f, 0.0f));
  // With flat slopes a spline is half-way in the middle, and at 0.15625 after a quarter.
  cubic.move(0, "weights", "CUBICSPLINE", {0, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0});
  EXPECT_EQ(cubic.corner_at(0.5), vec3(2.0f, 4.0f, 0.0f));
  EXPECT_EQ(cubic.corner_at(0.25), vec3(0.625f, 1.25f, 0.0f));
}

TEST(GltfAnimations, are_chosen_by_name_or_number) {
  Animated a;
  a.move(0, "translation", "LINEAR", {0, 1}, {1, 0, 0, 1, 0, 0});
  const std::string of_y = std::to_string(a.gltf.add_floats({0, 5, 0, 0, 5, 0}, 3));
  const std::string turned = std::to_string(a.gltf.add_floats({0, 0, 1, 0, 0, 0, 1, 0}, 4));
  const auto more = [](const std::string& name, const std::string& path,
                       const std::string& values) {
    return R"(, {"name": ")" + name +
           R"(", "channels": [{"sampler": 0, "target": {"node": 0, "path": ")" + path +
           R"("}}], "samplers": [{"input": 1, "output": )" + values + "}]}";
  };
  a.further = more("Run", "translation", of_y) + more("7", "rotation", turned);
  const auto corner_with = [&](const std::string& name, int k = 0) {
    return corner(load(a.file(), at(0.5, name)), 0, k);
  };
  EXPECT_EQ(corner_with(""), vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(corner_with("Walk"), vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(corner_with("Run"), vec3(0.0f, 5.0f, 0.0f));
  EXPECT_EQ(corner_with("1"), vec3(0.0f, 5.0f, 0.0f));
  expect_near(corner_with("7", 1), vec3(-1.0f, 0.0f, 0.0f));
  expect_near(corner_with("all", 1), vec3(-1.0f, 5.0f, 0.0f));
  EXPECT_TRUE(contains(
      message_of<InputError>([&] { load(a.file(), at(0, "Fly")); }),
      R"(a.gltf: has no animation "Fly"; it has 0 "Walk", 1 "Run", 2 "7"; or say all or none)"));
}

TEST(GltfAnimations, keep_triangles_that_have_no_area_at_rest) {
  Animated a;
  a.gltf.nodes = R"({"mesh": 0, "scale": [0, 0, 0]}, {"mesh": 0})";
  a.gltf.roots = "0, 1";
  EXPECT_EQ(load(a.gltf).mesh.triangles.size(), 1u);
  a.move(0, "scale", "LINEAR", {0, 1}, {0, 0, 0, 2, 2, 2});
  const SceneData grown = load(a.file(), at(1));
  EXPECT_TRUE(grown.warnings.empty()) << warnings_of(grown);
  ASSERT_EQ(grown.mesh.triangles.size(), 2u);
  EXPECT_EQ(corner(grown, 0, 1), vec3(2.0f, 0.0f, 0.0f));
  EXPECT_EQ(load(a.file(), at(0)).mesh.triangles.size(), 2u);
}

TEST(GltfAnimations, move_instances_where_nodes_are_instances) {
  Animated a;
  a.gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "translation": [5, 0, 0]}, {"mesh": 0})";
  a.gltf.roots = "0, 1, 2";
  a.move(0, "translation", "LINEAR", {0, 1}, {0, 0, 0, 0, 6, 0});
  a.move(2, "scale", "STEP", {0, 1}, {1, 1, 1, 0, 0, 0});
  LoadOptions options = at(0.5);
  options.most_copied = 0;
  SceneData scene = load(a.file(), options);
  ASSERT_EQ(scene.instances.size(), 3u);
  EXPECT_EQ(scene.instances[0].to_scene.rows[1][3], 3.0f);
  EXPECT_EQ(scene.instances[1].to_scene.rows[0][3], 5.0f);
  options.moment.seconds = 1.0;
  EXPECT_TRUE(hides(load(a.file(), options).instances[2].to_scene));
}

TEST(GltfAnimations, go_on_as_they_would_alone) {
  Animated a;
  a.gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "translation": [1, 2, 3]})";
  a.gltf.roots = "0, 1";
  a.move(0, "rotation", "LINEAR", {0, 2}, {0, 0, 0, 1, 0.6f, 0, 0, 0.8f});
  const SceneData first = load(a.file(), at(0.3));
  ASSERT_TRUE(first.motion);
  EXPECT_EQ(first.motion->end(), 2.0);
  for (const double seconds : {1.7, 0.3, 0.9}) {
    const MovedFile moved = first.motion->at(seconds);
    const SceneData alone = load(a.file(), at(seconds));
    ASSERT_TRUE(moved.pose);
    EXPECT_TRUE(std::equal(alone.mesh.positions.begin(), alone.mesh.positions.end(),
                           moved.pose->positions.begin(), moved.pose->positions.end()));
  }
}

TEST(GltfAnimations, that_are_damaged_are_refused_by_name) {
  const std::vector<float> times = {0, 1}, values = {0, 0, 0, 1, 0, 0};
  const auto refused = [&](const std::string& part, const Animated& file) {
    const std::string message = file.refusal();
    EXPECT_TRUE(contains(message, part)) << message;
    EXPECT_TRUE(contains(message, "a.gltf: \"animations[0].")) << message;
    // Without animation, the error does not matter.
    EXPECT_TRUE(load(file.file()).warnings.empty());
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  refused("node\" must be an integer from 0 to 0, not 5",
          Animated().move(5, "translation", "LINEAR", times, values));
  refused("path\" must be translation, rotation, scale or weights, not \"colour\"",
          Animated().move(0, "colour", "LINEAR", times, values));
  refused("interpolation\" must be STEP, LINEAR or CUBICSPLINE, not \"BEZIER\"",
          Animated().move(0, "scale", "BEZIER", times, values));
  refused("input\" has times that don't rise: key 1 is at 0.000000 s",
          Animated().move(0, "scale", "LINEAR", {0, 0}, values));
  refused("input\" has a time below 0", Animated().move(0, "scale", "LINEAR", {-1, 0}, values));
  refused("input\" has a number that is not finite",
          Animated().move(0, "scale", "LINEAR", {0, nan}, values));
  refused("output\" has a number that is not finite",
          Animated().move(0, "scale", "LINEAR", times, {0, 0, 0, nan, 0, 0}));
  refused("output\" has 2 elements, but its keys need 1 element",
          Animated().move(0, "scale", "LINEAR", {0}, values));
  refused("output\" has 2 elements, but its keys need 6 elements",
          Animated().move(0, "scale", "CUBICSPLINE", times, values));
  refused("input\" is an accessor of the wrong type: it must be SCALAR",
          Animated().move(0, "scale", "LINEAR", 0, 0));
  refused("output\" is an accessor of the wrong type: it must be VEC4",
          Animated().move(0, "scale", "LINEAR", times, values).move(0, "rotation", "STEP", 1, 2));
  refused("has weights that move, but its mesh has no morph targets",
          Animated().move(0, "weights", "LINEAR", times, {0, 1}));
  refused("path\" is moved by a channel before, too",
          Animated().move(0, "scale", "STEP", times, values).move(0, "scale", "STEP", 1, 2));
  Animated matrix = Animated().move(0, "scale", "STEP", times, values);
  matrix.gltf.nodes = R"({"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})";
  refused("node\" has a matrix, so nothing else can place it", matrix);
  Animated none = Animated().move(0, "scale", "STEP", times, values);
  none.samplers.clear();
  refused("sampler\" is one of its animation, which has none", none);
}

TEST(GltfAnimations, that_lead_nowhere_are_refused_when_they_do) {
  Animated turned;
  turned.move(0, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(contains(turned.refusal(),
                       "a.gltf: animations[0] \"Walk\" turns nodes[0] by a "
                       "rotation of length 0 at 0.500 s"));
  Animated far;
  far.move(0, "translation", "LINEAR", {0, 1}, {0, 0, 0, 1e30f, 0, 0});
  EXPECT_TRUE(contains(far.refusal(), "a.gltf: animations[0] \"Walk\" moves vertices beyond 2^40"));
  EXPECT_EQ(far.corner_at(0), vec3(0.0f));
}

TEST(GltfAnimations, may_not_take_more_memory_than_the_file_warrants) {
  // Accessors without bytes consist of zeros; many of them would be large together.
  Animated a;
  const u32 keys = 60000;
  std::vector<float> times(keys);
  for (u32 i = 0; i < keys; ++i) times[i] = static_cast<float>(i);
  const u32 input = a.gltf.add_floats(times, 1);
  for (u32 i = 0; i < 8; ++i) {
    a.gltf.accessors += R"(, {"type": "VEC4", "componentType": 5126, "count": 60000})";
    a.gltf.nodes += ", {}";
    a.move(i + 1, "rotation", "STEP", input, input + 1 + i);
  }
  EXPECT_TRUE(contains(a.refusal(), "have more numbers than the file has bytes")) << a.refusal();
}

}  // namespace gltf_animation_test
}  // namespace ballotcast::detail
