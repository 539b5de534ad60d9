// ballotcast accept: approves pictures of a suite, with a reason.
#include <memory>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct AcceptRequest {
  std::string suite;
  std::vector<std::string> cases;
  std::string reason, html;
  bool dry_run = false;
  bool retire = false;
  bool strict = false;
};

/// Refuses invalid requests before any long work.
void check(const AcceptRequest& r) {
  if (r.suite.empty()) throw UsageError("accept wants a suite, then the cases to accept");
  if (r.cases.empty())
    throw UsageError("accept wants the names of the cases to accept, after the suite");
  const bool said = r.reason.find_first_not_of(" \t\n") != r.reason.npos;
  if (!said && !r.dry_run)
    throw UsageError("accept wants a reason: --reason \"why it is right now\"");
  require_report_place("--html", r.html, "the numbers");
}

int retire_cases(Suite& suite, const AcceptRequest& r) {
  const std::vector<std::string> names = to_retire(suite, r.cases);
  std::string text;
  for (const std::string& name : names) text += "  " + name + "\n";
  if (!r.dry_run) retire(suite, names, r.reason, today());
  print(text + (r.dry_run ? "nothing was written: --dry-run\n"
                          : "took out " + counted(names.size(), "approval") + "\n"));
  return 0;
}

int accept_cases(const AcceptRequest& r) {
  check(r);
  Suite suite = load_suite(r.suite);
  suite.strict = r.strict;
  require_none_of("--html", r.html, files_of(suite));
  if (!r.dry_run) require_writable(r.suite);
  if (r.retire) return retire_cases(suite, r);
  const std::vector<Acceptance> acceptances = to_accept(suite, r.cases);
  std::string text;
  std::size_t changes = 0;
  for (const Acceptance& a : acceptances) {
    remark_warnings(a.warnings);
    text += text_report(a);
    changes += a.changes ? 1 : 0;
  }
  if (!r.html.empty()) {
    write_text_atomically(r.html, pictures_page(page_of(suite, acceptances)));
  }
  if (r.dry_run) {
    print(text + "nothing was written: --dry-run\n");
    return 0;
  }
  if (changes != 0) accept(suite, acceptances, r.reason, today());
  print(text + "accepted " + std::to_string(changes) + " of " + std::to_string(acceptances.size()) +
        (acceptances.size() == 1 ? " case\n" : " cases\n"));
  return 0;
}

}  // namespace

Command accept_command() {
  const auto r = std::make_shared<AcceptRequest>();
  std::vector<Option> table = {
      {"What", "SUITE", "FILE", "", "the suite", set_text(r->suite)},
      {"What", "CASE", "NAME", "", "the cases to accept: names, or patterns with * and ?",
       set_texts(r->cases), true},
      {"What", "--reason", "TEXT", "", "why the new picture is right; kept in the suite's history",
       set_text(r->reason)},
      {"What", "--retire", "", "",
       "take out what was approved of these names and is no longer a case", set_flag(r->retire)},
      strict_option(r->strict, "What"),
      {"What", "--dry-run", "", "", "show old and new, write nothing", set_flag(r->dry_run)},
      {"What", "--html", "FILE", "none", "old and new beside each other, on one page",
       set_text(r->html)}};
  return {"accept", "approves pictures of a suite, with a reason", table,
          [r] { return accept_cases(*r); }};
}

}  // namespace ballotcast::detail
