// Commands for suites of approved pictures. ballotcast regress tests whether scenes still look like
// their approved pictures. ballotcast accept approves changed pictures. ballotcast history shows
// who approved what, when and why, and what that changed.
#include <algorithm>
#include <memory>

#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "cli/this_process.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct RegressRequest {
  std::string suite;
  SuiteRequest run;
  std::string junit, html;
  bool strict = false;
  bool json = false;
  bool github = false;
};

/// Throws UsageError or OutputError for invalid requests, before any long work.
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
  if (r.github) remark_lines(github_annotations(ci_results(suite, run)));
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
      {results, "--github", "", "", "failures as annotations of GitHub, on stderr",
       set_flag(r->github)},
      {results, "--html", "FILE", "none", "one page to look at: pictures, differences, history",
       set_output(r->html)}};
  return {"regress", "draws the pictures of a suite and compares them with the approved ones",
          table, [r] { return regress(*r); }};
}

namespace {

struct AcceptRequest {
  std::string suite;
  std::vector<std::string> cases;
  std::string reason, html, reviewed;
  bool dry_run = false;
  bool retire = false;
  bool strict = false;
};

/// Throws UsageError or OutputError for invalid requests, before any long work.
void check(const AcceptRequest& r) {
  if (r.suite.empty()) throw UsageError("accept needs a suite, then the cases to accept");
  if (r.cases.empty())
    throw UsageError("accept needs the names of the cases to accept, after the suite");
  const std::string fault = fault_of_reason(r.reason);
  if (!fault.empty() && !r.dry_run)
    throw UsageError("accept needs a reason: --reason \"why the new picture is right\"" +
                     (r.reason.empty() ? "" : "; of the given one, " + fault));
  require_report_place("--html", r.html, "the numbers", kPage);
  if (r.reviewed.empty()) return;
  require_readable(r.reviewed);
  if (!r.html.empty() && same_file(r.html, r.reviewed))
    throw UsageError("--html and --reviewed name the same file '" + r.html +
                     "': review the page before you accept its pictures");
}

/// Prints the warnings about the scenes, each once.
void remark_warnings_of(const std::vector<Acceptance>& acceptances) {
  std::vector<std::string> all;
  for (const Acceptance& a : acceptances)
    for (const std::string& warning : a.warnings)
      if (std::ranges::find(all, warning) == all.end()) all.push_back(warning);
  remark_warnings(all);
}

/// The number of changed cases that probably nobody has looked at: they were chosen by a pattern
/// instead of their name, and no page was reviewed.
std::size_t unseen_in(const AcceptRequest& r, const std::vector<Acceptance>& acceptances) {
  return r.reviewed.empty() ? fitted_by_patterns(r.cases, acceptances) : 0;
}

/// Throws UsageError with a message that explains how to review the cases first.
[[noreturn]] void refuse_unseen(const AcceptRequest& r, std::size_t unseen) {
  const std::string page = r.html.empty() ? "FILE.html" : r.html;
  throw UsageError(
      "the patterns match " + std::to_string(unseen) +
      " changed cases; without a reviewed page at most " + std::to_string(kMostWithoutPage) +
      " can be accepted: " +
      (r.html.empty() ? "write a page of them (--dry-run --html " + page + "), " : "") +
      "look at " + (r.html.empty() ? "it" : page) + ", then run again with --reviewed " + page +
      ", or name each case");
}

int retire_cases(Suite& suite, const AcceptRequest& r) {
  const std::vector<std::string> names = to_retire(suite, r.cases);
  std::string text;
  for (const std::string& name : names) text += "  " + name + "\n";
  if (!r.dry_run) retire(suite, names, r.reason, today());
  print(text + (r.dry_run ? "nothing was written: --dry-run\n"
                          : "removed " + counted(names.size(), "approval") + "\n"));
  return 0;
}

int accept_cases(const AcceptRequest& r) {
  check(r);
  Suite suite = load_suite(r.suite);
  suite.strict = r.strict;
  suite.program = called_program();
  require_none_of("--html", r.html, files_of(suite));
  if (!r.dry_run) require_writable(r.suite);
  if (r.retire) return retire_cases(suite, r);
  const std::vector<Acceptance> acceptances = to_accept(suite, r.cases);
  remark_warnings_of(acceptances);
  if (!r.reviewed.empty()) require_reviewed(r.reviewed, acceptances);
  std::string text;
  std::size_t changes = 0;
  for (const Acceptance& a : acceptances) {
    text += text_report(a);
    changes += a.changes ? 1 : 0;
  }
  const std::size_t unseen = unseen_in(r, acceptances);
  const bool approves = !r.dry_run && unseen <= kMostWithoutPage;
  // The page is made before approval replaces the old pictures.
  const std::string page =
      r.html.empty() ? "" : pictures_page(page_of(suite, acceptances, approves ? r.reason : ""));
  const auto write_page = [&] {
    if (!r.html.empty()) write_text_atomically(r.html, page);
  };
  if (!r.dry_run && !approves) {
    write_page();
    refuse_unseen(r, unseen);
  }
  if (r.dry_run) {
    write_page();
    print(text + "nothing was written: --dry-run\n");
    return 0;
  }
  if (changes != 0) accept(suite, acceptances, r.reason, today());
  write_page();
  print(text + "accepted " + std::to_string(changes) + " of " + std::to_string(acceptances.size()) +
        (acceptances.size() == 1 ? " case\n" : " cases\n"));
  return 0;
}

}  // namespace

Command accept_command() {
  const auto r = std::make_shared<AcceptRequest>();
  std::vector<Option> table = {
      {"What", "SUITE", "FILE", "", "the suite", set_text(r->suite), false, true},
      {"What", "CASE", "NAME", "", "the cases to accept: names, or patterns with * and ?",
       set_texts(r->cases), true, true},
      {"What", "--reason", "TEXT", "", "why the new picture is right; kept in the history",
       set_text(r->reason)},
      {"What", "--retire", "", "", "remove the approvals with these names that are no longer cases",
       set_flag(r->retire)},
      strict_option(r->strict, "What"),
      {"What", "--dry-run", "", "", "show old and new, write nothing", set_flag(r->dry_run)},
      {"What", "--html", "FILE", "none", "old and new pictures side by side, on one page",
       set_output(r->html)},
      {"What", "--reviewed", "FILE", "none",
       "the page of --html that you have reviewed; required if patterns match more than " +
           std::to_string(kMostWithoutPage) + " changed cases; only what it shows is accepted",
       set_text(r->reviewed)}};
  return {"accept", "approves pictures of a suite, with a reason", table,
          [r] { return accept_cases(*r); }};
}

namespace {

struct HistoryRequest {
  std::string suite;
  std::vector<std::string> cases;
};

int history(const HistoryRequest& r) {
  if (r.suite.empty()) throw UsageError("history needs a suite, a .json file");
  const Suite suite = load_suite(r.suite);
  print(history_report(suite, names_in_history(suite, r.cases)));
  return 0;
}

}  // namespace

Command history_command() {
  const auto r = std::make_shared<HistoryRequest>();
  std::vector<Option> table = {
      {"What", "SUITE", "FILE", "", "the suite", set_text(r->suite), false, true},
      {"What", "CASE", "NAME", "all cases", "names of cases, or patterns with * and ?",
       set_texts(r->cases), true, false}};
  return {"history", "shows when and why pictures of a suite were approved, the newest first",
          table, [r] { return history(*r); }};
}

}  // namespace ballotcast::detail
