// ballotcast compare: compares two pictures, or the pictures of two folders.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "ballotcast/error.hpp"
#include "cli/command.hpp"
#include "cli/commands/compare_report.hpp"
#include "cli/output.hpp"
#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/metrics/metric.hpp"
#include "compare/needed.hpp"
#include "compare/picture_files.hpp"
#include "image/codec.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kLargestNumber = 1e9;  // largest limit or factor

/// A setter that parses a rectangle x,y,w,h and adds it to `target`.
Setter add_rectangle(std::vector<Rectangle>& target) {
  return [&target](const std::string& name, const std::string& text) {
    std::vector<std::string> numbers;
    set_texts(numbers)(name, text);
    if (numbers.size() != 4)
      throw UsageError(name + " needs four numbers x,y,w,h, not '" + text + "'");
    Rectangle rectangle{};
    const u32 most = std::numeric_limits<u32>::max();
    set_count(rectangle.x, 0, most)(name, numbers[0]);
    set_count(rectangle.y, 0, most)(name, numbers[1]);
    set_count(rectangle.width, 1, most)(name, numbers[2]);
    set_count(rectangle.height, 1, most)(name, numbers[3]);
    target.push_back(rectangle);
  };
}

/// A setter that parses a limit METRIC=NUMBER and adds it to `target`.
Setter add_metric_limit(std::vector<MetricLimit>& target) {
  return [&target](const std::string& name, const std::string& text) {
    const std::size_t equals = text.find('=');
    const Metric& metric = metric_called(text.substr(0, equals));
    if (equals == text.npos) throw UsageError(name + " needs METRIC=X, not '" + text + "'");
    std::optional<double> limit;
    set_number(limit, metric.least, std::min(metric.most, kLargestNumber))(
        name + " " + std::string(metric.name), text.substr(equals + 1));
    target.push_back(metric_limit(metric.name, *limit));
  };
}

/// A setter that parses a limit NUMBER=X for linear pictures and adds it to `target`.
Setter add_linear_limit(std::vector<LinearLimit>& target) {
  return [&target](const std::string& name, const std::string& text) {
    const std::size_t equals = text.find('=');
    const LinearMetric& metric = linear_metric_called(text.substr(0, equals));
    if (equals == text.npos) throw UsageError(name + " needs NUMBER=X, not '" + text + "'");
    std::optional<double> limit;
    set_number(limit, 0.0, kLargestNumber)(name + " " + std::string(metric.name),
                                           text.substr(equals + 1));
    target.push_back({&metric, *limit});
  };
}

Setter set_optional_count(std::optional<u32>& target, u32 low, u32 high) {
  return [&target, low, high](const std::string& name, const std::string& text) {
    u32 count = 0;
    set_count(count, low, high)(name, text);
    target = count;
  };
}

/// The table of options. They fill `r`, which must outlive them.
std::vector<Option> compare_options(CompareRequest& r) {
  const std::string files = "Files",
                    limits = "Limits (all must hold; without any, no pixel may differ)",
                    linear = "Linear pictures (PFM, HDR, OpenEXR)",
                    pictures = "Pictures of the difference";
  return {
      {files, "REFERENCE", "FILE", "",
       "the picture that is right: PNG, JPEG, WebP, BMP, PFM, HDR or OpenEXR; or a folder",
       set_text(r.reference), false, true},
      {files, "RESULT", "FILE", "", "the picture to compare with it, of the same kind; or a folder",
       set_text(r.result), false, true},
      {files, "--json", "", "", "print everything as JSON", set_flag(r.json)},
      {files, "--junit", "FILE", "none", "write the results as JUnit's XML, for CI services",
       set_output(r.junit)},
      {files, "--github", "", "", "print failures as annotations of GitHub, on stderr",
       set_flag(r.github)},
      {limits, "--fail", "METRIC=X", "",
       "fail if METRIC is worse than X (may be repeated): " + joined(names_of(metrics())),
       add_metric_limit(r.limits.metrics), true},
      {limits, "--fail-percent", "P", "", "fail if more than P percent of the pixels differ",
       set_number(r.limits.fail_percent, 0.0, 100.0)},
      {limits, "--max-error", "N", "",
       "fail if a sample differs by more than N (of 255; with 16 bits, of 65535)",
       set_optional_count(r.limits.max_error, 0, 65535)},
      {limits, "--allow,--ignore", "x,y,w,h", "",
       "ignore a rectangle of pixels, w wide and h high (may be repeated)",
       add_rectangle(r.options.ignore), true},
      {limits, "--ignore-where", "PICTURE", "",
       "ignore the pixels where this picture is neither black nor wholly transparent",
       set_text(r.options.ignore_where)},
      {files, "--ids", "", "",
       "the pictures have ids, which are equal or not: grey or 8-bit colours of PNG, or one "
       "channel "
       "of PFM or OpenEXR",
       set_flag(r.options.ids)},
      {linear, "--fail-linear", "NUMBER=X", "",
       "fail if NUMBER is above X (may be repeated): " + joined(names_of(linear_metrics())),
       add_linear_limit(r.linear_limits), true},
      {linear, "--block", "N", std::to_string(kDefaultBlock),
       "side of the blocks whose means are compared, in pixels",
       set_optional_count(r.options.block, 1, 32768)},
      {linear, "--exposure", "X", "suits the reference",
       "exposure of both pictures for everything that looks at 8-bit pictures",
       set_number(r.options.exposure, 0.0, 1e30)},
      {pictures, "--diff", "FILE", "", "write the differences, amplified",
       set_output(r.difference)},
      {pictures, "--amplify", "N", "the largest difference becomes full scale",
       "the factor by which --diff amplifies", set_number(r.amplify, 0.0, kLargestNumber, true)},
      {pictures, "--flip", "FILE", "",
       "write how visible the differences are (the FLIP map), from black to white",
       set_output(r.flip)},
      {pictures, "--html", "FILE", "",
       "write a page with both pictures, the difference and the FLIP map", set_output(r.html)},
  };
}

/// Throws UsageError or OutputError for invalid requests, before any long work.
void check(const CompareRequest& r) {
  if (r.reference.empty() || r.result.empty())
    throw UsageError("compare needs two files or two folders, a reference and a result");
  for (const auto& [option, path] : {std::pair("--diff", r.difference), {"--flip", r.flip}}) {
    if (path.empty()) continue;
    require_name(kPicture, option, path);
    for (const std::string& input : {r.reference, r.result, r.options.ignore_where})
      if (same_file(path, input))
        throw UsageError(std::string(option) + " '" + path +
                         "' is a picture to compare; writing to it would destroy it");
    require_report_place(option, path, "the numbers", kPicture);
  }
  for (const std::string& other :
       {r.reference, r.result, r.options.ignore_where, r.difference, r.flip})
    if (!r.html.empty() && !other.empty() && same_file(r.html, other))
      throw UsageError("--html '" + r.html + "' is one of the pictures");
  require_report_place("--html", r.html, "the numbers", kPage);
  require_report_place("--junit", r.junit, "the numbers", kJunit);
  if (!r.difference.empty() && !r.flip.empty() && same_file(r.difference, r.flip))
    throw UsageError("--diff and --flip name the same file '" + r.flip + "'");
  const std::pair<bool, const char*> measuring[] = {{!r.limits.metrics.empty(), "--fail"},
                                                    {r.limits.max_error.has_value(), "--max-error"},
                                                    {!r.flip.empty(), "--flip"},
                                                    {r.amplify.has_value(), "--amplify"}};
  for (const auto& [is_given, option] : measuring)
    if (r.options.ids && is_given)
      throw UsageError(std::string(option) +
                       " measures how much pictures differ, which --ids don't");
  if (r.amplify && r.difference.empty()) throw UsageError("--amplify needs --diff FILE");
}

/// Writes all requested pictures, or none if one can't be written.
void write_pictures(const CompareRequest& r, const PicturePair& pair, double amplification) {
  std::vector<u8> difference, flip;
  if (!r.difference.empty()) difference = encode_png(difference_picture(pair, amplification));
  if (!r.flip.empty()) flip = encode_png(flip_picture(pair));
  if (!r.difference.empty()) write_file_atomically(r.difference, difference);
  try {
    if (!r.flip.empty()) write_file_atomically(r.flip, flip);
  } catch (...) {
    std::error_code ignored;
    if (is_file(r.difference)) std::filesystem::remove(r.difference, ignored);
    throw;
  }
}

int compare_files(const CompareRequest& r) {
  const FileComparison files = compared_files(r);
  require_linear(r, files.linear.has_value());
  const CompareReport report{r, files, judged(r, files),
                             files.are_ids ? kLargestNumber
                             : r.amplify   ? *r.amplify
                                           : full_amplification(files.pair)};
  write_pictures(r, files.pair, report.amplification);
  if (!r.html.empty()) write_text_atomically(r.html, pictures_page(page_of(report)));
  report_to_ci(r, r.reference + " and " + r.result, {ci_result_of(report)}, 0.0);
  print(r.json ? text_of(json_of(report)) : text_of(report));
  return report.judgement.outcome.exit_code;
}

int compare_pictures(const CompareRequest& r) {
  check(r);
  std::error_code ignored;
  const bool has_folder = std::filesystem::is_directory(r.reference, ignored) ||
                          std::filesystem::is_directory(r.result, ignored);
  return has_folder ? compare_folders(r) : compare_files(r);
}

}  // namespace

Command compare_command() {
  const auto request = std::make_shared<CompareRequest>();
  return {"compare", "compares two pictures or folders, exactly and as an eye sees them",
          compare_options(*request), [request] { return compare_pictures(*request); }};
}

FileComparison compared_files(const CompareRequest& r) {
  try {
    return compared_files(r.reference, r.result, r.options);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--ignore: ") + error.what());
  }
}

void require_linear(const CompareRequest& r, bool has_linear) {
  if (has_linear) return;
  for (const auto& [is_given, option] : {std::pair(!r.linear_limits.empty(), "--fail-linear"),
                                         {r.options.block.has_value(), "--block"},
                                         {r.options.exposure.has_value(), "--exposure"}})
    if (is_given)
      throw UsageError(std::string(option) + " is for linear pictures: PFM, HDR, OpenEXR");
}

Judgement judged(const CompareRequest& r, const FileComparison& files) {
  Judgement judgement;
  try {
    judgement = judge(files.comparison, r.limits);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--max-error: ") + error.what());
  }
  if (!files.linear) return judgement;
  for (JudgedLimit& limit : judged(files.linear->comparison, r.linear_limits))
    judgement.limits.push_back(std::move(limit));
  judgement.outcome = outcome_of(files.comparison, judgement.limits);
  return judgement;
}

std::string needed_of(const CompareReport& report) {
  if (report.judgement.outcome.exit_code == 0) return "";
  const FileComparison& files = report.files;
  return needed_options(files.comparison, report.judgement.limits,
                        files.linear ? &files.linear->comparison : nullptr);
}

}  // namespace ballotcast::detail
