#include <cstdio>

#include "compare/suite/reports/reports.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

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
