// Tests that `verify` passes on this machine, and notices results that differ.
#include "compare/suite/verify.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "compare/suite/accept.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace verify_test {

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    folder.write("quad.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0.2\nf 1 2 3\nf 1 3 4\n");
    const std::string path = folder.write("suite.json", R"({"format": "ballotcast suite", "cases": [
      {"name": "quad", "scene": "quad.obj", "shading": "normal", "size": [16, 9], "samples": 1,
       "camera": {"eye": [0, 0, 3], "look_at": [0, 0, 0]},
       "on": {"device": ["cpu", "emulated"]}}]})");
    suite = load_suite(path);
    accept(suite, to_accept(suite, {"quad"}), "looked at", "2026-01-31");
    request.devices = {"cpu", "emulated"};
    request.width = 12;
    request.height = 7;
  }

  TempDir folder;
  Suite suite;
  VerifyRequest request;
};

TEST_F(VerifyTest, finds_one_answer) {
  const VerifyRun run = verify(suite, request);
  EXPECT_TRUE(run.passed()) << text_report(run);
  EXPECT_EQ(run.approved_tried, 2u);
  EXPECT_GT(run.tried, 80u);
  const std::string text = text_report(run);
  for (const char* axis : {"device", "pipeline", "atomics", "layout", "block size"})
    EXPECT_TRUE(contains(text, std::string("\n  ") + axis) || text.starts_with("  ")) << axis;
  EXPECT_TRUE(text.ends_with("one answer\n"));
}

TEST_F(VerifyTest, names_the_first_ray_that_disagrees_and_how_to_cast_it_again) {
  request.spoil = [](const ballotcast::detail::Setup& setup, Drawing& drawing) {
    if (setup.in_words() == "emulated, queue, naive, bvh2, block size 256")
      drawing.hits[40].t += 0x1p-20f;
  };
  const VerifyRun run = verify(suite, request);
  EXPECT_FALSE(run.passed());
  EXPECT_EQ(run.disagreed, 1u);
  ASSERT_TRUE(run.first.has_value());
  EXPECT_EQ(run.first->what, "hit of pixel 4,3");
  EXPECT_TRUE(contains(run.first->replay,
                       "--only quad --device emulated --pipeline queue --atomics "
                       "naive --layout bvh2 --block-size 256 --size 12x7 "
                       "--replay 4,3"))
      << run.first->replay;
  EXPECT_NE(run.first->reference, run.first->got);
  EXPECT_TRUE(text_report(run).ends_with("NOT one answer\n"));
}

TEST_F(VerifyTest, sees_pixels_and_counters) {
  request.spoil = [](const ballotcast::detail::Setup&, Drawing& drawing) {
    drawing.image.samples[100] ^= 1;
  };
  const VerifyRun pixels = verify(suite, request);
  EXPECT_EQ(pixels.disagreed, pixels.tried);
  EXPECT_EQ(pixels.first->what, "pixel 9,2");
  request.spoil = [](const ballotcast::detail::Setup&, Drawing& drawing) {
    ++drawing.counts.counter;
  };
  const VerifyRun counters = verify(suite, request);
  EXPECT_EQ(counters.disagreed, counters.tried);
  EXPECT_EQ(counters.first->what, "counter");
}

TEST_F(VerifyTest, casts_one_ray_again) {
  ballotcast::detail::Setup setup("emulated");
  setup.cast = {"queue", "naive", 64};
  setup.renderer.layout = "bvh2";
  const ReplayedRay ray = replay(suite, suite.cases[0], request, setup, {6, 3});
  EXPECT_TRUE(ray.same());
  EXPECT_TRUE(ray.got.found());
  EXPECT_THROW(replay(suite, suite.cases[0], request, ballotcast::detail::Setup("cpu"), {12, 0}),
               UsageError);
}

}  // namespace verify_test
}  // namespace ballotcast::detail
