#include <map>

#include "ballotcast/error.hpp"
#include "ballotcast/version.hpp"
#include "compare/pictures_page.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/reports/reports.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

PageOutcome outcome_of(CaseOutcome outcome) {
  switch (outcome) {
    case CaseOutcome::ok:
      return PageOutcome::ok;
    case CaseOutcome::failed:
      return PageOutcome::failed;
    case CaseOutcome::skipped:
      break;
  }
  return PageOutcome::skipped;
}

/// The content of the golden's file; empty if there is none.
std::vector<u8> golden_of(const Suite& suite, const std::string& name) {
  const Approval* approval = suite.approval_of(name);
  if (!approval) return {};
  try {
    return read_file(suite.beside(approval->golden));
  } catch (const InputError&) {
    return {};
  }
}

void add_history(PageCase& page, const Suite& suite, const std::string& name) {
  for (const HistoryEntry& entry : suite.history_of(name))
    page.history.insert(page.history.begin(),
                        {entry.date, entry.reason, entry.version, entry.old_pixels,
                         entry.new_pixels, entry.change_in_words()});
}

PageApproval page_approval_of(const Suite& suite, const std::string& name) {
  const AcceptCommand command = accept_command_for(suite, name);
  return {name, command.before, command.after, folder_of_commands(suite)};
}

PageWords axes_of(const SuiteCase& c) {
  if (c.is_command()) return {{"command", c.command.front()}};
  return {{"scene", c.scene.empty() ? "built-in" : c.scene},
          {"shading", c.picture.shading.empty() ? "the scene's" : c.picture.shading},
          {"size", std::to_string(c.picture.width) + "x" + std::to_string(c.picture.height)}};
}

/// The page's entry for a result whose verdict is not `same`.
PageCase page_case_of(const Suite& suite, const SuiteResult& result) {
  const SuiteCase& c = *result.suite_case;
  const CaseJudgement& j = result.judgement;
  PageCase page;
  page.name = result.name();
  page.verdict = info_of(j.verdict).words;
  page.outcome = outcome_of(info_of(j.verdict).outcome);
  page.why = j.why;
  page.needed = j.needed;
  page.axes = axes_of(c);
  if (!c.is_command())
    for (const CastSetting& axis : setup_axes())
      page.axes.emplace_back(axis.key, axis.text(result.setup));
  page.pictures.reference = golden_of(suite, c.name);
  page.pictures.result = result.drawing.png;
  page.pictures.result_is_reference =
      !page.pictures.result.empty() && page.pictures.result == page.pictures.reference;
  if (j.comparison)
    add_comparison(page,
                   paired(result.approved.golden, result.drawing.image, result.approved.options),
                   *j.comparison);
  for (const JudgedRange& range : j.ranges)
    set_limit(page, range.range.measure, page_number(range.value),
              "from " + page_number(range.range.low) + " to " + page_number(range.range.high),
              range.kept());
  for (const SuiteCheck& check : j.checks)
    page.checks.push_back({check.name, check.expected, check.got, check.same()});
  if (can_be_accepted(j.verdict)) page.approval = page_approval_of(suite, c.name);
  add_history(page, suite, c.name);
  return page;
}

/// One entry of the page for all setups of a case whose verdict is `same`.
PageCase page_case_of_same(const Suite& suite, const SuiteCase& c,
                           const std::vector<const SuiteResult*>& results) {
  PageCase page;
  page.name = c.name;
  page.verdict = info_of(CaseVerdict::same).words;
  page.axes = axes_of(c);
  std::string setups;
  for (const SuiteResult* result : results)
    if (result->setup.has_device())
      setups += (setups.empty() ? "" : "; ") + result->setup.in_words();
  if (!setups.empty()) page.why = "Every bit is as approved on " + setups + ".";
  page.pictures.reference = golden_of(suite, c.name);
  page.pictures.result_is_reference = true;
  for (const SuiteCheck& check : results.front()->judgement.checks)
    page.checks.push_back({check.name, check.expected, check.got, check.same()});
  add_history(page, suite, c.name);
  return page;
}

std::string verdict_of(const Acceptance& a) {
  return !a.changes ? "as approved" : a.before ? "changed" : "new";
}

/// The page's summary: "2 cases are to be approved: 1 changed, 1 new. 3 are as approved."
std::string summary_of(const std::vector<Acceptance>& acceptances, const std::string& reason) {
  std::map<std::string, std::size_t> counts;
  for (const Acceptance& a : acceptances) ++counts[verdict_of(a)];
  const std::size_t kept = counts["as approved"], changes = acceptances.size() - kept;
  if (changes == 0) return "Nothing to approve: no case has changed.";
  std::string words =
      counted(changes, "case") +
      (reason.empty() ? changes == 1 ? " is to be approved: " : " are to be approved: "
       : changes == 1 ? " was approved: "
                      : " were approved: ");
  if (counts["changed"] > 0) words += grouped(counts["changed"]) + " changed";
  if (counts["new"] > 0)
    words += (counts["changed"] > 0 ? ", " : "") + grouped(counts["new"]) + " new";
  if (kept > 0) words += "; " + grouped(kept) + (kept == 1 ? " is" : " are") + " as before";
  return words + ".";
}

}  // namespace

PagePictures page_of(const Suite& suite, const SuiteRun& run) {
  PagePictures page;
  page.title = suite.path + (run.passed() ? ": passed" : ": FAILED");
  page.facts = {{"suite", suite.path},
                {"version", version()},
                {"commit", commit()},
                {"time", time_in_words(run.milliseconds)}};
  for (const auto& [device, words] : run.machines) page.facts.emplace_back(device, words);
  page.notes = run.all_errors();
  for (const ControlResult& control : run.controls)
    if (control.tried)
      page.notes.push_back("negative control \"" + control.name + "\" was " +
                           (control.noticed
                                ? "noticed" + (control.why.empty() ? "" : ": " + control.why)
                                : "NOT noticed"));
  std::map<const SuiteCase*, std::vector<const SuiteResult*>> same;
  for (const SuiteResult& result : run.results)
    if (result.judgement.verdict == CaseVerdict::same) same[result.suite_case].push_back(&result);
  for (const SuiteResult& result : run.results) {
    if (result.judgement.verdict != CaseVerdict::same) {
      page.cases.push_back(page_case_of(suite, result));
      continue;
    }
    const std::vector<const SuiteResult*>& alike = same[result.suite_case];
    if (alike.front() == &result)
      page.cases.push_back(page_case_of_same(suite, *result.suite_case, alike));
  }
  return page;
}

PagePictures page_of(const Suite& suite, const std::vector<Acceptance>& acceptances,
                     const std::string& reason) {
  PagePictures page;
  page.title = suite.path + (reason.empty() ? kReviewTitle : kApprovedTitle);
  page.summary = summary_of(acceptances, reason);
  page.facts = {{"suite", suite.path}, {"version", version()}, {"commit", commit()}};
  if (!reason.empty()) page.facts.emplace_back("reason", reason);
  for (const Acceptance& a : acceptances) {
    PageCase item;
    item.name = a.suite_case->name;
    item.verdict = verdict_of(a);
    item.outcome = a.changes ? PageOutcome::to_review : PageOutcome::ok;
    item.why = a.approved.golden_why;
    item.axes = axes_of(*a.suite_case);
    item.pictures.reference = golden_of(suite, item.name);
    item.pictures.result = a.drawing.png;
    item.pictures.result_is_reference = item.pictures.result == item.pictures.reference;
    if (a.comparison)
      add_comparison(item, paired(a.approved.golden, a.drawing.image, a.approved.options),
                     *a.comparison);
    for (const SuiteCheck& number : a.numbers)
      item.checks.push_back({number.name, number.expected, number.got, number.same()});
    if (a.changes && reason.empty()) item.approval = page_approval_of(suite, item.name);
    add_history(item, suite, item.name);
    page.cases.push_back(std::move(item));
  }
  return page;
}

}  // namespace ballotcast::detail
