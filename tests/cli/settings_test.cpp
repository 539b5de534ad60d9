// Tests that every row of the tables of settings is used wherever settings are read or shown.
// python/tests/test_arguments.py tests the keywords of Python.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/commands/render_request.hpp"
#include "compare/suite/cases.hpp"
#include "helpers/setting_values.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/temp_dir.hpp"
#include "view/request.hpp"

namespace ballotcast::detail {
namespace settings_test {

using testing::other_value;

/// The request that `render` makes from these options.
RenderRequest parsed_options(std::vector<std::string> words) {
  RenderRequest request;
  const std::vector<Command> table = {{"render", "", render_options(request), [] { return 0; }}};
  words.insert(words.begin(), "render");
  EXPECT_NE(parse(words, table).command, nullptr);
  return request;
}

std::string help_of_render() {
  RenderRequest request;
  const std::vector<Command> table = {{"render", "", render_options(request), [] { return 0; }}};
  return parse({"render", "--help"}, table).text;
}

/// The words that set a row's setting on the command line.
template <class Row>
std::vector<std::string> words_of(const Row& row) {
  std::vector<std::string> words = {"--" + std::string(row.name)};
  if (!row.value.empty()) words.push_back(other_value(row));
  return words;
}

/// A case of a suite that has one more key.
SuiteCase case_with(const std::string& key, const Json& value) {
  return cases_of(Json{{"name", "one"}, {key, value}}, "suite.json", "cases[0]").front();
}

/// A row's value other than the default, in the form for JSON.
template <class Settings, class Row>
Json json_value(const Row& row) {
  Settings settings;
  row.set(settings, "it", other_value(row));
  return json_of<Settings>(row, settings);
}

PictureRequest asked_by_page(std::string_view name, const std::string& text) {
  return request_in(UrlQuery(UrlQuery::Values{{std::string(name), text}}));
}

Json report_of_render() {
  RendererOptions on_cpu;
  on_cpu.device = "cpu";
  Renderer renderer(builtin_scene(), on_cpu);
  RenderSettings settings;
  settings.width = settings.height = 4;
  settings.shading = "facing";
  const Frame frame = renderer.render(settings);
  return Json::parse(json_of(RenderReport{
      renderer, {on_cpu}, frame, {}, "", "a.png", "png", "", 1, "", "", {}, "", Json(), {}}));
}

TEST(SettingsOfCasts, are_options_of_render_and_in_its_help) {
  const std::string help = help_of_render();
  for (const CastSetting& row : cast_settings()) {
    EXPECT_EQ(row.text(parsed_options(words_of(row)).casting), other_value(row)) << row.name;
    EXPECT_NE(help.find("  --" + std::string(row.name)), help.npos) << row.name;
  }
}

TEST(SettingsOfCasts, may_be_asked_for_by_pages_but_for_those_of_the_machine) {
  for (const CastSetting& row : cast_settings()) {
    if (row.part == CastPart::machine && row.key != "device") {
      EXPECT_THROW(asked_by_page(row.name, other_value(row)), UsageError) << row.name;
      continue;
    }
    const PictureRequest request = asked_by_page(row.name, other_value(row));
    const auto where = request.machine_and_tree.find(row.key);
    EXPECT_EQ(where != request.machine_and_tree.end() ? where->second
                                                      : row.text({{}, request.settings.cast}),
              other_value(row))
        << row.name;
    EXPECT_TRUE(row.key == "device" || !row.menu.empty()) << row.name << " has no menu";
  }
}

TEST(SettingsOfCasts, may_be_axes_of_suites) {
  for (const CastSetting& row : cast_settings()) {
    const std::string value = row.key == "device" ? "cpu" : other_value(row);
    const Json on = {
        {std::string(row.key), row.type == SettingType::name ? Json(value) : Json::parse(value)}};
    if (!row.is_axis) {
      EXPECT_THROW(case_with("on", on), InputError) << row.key;
      continue;
    }
    const auto setups = setups_of(case_with("on", on).on);
    ASSERT_EQ(setups.size(), 1u) << row.key;
    EXPECT_EQ(row.text(setups[0]), value) << row.key;
  }
}

TEST(SettingsOfCasts, are_in_the_report_of_render_and_on_its_page) {
  const Json report = report_of_render();
  const auto bytes = read_file(BALLOTCAST_SOURCE_DIR "/docs/hits.md");
  const std::string page(bytes.begin(), bytes.end());
  for (const CastSetting& row : cast_settings()) {
    EXPECT_TRUE(report.contains(row.key)) << row.key;
    EXPECT_NE(page.find("`" + std::string(row.key) + "`"), page.npos) << row.key;
  }
  EXPECT_EQ(report["partition"], 1);
  for (const char* chosen : {"layout", "builder", "pipeline", "atomics", "loop"})
    EXPECT_NE(report[chosen], "auto") << chosen;
  EXPECT_NE(report["builder"], "balanced");
}

TEST(SettingsOfPictures, are_known_everywhere) {
  const std::string help = help_of_render();
  const Json report = report_of_render();
  for (const PictureSetting& row : picture_settings()) {
    const std::string& value = other_value(row);
    EXPECT_NE(help.find("  --" + std::string(row.name)), help.npos) << row.name;
    // Exposure is an option of the scene's light, which the picture takes over.
    if (row.key != "exposure") {
      EXPECT_EQ(row.text(parsed_options(words_of(row)).settings), value) << row.name;
    }
    EXPECT_EQ(row.text(asked_by_page(row.name, value).settings), value) << row.name;
    EXPECT_EQ(row.text(case_with(std::string(row.key), json_value<RenderSettings>(row)).picture),
              value)
        << row.key;
    const std::string key = row.key == "samples" ? "samples_per_pixel" : std::string(row.key);
    EXPECT_TRUE(report.contains(key)) << row.key;
  }
}

TEST(AxisOfASuite, may_be_a_setting_of_any_type) {
  CastSetting row{{"budget", "budget", "B", "", ""}, CastPart::kernels, "", {}, true};
  row.type = SettingType::amount;
  row.set = [](CastSettings&, const std::string& who, const std::string& text) {
    if (text.front() == '-') refuse_setting(who, "a number from 0 on", text);
  };
  const auto values_in = [&](const Json& list) {
    const Json json = {{"budget", list}};
    return axis_values(Section(json, "suite.json", "on"), row);
  };
  EXPECT_EQ(values_in({10, 2.5, 0.25, 10}), (std::vector<std::string>{"0.25", "2.5", "10"}));
  EXPECT_EQ(values_in(3), std::vector<std::string>{"3"});
  EXPECT_EQ(message_of<InputError>([&] {
              values_in({1, -1});
            }),
            "suite.json: \"on.budget\" is wrong: it needs a number from 0 on, not '-1'");
  EXPECT_THROW(values_in("much"), InputError);
  EXPECT_THROW(values_in(Json::array()), InputError);
}

}  // namespace settings_test
}  // namespace ballotcast::detail
