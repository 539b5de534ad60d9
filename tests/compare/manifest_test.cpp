// Tests the contents of suite files, and the messages for errors in them.
#include "compare/suite/manifest.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "compare/suite/cases.hpp"
#include "compare/suites.hpp"

namespace ballotcast::detail {
namespace manifest_test {

using Manifest = SuiteTest;

TEST_F(Manifest, makes_cases_of_scenes_cameras_and_shadings) {
  folder.write("other.obj", kQuad);
  path = folder.write("suite.json", suite_text(R"({"name": "a", "scene": ["quad.obj", "other.obj"],
    "cameras": {"near": {"eye": [0, 0, 3], "look_at": [0, 0, 0]},
                "far": {"eye": [0, 0, 9], "look_at": [0, 0, 0]}},
    "shading": ["normal", "depth"]})"));
  suite = load_suite(path);
  ASSERT_EQ(suite.cases.size(), 8u);
  EXPECT_EQ(suite.cases[0].name, "a/quad/near/normal");
  EXPECT_EQ(suite.cases[7].name, "a/other/far/depth");
  EXPECT_EQ(chosen_cases(suite, {"*/far/*"}).size(), 4u);
  EXPECT_TRUE(contains(message_of<UsageError>([&] { chosen_cases(suite, {"a/quad/near/norml"}); }),
                       "did you mean a/quad/near/normal?"));
}

TEST_F(Manifest, refuses_what_makes_no_sense_by_name) {
  const std::pair<std::string, const char*> cases[] = {
      {"{\"name\": \"a\", \"shding\": \"lit\"}", "has no key \"shding\""},
      {"{\"name\": \"a b\"}", "names a case: only letters"},
      {"{\"name\": \"a\"}, {\"name\": \"a\"}", "two cases"},
      {"{\"name\": \"a\", \"name\": \"b\"}", "\"name\" occurs twice"},
      {"{\"name\": \"a\", \"shading\": \"lid\"}", "\"cases[0].shading\""},
      {"{\"name\": \"a\", \"on\": {\"device\": \"gpu\"}}", "unknown name 'gpu'"},
      {"{\"name\": \"a\", \"on\": {\"device\": \"auto\"}}", "unknown name 'auto'"},
      {"{\"name\": \"a\", \"on\": {\"block_size\": 33}}", "multiple of 32"},
      {"{\"name\": \"a\", \"on\": {\"pipeline\": \"queue\", \"atomics\": \"block-flag\"}}",
       "no pipeline that can use"},
      {"{\"name\": \"a\", \"tolerance\": {\"max_error\": [1, 2]}}", "gives the reason"},
      {"{\"name\": \"a\", \"tolerance\": {\"why\": \"x\"}}", "needs a range"},
      {"{\"name\": \"a\", \"tolerance\": {\"max_error\": [2, 1], \"why\": \"x\"}}",
       "must be a range"},
      {"{\"name\": \"a\", \"tolerance\": {\"maxerror\": [1, 2], \"why\": \"x\"}}",
       "its keys are why"},
      {"{\"name\": \"a\", \"command\": [\"x\"], \"scene\": \"b.obj\"}",
       "not for cases with a command"},
      {R"({"name": "a", "command": "render a.xml {output}"})",
       "\"cases[0].command\" must be a list of strings, e.g. [\"other-renderer\", "},
      {"{\"name\": \"a\", \"size\": [0, 9]}", "integer from 1"}};
  for (const auto& [text, words] : cases) {
    path = folder.write("suite.json", suite_text(text));
    const std::string message = message_of<InputError>([&] { load_suite(path); });
    EXPECT_TRUE(message.starts_with(path)) << message;
    EXPECT_TRUE(contains(message, words)) << message;
  }
}

TEST_F(Manifest, refuses_damaged_approvals_in_words) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("approved": [])", "\"approved\" must be an object"},
      {R"("approved": {"a": {}})", "is damaged: key 'golden' not found"},
      {R"("approved": {"a": {"golden": "../a.png"}})", "below the suite's folder"},
      {R"("history": {})", "\"history\" must be a list"},
      {R"("history": [3])", "is damaged: "}};
  for (const auto& [text, words] : cases) {
    std::string written = suite_text(R"({"name": "a"})");
    written.insert(written.rfind('}'), std::string(", ") + text);
    path = folder.write("suite.json", written);
    const std::string message = message_of<InputError>([&] { load_suite(path); });
    EXPECT_TRUE(message.starts_with(path) && contains(message, words)) << message;
    EXPECT_FALSE(contains(message, "json.exception")) << message;
  }
}

TEST_F(Manifest, has_its_goldens_below_its_folder_and_nowhere_else) {
  accept_all();
  for (const char* golden : {"/etc/passwd", "../quad.png", "a/../../quad.png", "notes.txt", ""}) {
    Suite now = load_suite(path);
    now.approved.at("quad").golden = golden;
    const std::string text = text_of(now);
    const std::string moved = folder.write("moved.json", text);
    EXPECT_TRUE(contains(message_of<InputError>([&] { load_suite(moved); }),
                         "is not a PNG below the suite's folder"))
        << golden;
  }
}

TEST(Measures, are_those_of_comparisons) {
  EXPECT_TRUE(is_measure("max_error"));
  EXPECT_TRUE(is_measure("flip"));
  EXPECT_FALSE(is_measure("max-error"));
  EXPECT_TRUE(std::isnan(measure_of("nonsense", Comparison{})));
}

TEST(Patterns, fit_whole_names) {
  EXPECT_TRUE(fits("a*c", "abbc"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("a?c", "abc"));
  EXPECT_FALSE(fits("a?c", "ac"));
  EXPECT_FALSE(fits("a", "ab"));
}

}  // namespace manifest_test
}  // namespace ballotcast::detail
