// Tests reports of synthetic results: layout, wrong and skipped rows, noise, reading JSON back, and
// escaping of hostile texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ballotcast/error.hpp"
#include "bench/atomics.hpp"
#include "bench/plan.hpp"
#include "bench/reports/formats.hpp"
#include "bench/reports/view.hpp"
#include "bench/sample.hpp"
#include "support/temp_dir.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace reports_test {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The results of one experiment, with one row per element of `times`: the first is for strategy
/// none, the second for naive, and so on.
Results small(const std::vector<double>& times) {
  Results results;
  results.title = "Small";
  results.noise = 0.05;
  results.experiments = {{"tiny", "a title", "", "rays"}};
  const std::vector<std::string> names = {"none", "naive", "block-vote", "warp-ballot"};
  for (std::size_t i = 0; i < times.size(); ++i) {
    Row row;
    row.experiment = "tiny";
    row.axes = {{"strategy", names[i]}, {"rays", u64{1000000}}};
    row.timing = Timing{times[i], 0.004, times[i], 10, 1980.0, false};
    row.items = 1000000;
    row.atomics = 1234567;
    if (times.size() > 1) row.ratio_to_naive = times[i] / times[1];
    row.overhead_of_none = times[i] / times[0] - 1.0;
    results.rows.push_back(row);
  }
  return results;
}

std::string line_with(const std::string& text, const std::string& beginning) {
  for (const std::string& line : lines_of(text))
    if (line.starts_with(beginning)) return line;
  return "";
}

TEST(TableReport, keeps_to_80_columns) {
  for (const Results& results : {testing::sample_results(), testing::emulated_sample_results()})
    for (const std::string& line : lines_of(table_report(results)))
      EXPECT_LE(columns_of(line), kTextWidth) << line;
}

TEST(TableReport, aligns_its_columns) {
  const std::string text = table_report(small({0.04, 6.137, 0.05}));
  const std::string head = line_with(text, "  strategy");
  ASSERT_FALSE(head.empty()) << text;
  for (const std::string name : {"none", "naive", "block-vote"}) {
    const std::string row = line_with(text, "  " + name);
    EXPECT_EQ(columns_of(row), columns_of(head)) << text;
    EXPECT_TRUE(row.ends_with("1,234,567")) << row;
  }
  EXPECT_TRUE(contains(text, "6.1370"));
  EXPECT_TRUE(contains(text, "±0.4 %"));
  EXPECT_TRUE(contains(text, "All rows: rays 1,000,000."));
}

TEST(TableReport, says_which_way_a_ratio_goes) {
  EXPECT_TRUE(contains(table_report(small({0.04, 6.137, 0.05})), "below 1 is faster"));
}

TEST(TableReport, claims_no_difference_within_the_noise) {
  const std::string text = table_report(small({1.0, 1.5, 1.049, 1.48}));
  EXPECT_TRUE(contains(line_with(text, "  block-vote"), "~0 %")) << text;
  EXPECT_TRUE(contains(line_with(text, "  warp-ballot"), "~1 ")) << text;
  EXPECT_TRUE(contains(line_with(text, "  naive"), "+50 %")) << text;
  EXPECT_TRUE(contains(text, "the spread of both rows and at least ±5.0 %"));
}

TEST(TableReport, says_what_is_wrong_or_skipped) {
  Results results = small({1.0, 2.0, 1.5});
  results.rows[1].verdict = Verdict::wrong;
  results.rows[1].why = "expected 8,388,608, got 262,144";
  results.rows[2].verdict = Verdict::skipped;
  results.rows[2].why = "no memory";
  const std::string text = table_report(results);
  EXPECT_TRUE(contains(line_with(text, "  naive"), "WRONG: expected 8,388,608, got 262,144"))
      << text;
  EXPECT_TRUE(contains(line_with(text, "  block-vote"), "skipped: no memory")) << text;
  EXPECT_TRUE(contains(text, "1 right, 1 WRONG, 1 skipped."));
}

TEST(TableReport, has_what_else_was_found) {
  const std::string text = table_report(testing::sample_results());
  const std::string head = line_with(text, "  color");
  for (const char* label : {"lane 0 saw", "time over native", "turns"})
    EXPECT_TRUE(contains(head, label)) << head;
  const std::string row = line_with(text, "  red,");
  for (const char* value : {"0x0000ffff", "2.00", "4,096"})
    EXPECT_TRUE(contains(row, value)) << row;
}

TEST(TableReport, groups_rows_when_the_axes_do_not_fit) {
  const std::string text = table_report(testing::sample_results());
  EXPECT_TRUE(
      contains(text, "\n  work memory, lanes random, hit probability 0.5, rays 16,777,216,"));
}

TEST(TableReport, has_no_times_in_emulation) {
  const std::string text = table_report(testing::emulated_sample_results());
  const auto unwrapped = [](std::string s) {
    std::string out;
    for (const char c : s)
      if (c != ' ' && c != '\n') out += c;
    return out;
  };
  EXPECT_TRUE(contains(unwrapped(text), unwrapped(kEmulatedNote)));
  for (const char* head : {"time ms", "spread", "rays/s", "x naive", "over none"})
    EXPECT_FALSE(contains(text, head)) << head;
  EXPECT_TRUE(contains(text, "8,388,608"));
}

TEST(TableReport, stands_results_without_rows_or_axes) {
  Results results;
  results.title = "Nothing";
  EXPECT_EQ(table_report(results), "Nothing\n\n0 right.\n");
  Row row;
  row.experiment = "unnamed";
  row.timing = Timing{0.0, 0.0, 0.0, 1, 0.0, false};
  results.rows = {row};
  EXPECT_TRUE(contains(table_report(results), "unnamed"));
}

TEST(CsvReport, has_one_header_and_a_line_a_row) {
  const Results results = testing::sample_results();
  const std::vector<std::string> lines = lines_of(csv_report(results));
  EXPECT_EQ(lines.size(), results.rows.size() + 1);
  EXPECT_TRUE(
      lines[0].starts_with("experiment,strategy,work,lanes,hit_probability,rays,block_size,"));
  EXPECT_TRUE(
      lines[0].ends_with("counter,atomics,ratio_to_naive,overhead_of_none_relative,"
                         "found_lane_0_saw,found_time_over_native,found_turns"));
  EXPECT_TRUE(lines[1].ends_with(",,,"));
  EXPECT_TRUE(lines[1].starts_with("synthetic,none,flag,random,0.01,16777216,256,"));
}

TEST(CsvReport, quotes_as_rfc_4180_says) {
  Results results = small({1.0});
  results.rows[0].axes = {{"a,b", std::string("x \"y\", z")}, {"items", std::string("two\nlines")}};
  const std::string text = csv_report(results);
  EXPECT_TRUE(text.starts_with("experiment,\"a,b\",axis_items,verdict,")) << text;
  EXPECT_TRUE(contains(text, "\ntiny,\"x \"\"y\"\", z\",\"two\nlines\",right,")) << text;
}

TEST(JsonReport, comes_back_as_it_was_written) {
  for (Results results : {testing::sample_results(), testing::emulated_sample_results()}) {
    results.rows[0].axes.emplace_back("large", std::numeric_limits<u64>::max());
    results.rows[0].axes.emplace_back("whole_double", 2.0);
    results.rows[0].axes.emplace_back("third", 1.0 / 3.0);
    const std::string text = json_report(results);
    const Results again = results_from(text, "a.json");
    EXPECT_EQ(json_report(again), text);
    ASSERT_EQ(again.rows.size(), results.rows.size());
    EXPECT_EQ(again.facts, results.facts);
    EXPECT_EQ(again.notes, results.notes);
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
      EXPECT_EQ(again.rows[i].axes, results.rows[i].axes);
      EXPECT_EQ(again.rows[i].verdict, results.rows[i].verdict);
      EXPECT_EQ(again.rows[i].why, results.rows[i].why);
      EXPECT_EQ(again.rows[i].timing.has_value(), results.rows[i].timing.has_value());
      EXPECT_EQ(again.rows[i].overhead_of_none, results.rows[i].overhead_of_none);
      EXPECT_EQ(again.rows[i].found, results.rows[i].found);
    }
    for (const ReportFormat& format : report_formats())
      EXPECT_EQ(format.write(again), format.write(results)) << format.name;
  }
}

TEST(JsonReport, is_valid_with_strings_that_are_not_utf8) {
  Results results = small({1.0, 2.0});
  results.notes = {"bad \xff byte"};
  results.rows[0].why = "\xc3";
  EXPECT_NO_THROW(nlohmann::json::parse(json_report(results)));
}

TEST(JsonReport, that_is_something_else_is_refused_by_name) {
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{\"format\": \"x\"}"),
        std::string("\"\""),
        std::string("{\"format\": \"ballotcast benchmark\", \"format_version\": 99}"),
        std::string("{\"format\": \"ballotcast benchmark\", \"format_version\": 1}"),
        std::string("{\"format\": 1}")})
    EXPECT_TRUE(
        message_of<InputError>([&] { results_from(text, "a.json"); }).starts_with("a.json: "))
        << text;
}

TEST(JsonReport, wants_whole_numbers_where_it_writes_them) {
  for (const std::string number : {"1e101", "2.5", "-1", "1.0"}) {
    nlohmann::json json = nlohmann::json::parse(json_report(small({1.0, 2.0})));
    json["rows"][0]["items"] = nlohmann::json::parse(number);
    EXPECT_EQ(message_of<InputError>([&] { results_from(json.dump(), "a.json"); }),
              "a.json: items: not an integer from 0 to 2^64 - 1")
        << number;
  }
}

TEST(TableReport, shows_rates_that_no_whole_number_holds) {
  EXPECT_NO_THROW(table_report(small({1e-300, 2.0})));
}

TEST(HtmlReport, refers_to_nothing_outside_itself) {
  std::string page = html_report(testing::sample_results());
  const std::string space = "http://www.w3.org/2000/svg";
  for (std::size_t at; (at = page.find(space)) != page.npos;) page.erase(at, space.size());
  for (const char* part : {"http:", "https:", "@import", "url(", "src=", "//cdn"})
    EXPECT_FALSE(contains(page, part)) << part;
}

TEST(HtmlReport, lets_no_string_end_its_script) {
  Results results = small({1.0, 2.0});
  results.title = "a <b> & \"c\" {{script}} </title>";
  results.facts = {{"com</script>mand", std::string("</script><script>alert(1)</script><!--")}};
  results.rows[0].why = "</SCRIPT>";
  const std::string page = html_report(results);
  const auto count_of = [&](const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = page.find(part); at != page.npos; at = page.find(part, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(count_of("</script>"), 2u);  // the end of the data and of the script
  EXPECT_EQ(count_of("</SCRIPT>"), 0u);
  EXPECT_EQ(count_of("alert(1)\\u003c/script>"), 1u);
  EXPECT_EQ(count_of("<title>a &lt;b&gt; &amp; &quot;c&quot; {{script}} &lt;/title&gt;</title>"),
            1u);
}

/// What follows `mark` in `page`, up to `end`; "" if there is no mark.
std::string after(const std::string& page, const std::string& mark, char end) {
  const std::size_t at = page.find(mark);
  if (at == page.npos) return "";
  const std::size_t begin = at + mark.size();
  return page.substr(begin, page.find(end, begin) - begin);
}

TEST(HtmlReport, has_a_look_of_its_own_for_each_strategy) {
  const std::string page = html_report(testing::sample_results());
  std::set<std::string> shapes, colors;
  for (const StrategyInfo& row : laboratory_strategies()) {
    const std::string name(row.name);
    if (name == "none") continue;  // the floor of a chart, not one of its series
    const bool quoted = contains(name, "-");
    const std::string look = after(page, quoted ? "\"" + name + "\": {" : "  " + name + ": {", '}');
    ASSERT_TRUE(look.starts_with("color: ")) << name;
    EXPECT_TRUE(shapes.insert(after(look, "shape: ", '}')).second) << name << ": " << look;
    const std::string color =
        after(page, "--c" + after(look, "color: ", ',') + ": light-dark(", ')');
    EXPECT_TRUE(!color.empty() && colors.insert(color).second) << name << ": " << look;
  }
  EXPECT_EQ(after(page, "const kColors = ", ';'), std::to_string(colors.size()));
}

TEST(Findings, say_what_naive_costs_and_where_it_does_not) {
  const std::vector<std::string> found = findings_of(testing::sample_results());
  ASSERT_GE(found.size(), 3u);
  EXPECT_TRUE(found[0].starts_with("synthetic: naive takes up to ")) << found[0];
  EXPECT_TRUE(contains(found[0], "hit probability 1, rays 16,777,216")) << found[0];
  EXPECT_TRUE(contains(found[2], "within the noise of none in 3 of 29 cases")) << found[2];
}

TEST(Findings, claim_nothing_within_the_noise) {
  const std::vector<std::string> found = findings_of(small({1.0, 1.04, 1.02}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "nowhere slower than none")) << found[0];
  for (const std::string& sentence : findings_of(testing::emulated_sample_results()))
    EXPECT_FALSE(contains(sentence, " ms")) << sentence;
}

TEST(TableReport, leaves_out_the_last_findings_that_do_not_fit_and_says_so) {
  Results results = small({1.0, 2.0, 3.0});
  EXPECT_FALSE(contains(table_report(results), "Not all columns fit"));
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    for (const char* key : {"first", "second_of_many", "third_of_many", "fourth_of_many",
                            "fifth_of_many", "sixth_of_many"})
      results.rows[i].found.emplace_back(key, 1.5 * static_cast<double>(i));
  const std::string table = table_report(results);
  EXPECT_TRUE(contains(table, "Not all columns fit here; --csv, --json and --html have"));
  EXPECT_TRUE(contains(table, "  first"));
  EXPECT_FALSE(contains(table, "sixth of many"));
  for (const std::string& line : lines_of(table)) EXPECT_LE(columns_of(line), kTextWidth) << line;
}

TEST(TableReport, groups_rows_to_which_no_axis_applies_as_others) {
  Results results;
  results.title = "Builds";
  results.experiments = {{"builds", "Trees", "", "triangles", true}};
  for (const auto& [builder, layout] : {std::pair{"ploc", "grid2"}, {"peer/low", "-"}}) {
    Row row;
    row.experiment = "builds";
    row.axes = {{"builder", std::string(builder)}, {"layout", std::string(layout)}};
    row.timing = Timing{1.0, 0.01, 1.0, 11, 0.0, false};
    row.items = 1000;
    for (const char* key : {"one_of_many_columns", "two_of_many_columns", "three_of_many_columns"})
      row.found.emplace_back(key, static_cast<double>(results.rows.size()));
    results.rows.push_back(row);
  }
  const std::string table = table_report(results);
  EXPECT_TRUE(contains(table, "\n  layout grid2:\n  ploc")) << table;
  EXPECT_TRUE(contains(table, "\n  others:\n  peer/low")) << table;
}

/// A row of `bench rays`: workload, builder, number of rays, time, spread.
struct RaysRow {
  std::string workload, builder;
  u64 rays;
  double ms, spread = 0.001;
};

Results rays_of(const std::vector<RaysRow>& rows) {
  Results results;
  results.title = "Rays";
  results.noise = 0.01;
  results.experiments = {{"rays", "Rays through scenes", "", "rays", true}};
  for (const RaysRow& r : rows) {
    Row row;
    row.experiment = "rays";
    row.axes = {{"scene", std::string("atrium")},
                {"workload", r.workload},
                {"builder", r.builder},
                {"layout", std::string("grid2")},
                {"pipeline", std::string("-")}};
    row.timing = Timing{r.ms, r.spread, r.ms, 11, 0.0, false};
    row.items = r.rays;
    row.found = {{"rays", r.rays},         {"triangles", u64{60000}}, {"build_ms", 12.5},
                 {"bytes_per_tri", 65.25}, {"nodes_per_ray", r.ms},   {"tris_per_ray", 3.0},
                 {"disagree_ppm", 0.0}};
    results.rows.push_back(row);
  }
  return results;
}

std::string all_findings(const Results& results) {
  std::string all;
  for (const std::string& finding : findings_of(results)) all += finding + "\n";
  return all;
}

TEST(Findings, call_no_work_faster_than_other_work) {
  const std::string found =
      all_findings(rays_of({{"diff2", "sbvh", 488, 0.095}, {"random", "sbvh", 460800, 356.0}}));
  EXPECT_FALSE(contains(found, "fastest")) << found;
  EXPECT_FALSE(contains(found, " ms")) << found;
  EXPECT_EQ(found,
            "rays: rates go from 1.29 M rays/s (workload random) to 5.14 M rays/s (workload "
            "diff2).\n");
}

TEST(Findings, compare_what_does_the_same_work_by_its_rate) {
  const std::string found = all_findings(rays_of({{"primary", "sbvh", 1000000, 2.0},
                                                  {"primary", "fast", 1000000, 3.0},
                                                  {"random", "sbvh", 4000000, 9.0},
                                                  {"random", "fast", 4000000, 8.0}}));
  EXPECT_EQ(found,
            "rays: sbvh is fastest (500 M rays/s), fast is slowest (333 M rays/s, 1.50x), with "
            "workload primary.\nrays: sbvh is the fastest, or within the noise of it, in 1 of 2 "
            "cases.\n");
}

TEST(Findings, claim_nothing_within_the_spread_of_the_samples) {
  EXPECT_EQ(all_findings(rays_of(
                {{"primary", "sbvh", 1000, 2.0, 0.3}, {"primary", "fast", 1000, 3.0, 0.3}})),
            "rays: no difference by builder beyond the noise.\n");
  // A row with little noise can't be compared with a row with much noise.
  EXPECT_TRUE(contains(all_findings(rays_of({{"primary", "sbvh", 1000, 2.0, 0.0},
                                             {"primary", "fast", 1000, 3.0, 1.28}})),
                       "no difference"));
  Results some = small({1.0, 1.5});
  for (Row& row : some.rows) row.timing->spread = 0.4;
  EXPECT_TRUE(contains(all_findings(some), "nowhere slower than none beyond the noise"));
  EXPECT_TRUE(contains(line_with(table_report(some), "  naive"), "~0 %"));
}

TEST(Findings, say_who_else_is_as_fast) {
  const std::string found = all_findings(rays_of({{"primary", "sbvh", 1000, 2.000},
                                                  {"primary", "fast", 1000, 2.001},
                                                  {"primary", "best", 1000, 3.0}}));
  EXPECT_TRUE(contains(found, "1 other is within the noise of it), best is slowest")) << found;
}

TEST(Noise, is_what_was_measured_and_stands_in_every_table) {
  const Results results = rays_of({{"primary", "sbvh", 1000, 2.0, 0.002},
                                   {"ao", "sbvh", 1000, 3.0, 0.011},
                                   {"random", "sbvh", 1000, 3.0, 1.28}});
  const std::string text = table_report(results);
  EXPECT_TRUE(contains(text, "spread of the samples ±0.2 % to ±128 %, median ±1.1 %")) << text;
  EXPECT_TRUE(contains(line_with(text, "  workload"), "spread")) << text;
  EXPECT_TRUE(contains(line_with(text, "  random"), "±128 %")) << text;
  for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), kTextWidth) << line;
  const auto json = nlohmann::json::parse(json_report(results));
  EXPECT_TRUE(contains(json["noise"].get<std::string>(), "±128 %"));
}

TEST(TableReport, explains_only_the_columns_that_it_shows) {
  Results results = rays_of({{"primary", "a-builder-of-a-long-name", 1000, 2.0},
                             {"primary16", "a-builder-of-a-longer-name", 1000, 3.0}});
  for (Row& row : results.rows) {
    row.found.emplace_back("crossings_per_ray", row.timing->median_ms);
    row.found.emplace_back("visits_per_triangle", row.timing->median_ms);
  }
  const std::string text = table_report(results);
  const std::string head = line_with(text, "  builder");
  for (const std::string column : {"time ms", "x naive", "over none", "~ ", "* "})
    EXPECT_EQ(contains(head, column), !line_with(text, "  " + column).empty()) << column << "\n"
                                                                               << text;
  EXPECT_FALSE(contains(head, "time ms")) << text;
  EXPECT_TRUE(line_with(table_report(small({1.0, 2.0})), "  ~").empty());
}

TEST(TableReport, says_once_what_is_the_same_in_all_rows) {
  const std::string text =
      table_report(rays_of({{"primary", "sbvh", 1000, 2.0}, {"ao", "sbvh", 1000, 3.0}}));
  EXPECT_TRUE(contains(text, "bytes/tri 65.2, tris/ray 3.00, disagree ppm 0.")) << text;
  EXPECT_FALSE(contains(line_with(text, "  workload"), "disagree")) << text;
}

TEST(Reports, are_known_by_name) {
  EXPECT_EQ(report("csv", small({1.0})), csv_report(small({1.0})));
  EXPECT_TRUE(
      contains(message_of<UsageError>([] { report("pdf", {}); }), "table, csv, json, html"));
}

TEST(Measure, takes_enough_samples_of_slow_things_to_know_their_spread) {
  const Timing timing =
      measure([](u32 runs) { return std::vector<double>(runs, 5000.0); }, MeasureOptions{});
  EXPECT_EQ(timing.runs, 3u);
}

}  // namespace reports_test
}  // namespace ballotcast::detail
