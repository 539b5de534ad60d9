// Reports for programs: JSON, and JUnit's XML for CI services.
#include <cmath>
#include <cstdio>

#include "ballotcast/version.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

/// A JSON number; null for infinity and NaN, which JSON can't express.
Json number_of(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of(const Comparison& c) {
  Json json{{"pixels", c.pixels},
            {"different_pixels", c.different},
            {"different_percent", c.percent_different()},
            {"color_different_pixels", c.color_different},
            {"alpha_different_pixels", c.alpha_different},
            {"max_error", c.max_error},
            {"largest_value", c.largest}};
  for (const MetricValue& value : c.values)
    json[std::string(value.metric->name)] = number_of(value.value);
  if (c.worst)
    json["worst"] = {{"x", c.worst->x},
                     {"y", c.worst->y},
                     {"reference_rgba", c.worst->reference},
                     {"result_rgba", c.worst->result}};
  return json;
}

Json json_of(const SuiteResult& result) {
  const SuiteCase& c = *result.suite_case;
  const CaseJudgement& j = result.judgement;
  Json json{{"case", c.name}, {"verdict", info_of(j.verdict).words}, {"why", j.why}};
  if (!c.is_command()) {
    json["scene"] = c.scene.empty() ? Json() : Json(c.scene);
    json["shading"] = c.picture.shading;
    json["device"] = result.setup.device;
    json["pipeline"] = result.setup.pipeline;
    json["atomics"] = result.setup.atomics;
    json["layout"] = result.setup.layout;
    json["block_size"] = result.setup.block_size;
  }
  json["time_ms"] = result.milliseconds;
  json["checks"] = Json::array();
  for (const SuiteCheck& check : j.checks)
    json["checks"].push_back({{"name", check.name},
                              {"expected", check.expected},
                              {"got", check.got},
                              {"same", check.same()}});
  if (j.comparison) json["comparison"] = json_of(*j.comparison);
  for (const JudgedRange& range : j.ranges)
    json["tolerance"].push_back({{"measure", range.range.measure},
                                 {"low", range.range.low},
                                 {"high", range.range.high},
                                 {"value", number_of(range.value)},
                                 {"kept", range.kept()}});
  return json;
}

/// Text for an XML attribute. Control characters become "?", and invalid UTF-8 becomes U+FFFD.
std::string attribute(const std::string& words) {
  const std::string text =
      Json::parse(Json(words).dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string seconds(double milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", milliseconds * 1e-3);
  return text;
}

std::string testcase(const std::string& group, const std::string& name, double milliseconds,
                     const std::string& inside) {
  return "    <testcase classname=\"" + attribute(group) + "\" name=\"" + attribute(name) +
         "\" time=\"" + seconds(milliseconds) + "\"" +
         (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
}

std::string failure(const std::string& type, const std::string& message) {
  return "<failure type=\"" + attribute(type) + "\" message=\"" + attribute(message) + "\"/>";
}

}  // namespace

std::string json_report(const Suite& suite, const SuiteRun& run) {
  Json json{{"format", "ballotcast regression"},
            {"format_version", 1},
            {"version", version()},
            {"suite", suite.path},
            {"passed", run.passed()},
            {"time_ms", run.milliseconds}};
  for (const CaseVerdictInfo& row : case_verdicts())
    json["verdicts"][std::string(row.words)] = run.count(row.verdict);
  json["machines"] = Json::object();
  for (const auto& [device, words] : run.machines) json["machines"][device] = words;
  json["complaints"] = run.all_complaints();
  json["controls"] = Json::array();
  for (const ControlResult& control : run.controls)
    json["controls"].push_back({{"name", control.name},
                                {"tried", control.tried},
                                {"noticed", control.noticed},
                                {"why", control.why}});
  json["results"] = Json::array();
  for (const SuiteResult& result : run.results) json["results"].push_back(json_of(result));
  return text_of(json);
}

std::string junit_report(const Suite& suite, const SuiteRun& run) {
  std::string cases;
  std::size_t tests = run.results.size(), failures = run.count(CaseOutcome::failed);
  for (const SuiteResult& result : run.results) {
    const CaseVerdictInfo& info = info_of(result.judgement.verdict);
    std::string inside;
    if (info.outcome == CaseOutcome::failed)
      inside = failure(std::string(info.words), result.judgement.why);
    if (info.outcome == CaseOutcome::skipped)
      inside = "<skipped message=\"" + attribute(result.judgement.why) + "\"/>";
    cases += testcase(suite.path, result.name(), result.milliseconds, inside);
  }
  for (const ControlResult& control : run.controls) {
    if (!control.tried) continue;
    ++tests;
    failures += control.noticed ? 0 : 1;
    cases += testcase("negative controls", control.name, 0.0,
                      control.noticed ? "" : failure("not noticed", run.controls_on));
  }
  for (const std::string& complaint : run.complaints) {
    ++tests;
    ++failures;
    cases += testcase(suite.path, "the run itself", 0.0, failure("complaint", complaint));
  }
  const std::string counts = " tests=\"" + std::to_string(tests) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"0\" skipped=\"" +
                             std::to_string(run.count(CaseOutcome::skipped)) + "\" time=\"" +
                             seconds(run.milliseconds) + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
         ">\n  <testsuite name=\"" + attribute(suite.path) + "\"" + counts + ">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

}  // namespace ballotcast::detail
