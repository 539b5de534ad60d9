#include "support/text.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "compare/suite/accept.hpp"
#include "compare/suite/reports/reports.hpp"

namespace ballotcast::detail {

namespace {

std::string count_in_words(std::size_t count, std::string_view words) {
  return grouped(count) + " " + std::string(words);
}

/// The number of results per verdict: "38 same, 1 different, 2 skipped".
std::string verdicts_in_words(const SuiteRun& run) {
  std::string words;
  for (const CaseVerdictInfo& row : case_verdicts())
    if (const std::size_t count = run.count(row.verdict); count > 0)
      words += (words.empty() ? "" : ", ") + count_in_words(count, row.words);
  return words;
}

/// The part of the report about skipped results, grouped by reason.
std::string skipped_of(const SuiteRun& run) {
  std::vector<std::pair<std::string, std::size_t>> reasons;
  for (const SuiteResult& result : run.results) {
    if (result.judgement.verdict != CaseVerdict::skipped) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
      return reason.first == result.judgement.why;
    });
    if (known == reasons.end())
      reasons.emplace_back(result.judgement.why, 1);
    else
      ++known->second;
  }
  std::string out;
  for (const auto& [why, count] : reasons)
    out += wrapped("skipped " + counted(count, "case") + ": " + why, 0);
  return out;
}

/// The part of the report with the commands that approve the failed cases. Each command is on one
/// line, because a wrapped command can't be pasted. If there are many commands, refers to the HTML
/// page instead.
std::string approvals_of(const Suite& suite, const SuiteRun& run) {
  std::vector<std::string> lines;
  for (const SuiteResult& result : run.results) {
    if (!can_be_accepted(result.judgement.verdict)) continue;
    const std::string line =
        "approve: " + accept_command_for(suite, result.suite_case->name).with_placeholder() + "\n";
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  if (lines.size() > kMostWithoutPage)
    return wrapped("To approve: look at the page (--html FILE); it has the command of each case.",
                   0);
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

std::string controls_of(const SuiteRun& run) {
  if (run.controls.empty()) return "";
  std::string caught, missed;
  std::size_t tried = 0, count = 0;
  for (const ControlResult& control : run.controls) {
    if (!control.tried) continue;
    ++tried;
    count += control.noticed ? 1 : 0;
    std::string& list = control.noticed ? caught : missed;
    list += (list.empty() ? "" : ", ") + control.name;
  }
  std::string out = std::to_string(count) + " of " + std::to_string(tried) +
                    " negative controls were noticed: " + caught;
  if (!missed.empty()) out += "; NOT: " + missed;
  return wrapped(out + ".", 0);
}

/// The text about one acceptance, which follows the name of its case.
std::string text_of_entry(const HistoryEntry& acceptance) {
  const auto hash = [](const std::string& pixels) { return pixels.empty() ? "-" : pixels; };
  const std::string changed = acceptance.change_in_words();
  constexpr std::size_t kColumn = 14;  // column in which the text after the date begins
  return entry(acceptance.date, one_line(acceptance.reason), kColumn) +
         (changed.empty() ? "" : wrapped(one_line(changed), kColumn)) +
         wrapped("pixels " + hash(acceptance.old_pixels) + " -> " + hash(acceptance.new_pixels) +
                     ", version " + acceptance.version,
                 kColumn);
}

}  // namespace

std::string text_report(const Suite& suite, const SuiteRun& run) {
  std::string out;
  for (const SuiteResult& result : run.results) {
    const CaseVerdictInfo& info = info_of(result.judgement.verdict);
    if (info.outcome == CaseOutcome::failed)
      out += wrapped(std::string(info.words) + ": " + result.name(), 0) +
             wrapped(result.judgement.why, 2) +
             (result.judgement.needed.empty() ? "" : "needed: " + result.judgement.needed + "\n");
    if (result.judgement.verdict == CaseVerdict::within_limits)
      out += wrapped("within limits: " + result.name(), 0) + wrapped(result.judgement.why, 2);
  }
  out += approvals_of(suite, run) + skipped_of(run) + controls_of(run);
  for (const std::string& error : run.all_errors()) out += wrapped("FAIL: " + error + ".", 0);
  return out +
         wrapped(one_line(suite.path) + ": " + verdicts_in_words(run) + " in " +
                     time_in_words(run.milliseconds) + ".",
                 0) +
         (run.passed() ? "passed\n" : "FAILED\n");
}

std::string text_report(const Acceptance& a) {
  if (!a.changes)
    return wrapped(a.suite_case->name + ": nothing to accept, everything is as approved.", 0);
  std::string out = a.suite_case->name + (a.before ? ":\n" : ": new\n");
  std::size_t names = 0, widths = 3;
  for (const SuiteCheck& number : a.numbers) {
    if (number.same()) continue;
    names = std::max(names, columns_of(number.name));
    widths = std::max(widths, columns_of(number.expected));
  }
  const auto line = [&](const std::string& name, const std::string& old, const std::string& now) {
    const std::size_t room = std::max(widths, columns_of(old)) + columns_of(now) + 6;
    // The names do not fit on one line
    if (std::max(names, columns_of(name)) + room > kTextWidth) {
      out += wrapped(name + ":", 2) + wrapped(old + " -> " + now, 4);
      return;
    }
    out += "  " + name + std::string(names - std::min(names, columns_of(name)), ' ') + "  " + old +
           std::string(widths - std::min(widths, columns_of(old)), ' ') + "  " + now + "\n";
  };
  line("", "old", "new");
  for (const SuiteCheck& number : a.numbers)
    if (!number.same())
      line(number.name, number.expected.empty() ? "-" : number.expected,
           number.got.empty() ? "-" : number.got);
  out += wrapped(in_words(a.change), 2);
  if (!a.approved.golden_why.empty()) out += wrapped(a.approved.golden_why, 2);
  if (!a.skipped.empty())
    out += wrapped("Not drawn here: " + counted(a.skipped.size(), "setup") + " (" +
                       a.skipped.front() + (a.skipped.size() > 1 ? ", ..." : "") + ").",
                   2);
  return out;
}

std::string history_report(const Suite& suite, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    std::vector<HistoryEntry> entries = suite.history_of(name);
    std::reverse(entries.begin(), entries.end());
    out += name + ":\n";
    if (entries.empty()) out += wrapped("never accepted", 2);
    for (const HistoryEntry& entry : entries) out += text_of_entry(entry);
  }
  return out;
}

std::vector<std::string> names_in_history(const Suite& suite,
                                          const std::vector<std::string>& only) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  };
  for (const SuiteCase& c : suite.cases) add(c.name);
  for (const HistoryEntry& entry : suite.history) add(entry.name);
  if (only.empty()) return all;
  std::vector<std::string> chosen;
  for (const std::string& pattern : only)
    if (std::ranges::none_of(all, [&](const auto& name) { return fits(pattern, name); })) {
      const std::string best = nearest(pattern, all);
      throw UsageError(suite.path + " has no case '" + pattern + "', and never had one" +
                       (best.empty() ? "" : "; did you mean " + best + "?"));
    }
  for (const std::string& name : all)
    if (std::ranges::any_of(only, [&](const auto& pattern) { return fits(pattern, name); }))
      chosen.push_back(name);
  return chosen;
}

}  // namespace ballotcast::detail
