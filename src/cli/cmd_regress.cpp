// ballotcast regress: tests whether the pictures of a suite are still the approved ones.
#include <memory>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/scene_options.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

struct RegressRequest {
  std::string suite;
  SuiteRequest run;
  std::string junit, html;
  bool strict = false;
  bool json = false;
};

/// Refuses invalid requests before any long work.
void check(const RegressRequest& r) {
  if (r.suite.empty()) throw UsageError("regress needs a suite, a .json file");
  require_report_place("--junit", r.junit, "the results", kJunit);
  require_report_place("--html", r.html, "the results", kPage);
  if (!r.junit.empty() && same_file(r.junit, r.html))
    throw UsageError("--junit and --html name the same file '" + r.html + "'");
}

int regress(RegressRequest& r) {
  check(r);
  Suite suite = load_suite(r.suite);
  suite.strict = r.strict;
  suite.program = called_program();
  require_none_of("--junit", r.junit, files_of(suite));
  require_none_of("--html", r.html, files_of(suite));
  SuiteRun run;
  {
    ProgressBar bar("cases");
    r.run.progress = bar.report();
    run = run_suite(suite, r.run);
  }
  remark_warnings(run.warnings);
  if (!r.junit.empty()) write_text_atomically(r.junit, junit_report(suite, run));
  if (!r.html.empty()) write_text_atomically(r.html, pictures_page(page_of(suite, run)));
  print(r.json ? json_report(suite, run) : text_report(suite, run));
  return run.passed() ? 0 : 1;
}

}  // namespace

Command regress_command() {
  const auto r = std::make_shared<RegressRequest>();
  const std::vector<std::string_view> devices = names_of(backends());
  const std::string what = "What", results = "Results";
  std::vector<Option> table = {
      {what, "SUITE", "FILE", "", "the suite: which pictures must stay as they are",
       set_text(r->suite), false, true},
      {what, "--only", "LIST", "all cases", "names of cases, or patterns with * and ?",
       set_texts(r->run.only), true},
      {what, "--device", "LIST", "each case's",
       "where to draw: " + joined(devices) +
           "; or several machines, which share the work: cuda:0,2",
       set_devices(r->run.devices), true},
      {what, "--require", "LIST", "none", "devices that must be usable; otherwise the run fails",
       set_devices(r->run.require), true},
      {what, "--jobs", "N", "1", "scenes to draw at once; each alone uses all cores",
       set_count(r->run.jobs, 1, 256)},
      strict_option(r->strict, what),
      {results, "--json", "", "", "results as JSON on stdout", set_flag(r->json)},
      {results, "--junit", "FILE", "none", "results as JUnit's XML, for CI services",
       set_output(r->junit)},
      {results, "--html", "FILE", "none", "one page to look at: pictures, differences, history",
       set_output(r->html)}};
  return {"regress", "draws the pictures of a suite and compares them with the approved ones",
          table, [r] { return regress(*r); }};
}

}  // namespace ballotcast::detail
