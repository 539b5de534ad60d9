// Tests the history of a suite: every acceptance is kept with its change, and no line of the file
// is lost.
#include "compare/suite/history.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "ballotcast/error.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/reports/reports.hpp"
#include "compare/suites.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {
namespace history_test {

using History = SuiteTest;

std::string text_at(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

TEST_F(History, keeps_the_figures_of_what_an_acceptance_changed) {
  accept_all("first look");
  spoil_golden(5);
  accept_all("back");
  suite = load_suite(path);
  ASSERT_EQ(suite.history.size(), 2u);
  const PictureChange& change = suite.history[1].change.value();
  EXPECT_EQ(change.verdict, "different");
  EXPECT_EQ(change.pixels, 144u);
  EXPECT_EQ(change.different, 1u);
  EXPECT_EQ(change.max_error, 5u);
  EXPECT_EQ(change.largest, 255u);
  EXPECT_GT(change.metrics.at("flip"), 0.0);
  EXPECT_TRUE(change.also.empty());
  EXPECT_TRUE(suite.history[1].change_in_words().starts_with(
      "different: 1 of 144 pixels differ, by up to 5 of 255; FLIP 0."))
      << suite.history[1].change_in_words();
}

TEST_F(History, names_the_measure_that_failed) {
  accept_all();
  Suite now = load_suite(path);
  now.document["cases"][0]["tolerance"] = Json::parse(R"({"max_error": [1, 2], "why": "theirs"})");
  folder.write("suite.json", text_of(now));
  spoil_golden(7);
  accept_all("seven steps");
  const std::string what = load_suite(path).history.back().change_in_words();
  EXPECT_TRUE(contains(what, "Outside of its tolerance: max_error 7, not 1 to 2.")) << what;
}

TEST_F(History, says_nothing_about_a_golden_that_nobody_approved) {
  accept_all();
  write_file_atomically(folder / "suite-goldens/quad.png",
                        encode_png({16, 9, std::vector<Rgb8>(144, {1, 2, 3})}));
  accept_all("the file was damaged");
  const PictureChange change = load_suite(path).history.back().change.value();
  EXPECT_EQ(change.verdict, "golden changed");
  EXPECT_FALSE(change.has_numbers());
}

TEST_F(History, is_a_file_of_lines_in_the_order_of_cases) {
  const std::string b = "{\"case\": \"b\", \"date\": \"2026-01-02\", \"mood\": [1,2]}";
  const std::string a1 = "{\"case\":\"a\",\"reason\":\"first\"}",
                    a2 = "{\"case\": \"a\", \"reason\": \"second\"}";
  const std::vector<HistoryEntry> history =
      history_from(b + "\r\n" + a1 + "\n\n" + a2, "history.jsonl");
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(text_of(history), a1 + "\n" + a2 + "\n" + b + "\n") << "and no key is lost";
}

TEST_F(History, names_file_and_line_of_what_is_no_entry) {
  const std::pair<const char*, const char*> cases[] = {
      {"{\"case\": \"a\"", "not JSON: "},
      {"[1]", "not an acceptance: "},
      {"{\"case\": 3}", "not an acceptance: "},
      {"{\"date\": \"2026-01-02\"}", "key 'case' not found"},
      {"{\"case\": \"a\", \"change\": {}}", "key 'verdict' not found"},
      {"<<<<<<< ours", "a conflict of git is not resolved"}};
  accept_all();
  const std::string file = suite.history_path(), good = text_at(file);
  for (const auto& [line, words] : cases) {
    folder.write("suite-history.jsonl", good + line + "\n" + good);
    const std::string message = message_of<InputError>([&] { load_suite(path); });
    EXPECT_TRUE(message.starts_with(file + ":2: ")) << message;
    EXPECT_TRUE(contains(message, words)) << message;
    EXPECT_FALSE(contains(message, "json.exception")) << message;
  }
}

TEST_F(History, moves_out_of_suites_of_earlier_versions) {
  accept_all("first look");
  std::string text = text_at(path);
  EXPECT_FALSE(contains(text, "history")) << text;
  std::filesystem::remove(folder / "suite-history.jsonl");
  text.insert(text.rfind('}'), R"(, "history": [{"case": "quad", "date": "2025-12-31",
    "version": "0.1.0", "reason": "long ago", "new_pixels": "00"}])");
  folder.write("suite.json", text);
  EXPECT_EQ(load_suite(path).history.at(0).reason, "long ago");
  spoil_golden(1);
  EXPECT_EQ(run().count(CaseVerdict::different), 1u);
  folder.write("suite.json", text);
  accept_all("now");
  EXPECT_FALSE(contains(text_at(path), "history"));
  const Suite now = load_suite(path);
  ASSERT_EQ(now.history.size(), 2u);
  EXPECT_EQ(now.history[0].reason, "long ago");
  EXPECT_EQ(now.history[0].change_in_words(), "");
  EXPECT_EQ(now.history[1].reason, "now");
}

TEST_F(History, that_was_changed_meanwhile_is_not_overwritten) {
  accept_all();
  spoil_golden(3);
  suite = load_suite(path);
  const std::vector<Acceptance> drawn = to_accept(suite, {"quad"});
  const std::string golden = text_at(suite.beside("suite-goldens/quad.png"));
  const std::string file = suite.history_path();
  folder.write("suite-history.jsonl", "{\"case\": \"theirs\"}\n");
  EXPECT_TRUE(contains(message_of<InputError>([&] { accept(suite, drawn, "late", "2026-01-31"); }),
                       file + " was changed while"));
  EXPECT_EQ(text_at(file), "{\"case\": \"theirs\"}\n");
  EXPECT_EQ(text_at(suite.beside("suite-goldens/quad.png")), golden);
}

TEST_F(History, is_reported_newest_first) {
  accept_all("first look");
  spoil_golden(5);
  accept_all("back");
  suite = load_suite(path);
  const std::string report = history_report(suite, names_in_history(suite, {}));
  EXPECT_TRUE(report.starts_with("quad:\n  2026-01-31  back\n")) << report;
  EXPECT_LT(report.find("1 of 144 pixels differ"), report.find("first look"));
  EXPECT_TRUE(contains(message_of<UsageError>([&] { names_in_history(suite, {"quat"}); }),
                       "did you mean quad?"));
  const PagePictures page = page_of(suite, run_suite(suite, {}));
  EXPECT_EQ(page.cases.at(0).history.at(0).what, suite.history[1].change_in_words());
  EXPECT_FALSE(page.cases.at(0).approval) << "nothing failed";
}

TEST_F(History, of_a_retired_case_stays) {
  accept_all();
  suite.cases.clear();
  retire(suite, {"quad"}, "not needed", "2026-02-01");
  const std::vector<HistoryEntry> its = history_from(text_at(suite.history_path()), "h");
  ASSERT_EQ(its.size(), 2u);
  EXPECT_EQ(its[1].change_in_words(), "no longer a case.");
}

TEST(AcceptCommands, name_program_and_suite_as_the_caller_did) {
  Suite suite;
  suite.path = "my suites/it's.json";
  EXPECT_EQ(accept_command_for(suite, "a/lit").with_placeholder(),
            "ballotcast accept 'my suites/it'\\''s.json' a/lit --reason='...'");
  EXPECT_EQ(folder_of_commands(suite), std::filesystem::current_path().string());
  suite.path = "/suite.json";
  suite.program = "build/ballotcast";
  EXPECT_EQ(accept_command_for(suite, "-a").with_placeholder(),
            "build/ballotcast accept --reason='...' -- /suite.json -a");
  EXPECT_NE(folder_of_commands(suite), "");
  suite.program = "/usr/bin/ballotcast";
  EXPECT_EQ(folder_of_commands(suite), "");
}

TEST_F(SuiteTest, pages_have_the_command_of_what_failed) {
  const PagePictures fresh = page_of(suite, run());
  EXPECT_EQ(fresh.cases.at(0).approval.value().before,
            "ballotcast accept " + path + " quad --reason=");
  const std::string text = text_report(suite, run());
  EXPECT_TRUE(contains(text, "approve: ballotcast accept " + path + " quad --reason='...'\n"))
      << text;
  suite = load_suite(path);
  EXPECT_TRUE(page_of(suite, to_accept(suite, {"*"}), "").cases.at(0).approval);
  EXPECT_FALSE(page_of(suite, to_accept(suite, {"*"}), "right").cases.at(0).approval);
}

}  // namespace history_test
}  // namespace ballotcast::detail
