#include "compare/suite/accept.hpp"

#include <algorithm>
#include <filesystem>

#include "ballotcast/frame.hpp"
#include "ballotcast/version.hpp"
#include "compare/suite/fingerprint.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// Throws InputError if someone else has edited the suite or accepted pictures meanwhile.
void require_unchanged(const Suite& suite) {
  const std::vector<u8> now = read_file(suite.path);
  if (std::string(now.begin(), now.end()) != suite.text)
    throw InputError(suite.path +
                     " was changed while its pictures were drawn; nothing was accepted");
}

void save(Suite& suite) {
  require_unchanged(suite);
  suite.text = text_of(suite);
  write_text_atomically(suite.path, suite.text);
}

/// The approval that a drawing would get, without counters.
Approval approval_of(const Suite& suite, const SuiteCase& c, const Drawing& drawing,
                     CaseRenderer& renderer_of_cases) {
  Approval a;
  a.golden = golden_name(suite, c.name);
  a.pixels = fingerprint(drawing.image);
  a.settings = c.settings_hash;
  if (c.is_command()) return a;
  a.hits = hash_of(drawing.hits);
  a.rays = drawing.counts.rays;
  a.files = renderer_of_cases.files_of(c);
  return a;
}

std::vector<SuiteCheck> numbers_of(const Acceptance& a) {
  const Approval none, &old = a.before ? *a.before : none, &now = a.after;
  const auto number = [&](u64 value) { return a.before ? std::to_string(value) : ""; };
  const SampledImage& golden = a.approved.golden;
  std::vector<SuiteCheck> numbers{
      {"size", golden.samples.empty() ? "" : size_of(golden), size_of(a.drawing.image)},
      {"pixels", old.pixels, now.pixels},
      {"settings", old.settings, now.settings}};
  if (!now.hits.empty()) {
    numbers.push_back({"hits", old.hits, now.hits});
    numbers.push_back({"rays", number(old.rays), std::to_string(now.rays)});
  }
  const auto compare_maps = [&](const auto& before, const auto& after, auto in_words,
                                const std::string& kind) {
    for (const auto& [key, value] : after) {
      const auto was = before.find(key);
      numbers.push_back(
          {kind + key, was == before.end() ? "" : in_words(was->second), in_words(value)});
    }
    for (const auto& [key, value] : before)
      if (!after.contains(key)) numbers.push_back({kind + key, in_words(value), ""});
  };
  compare_maps(
      old.files, now.files, [](const std::string& hash) { return hash; }, "file ");
  compare_maps(
      old.counters, now.counters, [](const ApprovedCount& count) { return count.in_words(); },
      "counter ");
  return numbers;
}

Acceptance acceptance_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases) {
  Acceptance a;
  a.suite_case = &c;
  a.approved = approved_of(suite, c, renderer_of_cases);
  if (a.approved.approval) a.before = *a.approved.approval;
  std::string first;  // the setup that drew the picture
  std::map<std::string, ApprovedCount> counters;
  for (const Setup& setup : setups_of(c)) {
    Drawing drawing = renderer_of_cases.draw(c, setup);
    if (!drawing.skipped.empty()) {
      a.skipped.push_back(setup.in_words());
      continue;
    }
    const Approval its = approval_of(suite, c, drawing, renderer_of_cases);
    const auto refuse = [&](const char* what) {
      throw InputError(suite.path + ": " + c.name + " has other " + what + " on " +
                       setup.in_words() + " than on " + first +
                       ": only one picture per case can be accepted");
    };
    if (first.empty()) {
      first = setup.in_words();
      a.after = its;
      a.drawing = drawing;
      a.drawing.hits = {};
    }
    if (its.pixels != a.after.pixels) refuse("pixels");
    if (its.hits != a.after.hits) refuse("hits");
    if (c.is_command()) continue;
    const ApprovedCount count{drawing.counts.passes, drawing.counts.counter};
    const auto [known, added] = counters.try_emplace(setup.counter_key(), count);
    if (!added && known->second != count) refuse("counters");
  }
  if (first.empty())
    throw InputError(suite.path + ": " + c.name + " can't be drawn on any of its setups here");
  // Counters of setups that exist only on another machine are kept, if everything else is
  // unchanged.
  const bool as_before = a.before && a.before->pixels == a.after.pixels &&
                         a.before->hits == a.after.hits && a.before->settings == a.after.settings;
  if (as_before && !a.skipped.empty()) a.after.counters = a.before->counters;
  for (const auto& [key, count] : counters) a.after.counters[key] = count;

  if (!c.is_command()) a.warnings = renderer_of_cases.scene_of(c)->warnings;
  if (!a.drawing.remark.empty()) a.warnings.push_back(c.name + ": " + a.drawing.remark);
  const SampledImage& golden = a.approved.golden;
  if (golden.width == a.drawing.image.width && golden.height == a.drawing.image.height)
    a.comparison = compare(golden, a.drawing.image);
  a.numbers = numbers_of(a);
  a.changes = !a.approved.golden_why.empty() ||
              std::any_of(a.numbers.begin(), a.numbers.end(),
                          [](const SuiteCheck& number) { return !number.same(); });
  return a;
}

}  // namespace

std::vector<std::string> to_retire(const Suite& suite, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& pattern : names) {
    const std::size_t before = found.size();
    for (const auto& [name, approval] : suite.approved)
      if (fits(pattern, name) &&
          std::ranges::find(suite.cases, name, &SuiteCase::name) == suite.cases.end())
        found.push_back(name);
    if (found.size() == before)
      throw UsageError(suite.path + " has no approval '" + pattern + "' without a case");
  }
  return found;
}

void retire(Suite& suite, const std::vector<std::string>& names, const std::string& reason,
            const std::string& date) {
  std::vector<std::string> goldens;
  for (const std::string& name : names) {
    const Approval old = suite.approved.at(name);
    goldens.push_back(suite.beside(old.golden));
    suite.approved.erase(name);
    suite.history.push_back({name, date, version(), reason, old.pixels, "", old.hits, ""});
  }
  save(suite);
  // A current case may have the same name.
  for (const auto& [name, approval] : suite.approved)
    std::erase(goldens, suite.beside(approval.golden));
  std::error_code ignored;
  for (const std::string& golden : goldens) fs::remove(golden, ignored);
}

std::vector<Acceptance> to_accept(const Suite& suite, const std::vector<std::string>& names) {
  CaseRenderer renderer_of_cases(suite);
  std::vector<Acceptance> all;
  for (const SuiteCase* c : chosen_cases(suite, names))
    all.push_back(acceptance_of(suite, *c, renderer_of_cases));
  return all;
}

void accept(Suite& suite, const std::vector<Acceptance>& acceptances, const std::string& reason,
            const std::string& date) {
  require_unchanged(suite);
  for (const Acceptance& a : acceptances) {
    if (!a.changes) continue;
    const std::string golden = suite.beside(a.after.golden);
    std::error_code failure;
    fs::create_directories(fs::path(golden).parent_path(), failure);
    if (failure) throw OutputError(golden + ": " + failure.message());
    write_file_atomically(golden, a.drawing.png);
    HistoryEntry entry{a.suite_case->name, date, version(),   reason, "",
                       a.after.pixels,     "",   a.after.hits};
    if (a.before) {
      entry.old_pixels = a.before->pixels;
      entry.old_hits = a.before->hits;
    }
    suite.history.push_back(std::move(entry));
    suite.approved[a.suite_case->name] = a.after;
  }
  save(suite);
}

}  // namespace ballotcast::detail
