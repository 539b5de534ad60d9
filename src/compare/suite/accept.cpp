#include "compare/suite/accept.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/version.hpp"
#include "scene/scene_data.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// Throws InputError if the content of `path` is not `text`. If `text` is "", the file may also be
/// missing.
void require_content(const std::string& path, const std::string& text) {
  std::error_code ignored;
  if (text.empty() && !fs::exists(path, ignored)) return;
  const std::vector<u8> now = read_file(path);
  if (std::string(now.begin(), now.end()) != text)
    throw InputError(path + " was changed while its pictures were drawn; nothing was accepted");
}

/// Throws InputError if the files of the suite or its history have changed since they were read.
void require_unchanged(const Suite& suite) {
  require_content(suite.path, suite.text);
  require_content(suite.history_path(), suite.history_text);
}

/// Writes `files`, then the history and the suite. All files are stored under temporary names
/// before any of them gets its final name. Throws InputError if the suite or its history has
/// changed since it was read.
void save(Suite& suite, std::vector<NewFile> files) {
  require_unchanged(suite);
  suite.text = text_of(suite);
  suite.history_text = text_of(suite.history);
  const auto add = [&](const std::string& path, const std::string& text) {
    files.push_back({path, {ByteRange{text.data(), text.size()}}});
  };
  add(suite.history_path(), suite.history_text);
  add(suite.path, suite.text);
  write_files_atomically(files);
}

/// The approval that accepting this drawing would store, without counters.
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

/// A new entry of the history, without what the acceptance changed.
HistoryEntry entry_for(const std::string& name, const std::string& reason,
                       const std::string& date) {
  HistoryEntry entry;
  entry.name = name;
  entry.date = date;
  entry.version = version();
  entry.reason = reason;
  return entry;
}

/// What accepting `a` changes. `judgement` is the one of its drawing against the previous approval.
PictureChange change_of(const Acceptance& a, const CaseJudgement& judgement) {
  PictureChange change;
  change.verdict = info_of(judgement.verdict).words;
  change.new_size = size_of(a.drawing.image);
  if (!a.approved.golden.samples.empty()) change.old_size = size_of(a.approved.golden);
  // Compares pixels only if the file of the golden is the picture that was approved.
  if (a.comparison && !a.comparison->sizes_differ() && a.approved.golden_why.empty()) {
    change.pixels = a.comparison->pixels;
    change.different = a.comparison->different;
    change.max_error = a.comparison->max_error;
    change.largest = a.comparison->largest;
    for (const MetricValue& value : a.comparison->values)
      if (std::isfinite(value.value)) change.metrics[std::string(value.metric->name)] = value.value;
  }
  for (const JudgedRange& range : judgement.ranges)
    if (!range.kept())
      change.broken.push_back(
          {range.range.measure, range.range.low, range.range.high, range.value});
  if (a.before)
    for (const SuiteCheck& number : a.numbers)
      if (!number.same() && number.name != "pixels" && number.name != "size")
        change.also.push_back(number.name);
  return change;
}

Acceptance acceptance_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases) {
  Acceptance a;
  a.suite_case = &c;
  a.approved = approved_of(suite, c, renderer_of_cases);
  if (a.approved.approval) a.before = *a.approved.approval;
  std::string first;        // the setup that drew the picture first
  CaseJudgement judgement;  // judgement of what that setup drew
  std::map<std::string, ApprovedCount> counters;
  for (const Setup& setup : setups_of(c)) {
    Drawing drawing = renderer_of_cases.draw(c, setup);
    if (!drawing.skipped.empty()) {
      a.skipped.push_back(setup.in_words());
      continue;
    }
    const Approval approval = approval_of(suite, c, drawing, renderer_of_cases);
    const auto refuse = [&](const char* what) {
      throw InputError(suite.path + ": " + c.name + " has other " + what + " on " +
                       setup.in_words() + " than on " + first +
                       ": only one picture per case can be accepted");
    };
    if (first.empty()) {
      first = setup.in_words();
      judgement = judge(c, setup, a.approved, drawing);
      a.after = approval;
      a.drawing = drawing;
      a.drawing.hits = {};
    }
    if (approval.pixels != a.after.pixels) refuse("pixels");
    if (approval.hits != a.after.hits) refuse("hits");
    if (c.is_command()) continue;
    const ApprovedCount count{drawing.counts.passes, drawing.counts.counter};
    const auto [known, added] = counters.try_emplace(setup.counter_key(), count);
    if (!added && known->second != count) refuse("counters");
  }
  if (first.empty())
    throw InputError(suite.path + ": " + c.name + " can't be drawn on any of its setups here");
  // Keeps the counters of setups that exist only on other machines, unless something else changes.
  const bool as_before = a.before && a.before->pixels == a.after.pixels &&
                         a.before->hits == a.after.hits && a.before->settings == a.after.settings;
  if (as_before && !a.skipped.empty()) a.after.counters = a.before->counters;
  for (const auto& [key, count] : counters) a.after.counters[key] = count;

  if (!c.is_command()) a.warnings = renderer_of_cases.scene_of(c)->warnings;
  if (!a.drawing.remark.empty()) a.warnings.push_back(c.name + ": " + a.drawing.remark);
  a.comparison = judgement.comparison;
  a.numbers = numbers_of(a);
  a.change = change_of(a, judgement);
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
    HistoryEntry entry = entry_for(name, reason, date);
    entry.old_pixels = old.pixels;
    entry.old_hits = old.hits;
    entry.change.emplace().verdict = "no longer a case";
    suite.history.push_back(std::move(entry));
  }
  save(suite, {});
  // Keeps the golden if a case that still exists has the same file.
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
  std::vector<NewFile> goldens;
  for (const Acceptance& a : acceptances) {
    if (!a.changes) continue;
    const std::string golden = suite.beside(a.after.golden);
    std::error_code failure;
    fs::create_directories(fs::path(golden).parent_path(), failure);
    if (failure) throw OutputError(golden + ": " + failure.message());
    goldens.emplace_back(golden, a.drawing.png);
    HistoryEntry entry = entry_for(a.suite_case->name, reason, date);
    entry.new_pixels = a.after.pixels;
    entry.new_hits = a.after.hits;
    entry.change = a.change;
    if (a.before) {
      entry.old_pixels = a.before->pixels;
      entry.old_hits = a.before->hits;
    }
    suite.history.push_back(std::move(entry));
    suite.approved[a.suite_case->name] = a.after;
  }
  save(suite, std::move(goldens));
}

namespace {

/// The JSON document inside the page at `path`.
Json document_of(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view begin = "id=\"data\">", end = "</script>";
  const std::size_t from = text.find(begin);
  const Json none;
  if (from == text.npos) return none;
  const std::string_view rest = text.substr(from + begin.size());
  return Json::parse(rest.substr(0, rest.find(end)), nullptr, /*allow_exceptions=*/false);
}

bool is_review(const Json& page) {
  if (!page.is_object() || !page.contains("title") || !page["title"].is_string()) return false;
  const auto title = page["title"].get<std::string>();
  return (title.ends_with(kReviewTitle) || title.ends_with(kApprovedTitle)) &&
         page.contains("cases") && page["cases"].is_array();
}

/// The checks of `a` as the JSON of a page has them.
Json checks_of(const Acceptance& a) {
  Json checks = Json::array();
  for (const SuiteCheck& number : a.numbers)
    checks.push_back({{"name", number.name},
                      {"expected", number.expected},
                      {"got", number.got},
                      {"same", number.same()}});
  return checks;
}

const Json* case_called(const std::string& name, const Json& page) {
  const auto found = std::find_if(page["cases"].begin(), page["cases"].end(), [&](const Json& c) {
    return c.is_object() && c.contains("name") && c["name"] == name;
  });
  return found == page["cases"].end() ? nullptr : &*found;
}

}  // namespace

AcceptCommand accept_command_for(const Suite& suite, const std::string& name) {
  const std::string program = shell_quoted(suite.program) + " accept";
  const std::string operands = " " + shell_quoted(suite.path) + " " + shell_quoted(name);
  // After "--", the program takes no word as an option.
  if (suite.path.starts_with('-') || name.starts_with('-'))
    return {program + " --reason=", " --" + operands};
  return {program + operands + " --reason=", ""};
}

bool can_be_accepted(CaseVerdict verdict) {
  using enum CaseVerdict;
  return verdict == different || verdict == unapproved || verdict == inputs_changed ||
         verdict == golden_changed;
}

std::string folder_of_commands(const Suite& suite) {
  namespace fs = std::filesystem;
  const bool named_by_path = suite.program.find('/') != suite.program.npos;
  if (fs::path(suite.path).is_absolute() &&
      (!named_by_path || fs::path(suite.program).is_absolute()))
    return "";
  std::error_code gone;
  const fs::path here = fs::current_path(gone);
  return gone ? "" : here.string();
}

std::string fault_of_reason(const std::string& reason) {
  const bool has_words = std::any_of(reason.begin(), reason.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80;
  });
  if (!has_words) return "it has no words";
  try {
    Json(reason).dump();
  } catch (const Json::exception&) {
    return "it is not UTF-8";
  }
  return "";
}

std::size_t fitted_by_patterns(const std::vector<std::string>& names,
                               const std::vector<Acceptance>& acceptances) {
  return static_cast<std::size_t>(std::ranges::count_if(acceptances, [&](const Acceptance& a) {
    return a.changes && std::ranges::find(names, a.suite_case->name) == names.end();
  }));
}

void require_reviewed(const std::string& page, const std::vector<Acceptance>& acceptances) {
  const Json shown = document_of(page);
  if (!is_review(shown))
    throw InputError(page + ": not a page of old and new pictures for acceptance");
  const std::string again = ": write the page again and look at it";
  for (const Acceptance& a : acceptances) {
    if (!a.changes) continue;
    const Json* shown_case = case_called(a.suite_case->name, shown);
    if (!shown_case) throw InputError(page + " doesn't show " + a.suite_case->name + again);
    if (!shown_case->contains("checks") || (*shown_case)["checks"] != checks_of(a))
      throw InputError(page + " shows another picture of " + a.suite_case->name +
                       " than would be accepted now" + again);
  }
}

}  // namespace ballotcast::detail
