#include <algorithm>
#include <array>
#include <filesystem>

#include "ballotcast/error.hpp"
#include "ballotcast/version.hpp"
#include "cli/commands/compare_report.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "compare/picture_files.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The words for pictures that can't be compared, in place of the word for an outcome.
constexpr std::string_view kMissing = "missing", kNew = "new", kUnreadable = "error";

/// The result for one picture of the two folders.
struct FolderResult {
  std::string name;
  std::string verdict;
  std::string why;  // the reason for the outcome; "" if the pictures are the same
  bool is_ok = false;
  bool is_linear = false;
  double milliseconds = 0.0;
  std::string needed;  // options with which the comparison would pass, or ""
  Json json;           // the whole comparison, if there is one
  PageCase page;       // the entry of the page, if a page is requested
};

/// The entry of the page for a picture that only one folder has, or that can't be read.
PageCase page_case_without(const FolderResult& result, const std::string& reference,
                           const std::string& other) {
  PageCase page;
  page.name = result.name;
  page.verdict = result.verdict;
  page.outcome = PageOutcome::failed;
  page.why = result.why;
  const auto picture_of = [](const std::string& path) -> std::vector<u8> {
    try {
      return path.empty() ? std::vector<u8>() : shown_picture_of(path);
    } catch (const Error&) {
      return {};  // empty, because the page gives the reason
    }
  };
  page.pictures.reference = picture_of(reference);
  page.pictures.result = picture_of(other);
  return page;
}

/// Compares a picture that is in both folders, and fills `result`.
void compare_both(FolderResult& result, const CompareRequest& r) {
  const FileComparison files = compared_files(r);
  const CompareReport report{r, files, judged(r, files), 0.0};
  const OutcomeInfo& outcome = report.judgement.outcome;
  result.verdict = outcome.words;
  result.is_linear = files.linear.has_value();
  result.is_ok = outcome.exit_code == 0;
  if (outcome.outcome != Outcome::same) result.why = in_words(report);
  result.needed = needed_of(report);
  if (r.json) result.json = json_of(report);
  if (!r.html.empty()) result.page = page_case_of(report);
}

FolderResult result_of(const FolderEntry& entry, const CompareRequest& r) {
  FolderResult result;
  result.name = entry.name;
  CompareRequest pair = r;
  const auto in = [&](const std::string& folder, bool is_there) {
    return is_there ? (std::filesystem::path(folder) / entry.name).string() : "";
  };
  pair.reference = in(r.reference, entry.in_reference);
  pair.result = in(r.result, entry.in_result);
  const Stopwatch watch;
  if (entry.in_reference && entry.in_result) {
    try {
      compare_both(result, pair);
    } catch (const InputError& error) {
      result.verdict = kUnreadable;
      result.why = std::string(error.what()) + ".";
    } catch (const UsageError& error) {
      throw UsageError(entry.name + ": " + error.what());
    }
  } else {
    result.verdict = entry.in_reference ? kMissing : kNew;
    result.why = "Only " + (entry.in_reference ? r.reference : r.result) + " has it.";
  }
  result.milliseconds = watch.milliseconds();
  if (!r.html.empty() && result.page.name.empty())
    result.page = page_case_without(result, pair.reference, pair.result);
  result.page.name = entry.name;
  return result;
}

/// The results for all pictures, and the verdict about the folders.
struct FolderRun {
  const CompareRequest& request;
  std::vector<FolderResult> results;
  std::vector<std::string> others;  // files that are not pictures
  double milliseconds = 0.0;

  std::size_t count(std::string_view verdict) const {
    return static_cast<std::size_t>(
        std::ranges::count(results, verdict, [](const auto& r) { return r.verdict; }));
  }
  /// The number of results per outcome as text: "3 same, 1 different".
  std::string counts() const {
    std::string words;
    for (const std::string_view verdict : verdicts())
      if (const std::size_t n = count(verdict); n != 0)
        words += (words.empty() ? "" : ", ") + grouped(n) + " " + std::string(verdict);
    return words;
  }
  /// The verdict about the folders, in the same words as the verdict about two pictures.
  OutcomeInfo outcome() const {
    const bool ok = std::ranges::all_of(results, &FolderResult::is_ok);
    const Outcome found = !ok                               ? Outcome::different
                          : count("same") == results.size() ? Outcome::same
                                                            : Outcome::within_limits;
    return outcomes()[static_cast<std::size_t>(found)];
  }
  static std::vector<std::string_view> verdicts() {
    std::vector<std::string_view> all;
    for (const OutcomeInfo& row : outcomes()) all.push_back(row.words);
    all.insert(all.end(), {kMissing, kNew, kUnreadable});
    return all;
  }
  std::string others_in_words() const {
    return others.empty() ? ""
                          : "Not compared: " + counted(others.size(), "file") + " that " +
                                (others.size() == 1 ? "is" : "are") + " no picture, such as " +
                                others.front() + ".";
  }
};

std::string folder_text(const FolderRun& run) {
  std::string text = counted(run.results.size(), "picture") + ": " + run.counts() + ".\n";
  for (const FolderResult& result : run.results)
    if (result.verdict != "same")
      text += wrapped(result.verdict + ": " + one_line(result.name), 0) +
              wrapped(one_line(result.why), 2) +
              (result.needed.empty() ? "" : "  needed: " + result.needed + "\n");
  if (!run.others.empty()) text += wrapped(one_line(run.others_in_words()), 0);
  return text + std::string(run.outcome().words) + "\n";
}

std::string folder_json(const FolderRun& run) {
  Json json{{"outcome", run.outcome().words},
            {"reference", run.request.reference},
            {"result", run.request.result}};
  for (const std::string_view verdict : FolderRun::verdicts())
    json["verdicts"][std::string(verdict)] = run.count(verdict);
  json["not_compared"] = run.others;
  json["pictures"] = Json::array();
  for (const FolderResult& result : run.results)
    json["pictures"].push_back({{"name", result.name},
                                {"verdict", result.verdict},
                                {"why", result.why},
                                {"comparison", result.json}});
  return text_of(json);
}

std::vector<CiResult> ci_results_of(const FolderRun& run) {
  std::vector<CiResult> all;
  for (const FolderResult& result : run.results) {
    const bool is_there = result.verdict != kMissing;
    const std::string& folder = is_there ? run.request.result : run.request.reference;
    all.push_back({run.request.result, result.name,
                   result.is_ok ? CiOutcome::passed : CiOutcome::failed, result.verdict, result.why,
                   (std::filesystem::path(folder) / result.name).string(), result.milliseconds});
  }
  return all;
}

PagePictures folder_page(FolderRun& run) {
  PagePictures page;
  page.title = run.request.reference + " and " + run.request.result + ": " +
               std::string(run.outcome().words);
  page.summary = counted(run.results.size(), "picture") + ": " + run.counts() + ".";
  page.facts = {{"version", version()}, {"commit", commit()}, {"command", command_line()}};
  if (!run.others.empty()) page.notes.push_back(run.others_in_words());
  for (FolderResult& result : run.results) page.cases.push_back(std::move(result.page));
  return page;
}

/// Throws UsageError for options that only work for two files.
void require_folders(const CompareRequest& r) {
  for (const auto& [path, option] : {std::pair(r.difference, "--diff"), {r.flip, "--flip"}})
    if (!path.empty())
      throw UsageError(std::string(option) + " is for two files; of folders, --html has a page");
  for (const std::string& folder : {r.reference, r.result})
    if (!std::filesystem::is_directory(folder))
      throw UsageError("'" + folder + "' is no folder: compare takes two files or two folders");
}

}  // namespace

int compare_folders(const CompareRequest& r) {
  require_folders(r);
  const Stopwatch watch;
  FolderPair pair = paired_folders(r.reference, r.result);
  FolderRun run{r, {}, std::move(pair.others), 0.0};
  {
    ProgressBar bar("pictures");
    const auto progress = bar.report();
    for (const FolderEntry& entry : pair.entries) {
      run.results.push_back(result_of(entry, r));
      if (progress) progress(run.results.size(), pair.entries.size());
    }
  }
  require_linear(r, std::ranges::any_of(run.results, &FolderResult::is_linear));
  run.milliseconds = watch.milliseconds();
  report_to_ci(r, r.reference + " and " + r.result, ci_results_of(run), run.milliseconds);
  const std::string report = r.json ? folder_json(run) : folder_text(run);
  if (!r.html.empty()) write_text_atomically(r.html, pictures_page(folder_page(run)));
  print(report);
  return run.outcome().exit_code;
}

}  // namespace ballotcast::detail
