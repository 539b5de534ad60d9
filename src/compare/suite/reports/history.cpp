#include <algorithm>

#include "compare/suite/reports/reports.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// One acceptance, below the name of its case.
std::string text_of_entry(const HistoryEntry& it) {
  const auto hash = [](const std::string& pixels) { return pixels.empty() ? "-" : pixels; };
  const std::string changed = it.change_in_words();
  constexpr std::size_t kColumn = 14;  // behind the date
  return entry(it.date, one_line(it.reason), kColumn) +
         (changed.empty() ? "" : wrapped(one_line(changed), kColumn)) +
         wrapped("pixels " + hash(it.old_pixels) + " -> " + hash(it.new_pixels) + ", version " +
                     it.version,
                 kColumn);
}

}  // namespace

std::string history_report(const Suite& suite, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    std::vector<HistoryEntry> its = suite.history_of(name);
    std::reverse(its.begin(), its.end());
    out += name + ":\n";
    if (its.empty()) out += wrapped("never accepted", 2);
    for (const HistoryEntry& entry : its) out += text_of_entry(entry);
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
