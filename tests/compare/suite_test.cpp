// Tests suites: a run reports pictures, hits, counters and inputs that differ from the approved
// ones, and nothing is approved without a reason.
#include <gtest/gtest.h>

#include <filesystem>

#include "ballotcast/error.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/reports/reports.hpp"
#include "compare/suite/run.hpp"
#include "compare/suites.hpp"
#include "helpers/png_bytes.hpp"
#include "image/codec.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace suite_test {

TEST_F(SuiteTest, without_an_approval_is_new_and_fails) {
  const SuiteRun now = run();
  EXPECT_EQ(verdict_of(now), CaseVerdict::unapproved);
  EXPECT_FALSE(now.passed());
  EXPECT_TRUE(now.controls.empty());
}

TEST_F(SuiteTest, passes_once_it_is_accepted_and_every_control_is_noticed) {
  accept_all();
  const SuiteRun now = run();
  EXPECT_EQ(verdict_of(now), CaseVerdict::same) << now.results[0].judgement.why;
  EXPECT_TRUE(now.passed());
  ASSERT_EQ(now.controls.size(), 6u);
  for (const ControlResult& control : now.controls)
    EXPECT_TRUE(control.tried && control.noticed) << control.name;
}

TEST_F(SuiteTest, holds_all_setups_to_one_golden) {
  write_case(R"(, "on": {"device": ["cpu", "emulated"], "pipeline": "all", "atomics": "all",
                         "block_size": [32, 64]}})");
  accept_all();
  const SuiteRun now = run();
  EXPECT_EQ(now.results.size(), setups_of(suite.cases[0]).size());
  EXPECT_GT(now.results.size(), 40u);
  EXPECT_EQ(now.count(CaseVerdict::same), now.results.size());
}

TEST_F(SuiteTest, notices_one_sample_off_by_one) {
  accept_all();
  spoil_golden(1);
  const SuiteRun now = run();
  EXPECT_EQ(verdict_of(now), CaseVerdict::different);
  EXPECT_TRUE(contains(now.results[0].judgement.why, "1 of 144 pixels differ, by up to 1 of 255"));
  EXPECT_FALSE(now.passed());
}

TEST_F(SuiteTest, tolerates_what_is_said_and_no_less) {
  accept_all();
  const std::string approved = folder / "suite.json";
  const auto with_tolerance = [&](const std::string& range) {
    Suite now = load_suite(path);
    now.document["cases"][0]["tolerance"] =
        Json::parse("{\"max_error\": " + range + ", \"why\": \"another library rounds up\"}");
    const std::string text = text_of(now);
    write_file_atomically(path, {text.begin(), text.end()});
  };
  with_tolerance("[1, 2]");
  EXPECT_EQ(verdict_of(run()), CaseVerdict::not_needed);
  spoil_golden(1);
  const SuiteRun within = run();
  EXPECT_EQ(verdict_of(within), CaseVerdict::within_limits);
  EXPECT_TRUE(within.passed());
  EXPECT_TRUE(contains(within.results[0].judgement.why, "another library rounds up"));
  spoil_golden(2);  // now the picture differs by 3 steps
  EXPECT_EQ(verdict_of(run()), CaseVerdict::different);
  with_tolerance("[4, 9]");
  EXPECT_EQ(verdict_of(run()), CaseVerdict::not_needed);
}

TEST_F(SuiteTest, names_the_file_that_was_changed) {
  accept_all();
  folder.write("quad.obj", std::string(kQuad) + "# a comment\n");
  const SuiteRun now = run();
  EXPECT_EQ(verdict_of(now), CaseVerdict::inputs_changed);
  EXPECT_TRUE(contains(now.results[0].judgement.why, "quad.obj was changed"));
}

TEST_F(SuiteTest, notices_changed_settings) {
  accept_all();
  Suite now = load_suite(path);
  now.document["cases"][0]["bounces"] = 1;
  const std::string text = text_of(now);
  write_file_atomically(path, {text.begin(), text.end()});
  EXPECT_EQ(verdict_of(run()), CaseVerdict::inputs_changed);
}

TEST_F(SuiteTest, notices_a_golden_that_nobody_accepted_or_that_is_gone) {
  accept_all();
  const std::string golden = folder / "suite-goldens/quad.png";
  write_file_atomically(golden, encode_png({16, 9, std::vector<Rgb8>(144, {1, 2, 3})}));
  EXPECT_EQ(verdict_of(run()), CaseVerdict::golden_changed);
  std::filesystem::remove(golden);
  EXPECT_EQ(verdict_of(run()), CaseVerdict::golden_changed);
}

TEST_F(SuiteTest, notices_other_hits_and_counters) {
  accept_all();
  for (const char* key : {"hits", "counters"}) {
    SCOPED_TRACE(key);
    Suite now = load_suite(path);
    Approval& approval = now.approved.at("quad");
    const Approval good = approval;
    if (key == std::string("hits"))
      approval.hits = "0123456789abcdef";
    else
      ++approval.counters.begin()->second.counter;
    const auto save = [&] {
      const std::string text = text_of(now);
      write_file_atomically(path, {text.begin(), text.end()});
    };
    save();
    EXPECT_EQ(verdict_of(run()), CaseVerdict::different);
    approval = good;
    save();
    EXPECT_EQ(verdict_of(run()), CaseVerdict::same);
  }
}

TEST_F(SuiteTest, keeps_a_history_and_what_people_wrote) {
  accept_all("first look");
  folder.write("quad.obj", std::string(kQuad) + "v 0 0 1\nf 1 2 5\n");
  accept_all("a third triangle");
  accept_all("nothing new");
  suite = load_suite(path);
  ASSERT_EQ(suite.history.size(), 2u);
  EXPECT_EQ(suite.history[0].reason, "first look");
  EXPECT_EQ(suite.history[1].reason, "a third triangle");
  EXPECT_EQ(suite.history[1].date, "2026-01-31");
  EXPECT_EQ(suite.history[1].old_pixels, suite.history[0].new_pixels);
  EXPECT_NE(suite.history[1].new_pixels, suite.history[1].old_pixels);
  EXPECT_TRUE(contains(suite.history[0].change_in_words(), "new: the first picture, 16x9."));
  const std::string what = suite.history[1].change_in_words();
  EXPECT_TRUE(what.starts_with("inputs changed: ") &&
              contains(what, " of 144 pixels differ, by up"))
      << what;
  EXPECT_TRUE(contains(what, "Also changed: hits") && contains(what, "file quad.obj")) << what;
  EXPECT_EQ(suite.document["cases"], Json::parse(suite_text(std::string(kCase) + "}"))["cases"]);
  EXPECT_TRUE(run().passed());
}

TEST_F(SuiteTest, skips_with_a_reason_and_counts_that_apart) {
  if (unusable("cuda").empty()) GTEST_SKIP() << "there is a GPU here";
  write_case(R"(, "on": {"device": ["cpu", "cuda"]}})");
  accept_all();
  const SuiteRun now = run();
  EXPECT_EQ(now.count(CaseVerdict::skipped), 1u);
  EXPECT_EQ(now.count(CaseVerdict::same), 1u);
  EXPECT_TRUE(now.passed());
  EXPECT_FALSE(run({{}, {}, {"cuda"}, 1, {}}).passed());
  EXPECT_FALSE(run({{}, {"cuda"}, {}, 1, {}}).passed()) << "nothing was compared";
}

TEST_F(SuiteTest, guards_the_pictures_of_other_programs) {
  const std::string picture = folder / "theirs.png";
  write_file_atomically(picture, encode_png({4, 2, std::vector<Rgb8>(8, {9, 8, 7})}));
  path = folder.write(
      "suite.json",
      suite_text(R"({"name": "theirs", "command": ["cp", "theirs.png", "{output}"]})"));
  accept_all();
  EXPECT_TRUE(run().passed());
  EXPECT_EQ(run().controls.size(), 3u);
  write_file_atomically(picture, encode_png({4, 2, std::vector<Rgb8>(8, {9, 8, 6})}));
  EXPECT_EQ(verdict_of(run()), CaseVerdict::different);
  std::filesystem::remove(picture);
  EXPECT_EQ(verdict_of(run()), CaseVerdict::failed);
}

TEST_F(SuiteTest, says_why_another_program_failed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(["sh", "-c", "echo bad luck >&2; exit 3"])", "exit code 3: bad luck"},
      {R"(["sh", "-c", "exit 0"])", "wrote no picture"},
      {R"(["no-such-program-at-all"])", "can't be started"},
      {R"(["sh", "-c", "kill -9 $$"])", "signal 9"},
      {R"(["sh", "-c", "sleep 60"], "timeout_s": 1)", "longer than 1 s"},
      {R"(["sh", "-c", "echo text > {output}"])", "not a PNG file"}};
  for (const auto& [command, words] : cases) {
    path = folder.write(
        "suite.json",
        suite_text("{\"name\": \"theirs\", \"command\": " + std::string(command) + "}"));
    const SuiteRun now = run();
    EXPECT_EQ(verdict_of(now), CaseVerdict::failed);
    EXPECT_TRUE(contains(now.results[0].judgement.why, words)) << now.results[0].judgement.why;
  }
}

TEST_F(SuiteTest, is_reported_in_every_format) {
  write_case(R"(, "on": {"device": ["cpu", "emulated"]}})");
  accept_all("R&D <said> \"yes\"");
  spoil_golden(5);
  const SuiteRun now = run();
  EXPECT_TRUE(contains(text_report(suite, now), "FAILED\n"));
  const Json json = Json::parse(json_report(suite, now));
  EXPECT_FALSE(json["passed"].get<bool>());
  EXPECT_EQ(json["results"][0]["comparison"]["max_error"], 5);
  EXPECT_EQ(json["results"][0]["comparison"]["worst"]["x"], 6);
  const std::string xml = junit_report(suite, now);
  EXPECT_TRUE(contains(xml, "tests=\"2\" failures=\"2\"")) << xml;
  const PagePictures page = page_of(suite, now);
  ASSERT_EQ(page.cases.size(), 2u);
  EXPECT_FALSE(page.cases[0].pictures.flip.empty());
  EXPECT_EQ(page.cases[0].history.at(0).reason, "R&D <said> \"yes\"");
}

TEST_F(SuiteTest, ignores_pixels_that_a_case_leaves_out) {
  accept_all();
  spoil_golden(5);  // changes pixel 6,4
  Suite now = load_suite(path);
  const auto with = [&](const char* key, const Json& value) {
    now.document["cases"][0].erase("ignore");
    now.document["cases"][0][key] = value;
    const std::string text = text_of(now);
    write_file_atomically(path, {text.begin(), text.end()});
    return run();
  };
  const SuiteRun ignored = with("ignore", {{6, 4, 1, 1}});
  EXPECT_EQ(verdict_of(ignored), CaseVerdict::within_limits);
  EXPECT_TRUE(ignored.passed()) << "the controls are noticed all the same";
  EXPECT_EQ(page_of(suite, ignored).cases.at(0).why,
            "Pixels differ only where this case ignores them. 1 pixel is ignored: grey stripes in "
            "the difference.");
  EXPECT_EQ(verdict_of(with("ignore", {{5, 4, 1, 1}})), CaseVerdict::different);
  EXPECT_EQ(verdict_of(with("ignore", {{15, 4, 2, 1}})), CaseVerdict::failed);
  Image<Rgb8> mask{16, 9, std::vector<Rgb8>(16 * 9)};
  mask.pixels[4 * 16 + 6] = {0, 0, 1};
  write_png(folder / "mask.png", mask);
  EXPECT_EQ(verdict_of(with("ignore_where", "mask.png")), CaseVerdict::within_limits);
  for (const char* bad : {"[]", "[[1, 2, 3]]", "[[-1, 2, 3, 4]]", "3"}) {
    write_case(std::string(R"(, "ignore": )") + bad + "}");
    EXPECT_TRUE(contains(message_of<InputError>([&] { load_suite(path); }), "ignore")) << bad;
  }
}

TEST_F(SuiteTest, says_which_tolerance_would_be_needed) {
  accept_all();
  spoil_golden(5);
  const SuiteRun now = run();
  const std::string needed = R"("tolerance": {"max_error": [1, 5], "why": "..."})";
  EXPECT_EQ(now.results[0].judgement.needed, needed);
  EXPECT_TRUE(contains(text_report(suite, now), "needed: " + needed + "\n"));
  EXPECT_TRUE(contains(pictures_page(page_of(suite, now)), R"("needed":"\"tolerance\")"));
  write_case(R"(, "tolerance": {"max_error": [1, 5], "why": "rounding"}})");
  accept_all();
  spoil_golden(9);
  EXPECT_EQ(run().results[0].judgement.needed,
            R"("tolerance": {"max_error": [1, 9], "why": "rounding"})");
}

TEST_F(SuiteTest, pictures_that_grew_are_different_and_shown) {
  accept_all();
  Image<Rgb8> image = golden();
  image.height -= 2;
  image.pixels.resize(u64{image.width} * image.height);
  image.pixels[3].r ^= 4;
  approve(image);
  const SuiteRun now = run();
  EXPECT_EQ(verdict_of(now), CaseVerdict::different);
  EXPECT_EQ(now.results[0].judgement.why,
            "The picture is 16x9, the golden 16x7. Of what both have, from the top left corner, 1 "
            "of 112 pixels differ, by up to 4 of 255, most at pixel 3,0.");
  const PagePictures page = page_of(suite, now);
  EXPECT_FALSE(page.cases.at(0).pictures.difference.empty());
  accept_all("it grew");
  EXPECT_TRUE(contains(suite.history.back().change_in_words(), "the size was 16x7 and is 16x9"));
}

TEST_F(SuiteTest, pages_of_what_is_to_be_approved_speak_of_no_failure) {
  suite = load_suite(path);
  const PagePictures fresh = page_of(suite, to_accept(suite, {"*"}), "");
  EXPECT_TRUE(fresh.title.ends_with(": to be approved")) << fresh.title;
  EXPECT_EQ(fresh.summary, "1 case is to be approved: 1 new.");
  EXPECT_EQ(fresh.cases.at(0).outcome, PageOutcome::to_review);
  accept_all();
  spoil_golden(5);
  const PagePictures changed = page_of(suite, to_accept(suite, {"*"}), "it is right now");
  EXPECT_EQ(changed.summary, "1 case was approved: 1 changed.");
  EXPECT_EQ(changed.cases.at(0).verdict, "changed");
  accept_all("again");
  const PagePictures same = page_of(suite, to_accept(suite, {"*"}), "");
  EXPECT_EQ(same.summary, "Nothing to approve: no case has changed.");
  EXPECT_EQ(same.cases.at(0).outcome, PageOutcome::ok);
}

TEST_F(SuiteTest, fails_when_what_was_approved_is_no_longer_a_case_until_that_is_retired) {
  accept_all();
  Suite now = load_suite(path);
  now.document["cases"][0]["name"] = "renamed";
  const std::string text = text_of(now);
  write_file_atomically(path, {text.begin(), text.end()});
  accept_all("another name");
  const SuiteRun with_orphan = run();
  EXPECT_EQ(with_orphan.count(CaseVerdict::same), 1u);
  EXPECT_FALSE(with_orphan.passed());
  suite = load_suite(path);
  EXPECT_THROW(to_retire(suite, {"renamed"}), UsageError);
  retire(suite, to_retire(suite, {"quad"}), "it is called renamed now", "2026-02-01");
  EXPECT_TRUE(run().passed());
  EXPECT_EQ(suite.history_of("quad").back().reason, "it is called renamed now");
  EXPECT_FALSE(std::filesystem::exists(folder / "suite-goldens/quad.png"));
}

TEST_F(SuiteTest, retiring_keeps_a_golden_that_another_case_has_taken_over) {
  accept_all();
  suite.approved["quad of old"] = suite.approved.at("quad");
  retire(suite, to_retire(suite, {"quad of old"}), "it is called quad now", "2026-02-01");
  EXPECT_TRUE(std::filesystem::exists(folder / "suite-goldens/quad.png"));
  EXPECT_TRUE(run().passed());
}

TEST_F(SuiteTest, tolerates_no_other_channels_or_depth) {
  const std::string picture = folder / "theirs.png";
  write_file_atomically(picture, encode_png({4, 2, std::vector<Rgb8>(8, {9, 9, 9})}));
  path = folder.write("suite.json", suite_text(R"({"name": "theirs",
    "command": ["cp", "theirs.png", "{output}"],
    "tolerance": {"max_error": [0, 2], "why": "theirs rounds up"}})"));
  accept_all();
  const SuiteRun good = run();
  EXPECT_EQ(verdict_of(good), CaseVerdict::within_limits);
  EXPECT_EQ(good.controls.size(), 3u) << "a tolerance is no way around the controls";
  EXPECT_TRUE(good.passed());
  const std::vector<u8> grey =
      testing::png_bytes(4, 8, 0, {std::string(4, '\x09'), std::string(4, '\x09')});
  write_file_atomically(picture, grey);
  const SuiteRun other = run();
  EXPECT_EQ(verdict_of(other), CaseVerdict::different);
  EXPECT_TRUE(contains(other.results[0].judgement.why, "channels or depth"));
}

TEST_F(SuiteTest, notices_a_program_that_draws_otherwise_the_second_time) {
  write_file_atomically(folder / "a.png", encode_png({4, 2, std::vector<Rgb8>(8, {9, 9, 9})}));
  write_file_atomically(folder / "b.png", encode_png({4, 2, std::vector<Rgb8>(8, {0, 9, 9})}));
  path = folder.write("suite.json", suite_text(R"({"name": "theirs", "command": ["sh", "-c",
    "if [ -e drawn ]; then cp b.png {output}; else touch drawn; cp a.png {output}; fi"]})"));
  accept_all();
  std::filesystem::remove(folder / "drawn");
  const SuiteRun now = run();
  EXPECT_EQ(now.count(CaseVerdict::same), 1u);
  EXPECT_FALSE(now.passed());
  EXPECT_FALSE(now.controls.at(0).noticed);
}

TEST_F(SuiteTest, notices_a_moved_triangle_also_where_the_camera_is_chosen_by_the_scene) {
  folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  path = folder.write("suite.json", suite_text(R"({"name": "one", "scene": "one.obj",
    "shading": "normal", "size": [16, 9]})"));
  accept_all();
  const SuiteRun now = run();
  for (const auto& control : now.controls) EXPECT_TRUE(control.noticed) << control.name;
  EXPECT_TRUE(now.passed());
}

TEST_F(SuiteTest, requires_a_device_to_have_drawn_something) {
  accept_all();
  EXPECT_TRUE(run({{}, {}, {"cpu"}, 1, {}}).passed());
  EXPECT_FALSE(run({{}, {}, {"emulated"}, 1, {}}).passed());
}

TEST_F(SuiteTest, is_the_same_from_every_folder_and_through_a_link) {
  std::filesystem::create_directories(folder / "deep");
  accept_all();
  const std::string there = path;
  path = folder / "deep/../suite.json";
  EXPECT_TRUE(run().passed());
  std::filesystem::create_symlink(there, folder / "deep/link.json");
  path = folder / "deep/link.json";
  EXPECT_TRUE(run().passed());
}

TEST_F(SuiteTest, pages_of_old_and_new_are_of_what_they_show) {
  folder.write("other.obj", kQuad);
  write_case("}, " + std::string(kCase).replace(10, 4, "more").replace(27, 4, "other") + "}");
  suite = load_suite(path);
  const std::string page = folder / "page.html";
  const auto show = [&](const std::vector<Acceptance>& acceptances) {
    write_text_atomically(page, pictures_page(page_of(suite, acceptances, "")));
  };
  const auto why = [&](const std::vector<Acceptance>& acceptances) {
    return message_of<InputError>([&] { require_reviewed(page, acceptances); });
  };
  const std::vector<Acceptance> both = to_accept(suite, {"*"});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(fitted_by_patterns({"*"}, both), 2u);
  EXPECT_EQ(fitted_by_patterns({"*", "quad"}, both), 1u);
  show(both);
  EXPECT_NO_THROW(require_reviewed(page, both));
  EXPECT_NO_THROW(require_reviewed(page, to_accept(suite, {"quad"}))) << "fewer than it shows";
  show(to_accept(suite, {"quad"}));
  EXPECT_TRUE(contains(why(both), page + " doesn't show more")) << why(both);
  show(both);
  folder.write("quad.obj", std::string(kQuad) + "v 0 0 1\nf 1 2 5\n");
  EXPECT_TRUE(contains(why(to_accept(suite, {"*"})), "shows another picture of quad"));
  write_text_atomically(page, pictures_page(page_of(suite, run())));
  EXPECT_TRUE(contains(why(both), "not a page of old and new pictures"));
  write_text_atomically(page, "<script id=\"data\">{\"title\": 3}</script>");
  EXPECT_TRUE(contains(why(both), "not a page of old and new pictures"));
}

TEST_F(SuiteTest, that_was_changed_meanwhile_is_not_written) {
  suite = load_suite(path);
  const std::vector<Acceptance> drawn = to_accept(suite, {"quad"});
  write_case(", \"bounces\": 1}");
  EXPECT_TRUE(contains(message_of<InputError>([&] { accept(suite, drawn, "late", "2026-01-31"); }),
                       "was changed while"));
  EXPECT_TRUE(load_suite(path).approved.empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "suite-goldens"));
}

TEST_F(SuiteTest, knows_which_end_of_a_range_is_worse) {
  accept_all();
  Suite now = load_suite(path);
  now.document["cases"][0]["tolerance"] =
      Json::parse(R"({"psnr": [30, 40], "why": "another library"})");
  const std::string text = text_of(now);
  write_file_atomically(path, {text.begin(), text.end()});
  EXPECT_EQ(verdict_of(run()), CaseVerdict::not_needed) << "equal pictures have an infinite one";
  spoil_golden(90);
  const SuiteRun near = run();
  EXPECT_EQ(verdict_of(near), CaseVerdict::within_limits) << near.results[0].judgement.why;
  now = load_suite(path);
  now.document["cases"][0]["tolerance"]["psnr"] = {60, 70};
  const std::string strict = text_of(now);
  write_file_atomically(path, {strict.begin(), strict.end()});
  EXPECT_EQ(verdict_of(run()), CaseVerdict::different);
}

}  // namespace suite_test
}  // namespace ballotcast::detail
