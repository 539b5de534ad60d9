// Writes the reports that programs read: JSON, and results for CI services.
#include <cmath>

#include "ballotcast/version.hpp"
#include "compare/ci_report.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

/// `value` as a JSON number; null for infinity and NaN, which JSON can't express.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of(const Comparison& c) {
  Json json{{"pixels", c.pixels},
            {"different_pixels", c.different},
            {"different_percent", c.percent_different()},
            {"color_different_pixels", c.color_different},
            {"alpha_different_pixels", c.alpha_different},
            {"max_error", c.max_error},
            {"largest_value", c.largest}};
  for (const MetricValue& value : c.values)
    json[std::string(value.metric->name)] = number_or_null(value.value);
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
  json["needed"] = j.needed.empty() ? Json() : Json(j.needed);
  if (!c.is_command()) {
    json["scene"] = c.scene.empty() ? Json() : Json(c.scene);
    json["shading"] = c.picture.shading;
    for (const CastSetting& axis : setup_axes())
      json[std::string(axis.key)] = json_of<CastSettings>(axis, result.setup);
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
                                 {"value", number_or_null(range.value)},
                                 {"kept", range.kept()}});
  return json;
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
  json["errors"] = run.all_errors();
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

namespace {

std::string needed_in_words(const CaseJudgement& judgement) {
  return judgement.needed.empty() ? "" : " To allow it: " + judgement.needed;
}

}  // namespace

std::vector<CiResult> ci_results(const Suite& suite, const SuiteRun& run) {
  std::vector<CiResult> all;
  for (const SuiteResult& result : run.results) {
    const CaseVerdictInfo& info = info_of(result.judgement.verdict);
    const CiOutcome outcome = info.outcome == CaseOutcome::failed    ? CiOutcome::failed
                              : info.outcome == CaseOutcome::skipped ? CiOutcome::skipped
                                                                     : CiOutcome::passed;
    all.push_back({suite.path, result.name(), outcome, std::string(info.words),
                   result.judgement.why + needed_in_words(result.judgement), suite.path,
                   result.milliseconds});
  }
  for (const ControlResult& control : run.controls)
    if (control.tried)
      all.push_back({"negative controls", control.name,
                     control.noticed ? CiOutcome::passed : CiOutcome::failed, "not noticed",
                     run.controls_on, suite.path, 0.0});
  for (const std::string& error : run.errors)
    all.push_back(
        {suite.path, "the run itself", CiOutcome::failed, "error", error, suite.path, 0.0});
  return all;
}

std::string junit_report(const Suite& suite, const SuiteRun& run) {
  return junit_xml(suite.path, ci_results(suite, run), run.milliseconds);
}

}  // namespace ballotcast::detail
