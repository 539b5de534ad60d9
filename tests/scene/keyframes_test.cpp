#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "scene/motion/frames.hpp"
#include "support/json.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace keyframes_test {

Json object(const char* text) { return Json::parse(text); }

Json at(const char* text, u32 frame) { return in_frame(object(text), "a.json", "camera", frame); }

std::string refusal_of(const char* text) {
  return message_of<InputError>([&] { at(text, 0); });
}

TEST(Keyframes, change_numbers_evenly) {
  const char* const text = R"({"fov": 40, "keyframes": [{"frame": 10, "eye": [0, 1, 2]},
                                                        {"frame": 20, "eye": [10, 1, 0]}]})";
  EXPECT_EQ(at(text, 0), object(R"({"fov": 40, "eye": [0.0, 1.0, 2.0]})"));
  EXPECT_EQ(at(text, 10), object(R"({"fov": 40, "eye": [0.0, 1.0, 2.0]})"));
  EXPECT_EQ(at(text, 15), object(R"({"fov": 40, "eye": [5.0, 1.0, 1.0]})"));
  EXPECT_EQ(at(text, 20), object(R"({"fov": 40, "eye": [10.0, 1.0, 0.0]})"));
  EXPECT_EQ(at(text, 999), object(R"({"fov": 40, "eye": [10.0, 1.0, 0.0]})"));
}

TEST(Keyframes, of_each_key_are_its_own) {
  const char* const text =
      R"({"fov": 40, "keyframes": [{"frame": 0, "fov": 10}, {"frame": 4, "x": 1},
                                                        {"frame": 8, "fov": 50}]})";
  EXPECT_EQ(at(text, 4), object(R"({"fov": 30.0, "x": 1.0})"));
}

TEST(Keyframes, that_are_smooth_start_and_end_slowly_and_never_go_beyond) {
  const char* const text = R"({"between": "smooth", "keyframes": [
      {"frame": 0, "fov": 0}, {"frame": 100, "fov": 10}, {"frame": 110, "fov": 90},
      {"frame": 200, "fov": 90}, {"frame": 300, "fov": 20}]})";
  const auto fov = [&](u32 frame) { return at(text, frame)["fov"].get<double>(); };
  EXPECT_LT(fov(1), 0.01);
  EXPECT_EQ(fov(100), 10.0);
  EXPECT_EQ(fov(110), 90.0);
  EXPECT_GT(fov(299) - 20.0, 0.0);
  EXPECT_LT(fov(299) - 20.0, 0.1);
  for (u32 frame = 1; frame <= 300; ++frame) {
    const double change = fov(frame) - fov(frame - 1);
    EXPECT_TRUE(frame <= 110   ? change >= 0.0
                : frame <= 200 ? change == 0.0
                               : change <= 0.0)
        << frame;
  }
}

TEST(Keyframes, are_refused_with_their_name) {
  EXPECT_EQ(refusal_of(R"({"keyframes": 3})"),
            "a.json: \"camera.keyframes\" must be a list, not 3");
  EXPECT_EQ(refusal_of(R"({"keyframes": []})"),
            "a.json: \"camera.keyframes\" must be a list of at least one keyframe");
  EXPECT_EQ(refusal_of(R"({"between": "smooth"})"),
            "a.json: \"camera.keyframes\" must be a list of at least one keyframe");
  EXPECT_EQ(refusal_of(R"({"keyframes": [{"frame": 3}, {"frame": 3}]})"),
            "a.json: \"camera.keyframes[1].frame\" must be above that of the keyframe before");
  EXPECT_NE(refusal_of(R"({"keyframes": [{"fov": 3}]})").find("frame"), std::string::npos);
  EXPECT_EQ(refusal_of(R"({"keyframes": [{"frame": 0, "file": "a"}]})"),
            "a.json: \"camera.keyframes[0].file\" can't change from frame to frame: it must be a "
            "number or a list of numbers");
  EXPECT_EQ(refusal_of(R"({"keyframes": [{"frame": 0, "eye": [1, 2]}, {"frame": 1, "eye": [1]}]})"),
            "a.json: \"camera.keyframes[1].eye\" must have the form that it has in the keyframes "
            "before");
  EXPECT_EQ(refusal_of(R"({"between": "fast", "keyframes": [{"frame": 0}]})"),
            "a.json: \"camera.between\" must be linear or smooth");
}

}  // namespace keyframes_test
}  // namespace ballotcast::detail
