// ballotcast compare: compares two pictures.
#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>

#include "cli/command.hpp"
#include "cli/commands/compare_report.hpp"
#include "cli/output.hpp"
#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/metrics/metric.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kLargestNumber = 1e9;  // the largest limit or factor
constexpr u32 kDefaultBlock = 16;       // side of the blocks of linear pictures

/// A setter that parses a rectangle x,y,w,h and adds it to `target`.
Setter add_rectangle(std::vector<Rectangle>& target) {
  return [&target](const std::string& name, const std::string& text) {
    std::vector<std::string> parts;
    set_texts(parts)(name, text);
    if (parts.size() != 4)
      throw UsageError(name + " needs four numbers x,y,w,h, not '" + text + "'");
    Rectangle rectangle{};
    const u32 most = std::numeric_limits<u32>::max();
    set_count(rectangle.x, 0, most)(name, parts[0]);
    set_count(rectangle.y, 0, most)(name, parts[1]);
    set_count(rectangle.width, 1, most)(name, parts[2]);
    set_count(rectangle.height, 1, most)(name, parts[3]);
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

/// A setter that parses a limit NUMBER=X of linear pictures and adds it to `target`.
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

/// The options as rows of the option table. They fill `r`, which must outlive them.
std::vector<Option> compare_options(CompareRequest& r) {
  const std::string files = "Files",
                    limits = "Limits (all must hold; without any, no pixel may differ)",
                    linear = "Linear pictures (PFM, HDR, OpenEXR)",
                    pictures = "Pictures of the difference";
  return {
      {files, "REFERENCE", "FILE", "", "the picture that is right: a PNG, PFM, HDR or OpenEXR file",
       set_text(r.reference), false, true},
      {files, "RESULT", "FILE", "", "the picture to compare with it, of the same kind",
       set_text(r.result), false, true},
      {files, "--json", "", "", "print everything as JSON", set_flag(r.json)},
      {limits, "--fail", "METRIC=X", "",
       "fail if METRIC is worse than X (may be repeated): " + joined(names_of(metrics())),
       add_metric_limit(r.limits.metrics), true},
      {limits, "--fail-percent", "P", "", "fail if more than P percent of the pixels differ",
       set_number(r.limits.fail_percent, 0.0, 100.0)},
      {limits, "--max-error", "N", "",
       "fail if a sample differs by more than N (of 255; with 16 bits, of 65535)",
       set_optional_count(r.limits.max_error, 0, 65535)},
      {limits, "--allow", "x,y,w,h", "",
       "ignore a rectangle of pixels, w wide and h high (may be repeated)", add_rectangle(r.allow),
       true},
      {linear, "--fail-linear", "NUMBER=X", "",
       "fail if NUMBER is above X (may be repeated): " + joined(names_of(linear_metrics())),
       add_linear_limit(r.linear_limits), true},
      {linear, "--block", "N", std::to_string(kDefaultBlock),
       "side of the blocks whose means are compared, in pixels",
       set_optional_count(r.block, 1, 32768)},
      {linear, "--exposure", "X", "suits the reference",
       "exposure of both pictures for everything that looks at 8-bit pictures",
       set_number(r.exposure, 0.0, 1e30)},
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

/// Refuses invalid requests before any long work.
void check(const CompareRequest& r) {
  if (r.reference.empty() || r.result.empty())
    throw UsageError("compare needs two files, a reference and a result");
  for (const auto& [option, path] : {std::pair("--diff", r.difference), {"--flip", r.flip}}) {
    if (path.empty()) continue;
    require_name(kPicture, option, path);
    for (const std::string& input : {r.reference, r.result})
      if (same_file(path, input))
        throw UsageError(std::string(option) + " '" + path +
                         "' is a picture to compare; writing to it would destroy it");
    require_report_place(option, path, "the numbers", kPicture);
  }
  for (const std::string& other : {r.reference, r.result, r.difference, r.flip})
    if (!r.html.empty() && !other.empty() && same_file(r.html, other))
      throw UsageError("--html '" + r.html + "' is one of the pictures");
  require_report_place("--html", r.html, "the numbers", kPage);
  if (!r.difference.empty() && !r.flip.empty() && same_file(r.difference, r.flip))
    throw UsageError("--diff and --flip name the same file '" + r.flip + "'");
  if (r.amplify && r.difference.empty()) throw UsageError("--amplify needs --diff FILE");
}

/// The result of work(). If work throws UsageError, `option` is put before the message.
template <class Work>
auto as_of(const std::string& option, Work work) {
  try {
    return work();
  } catch (const UsageError& error) {
    throw UsageError(option + ": " + error.what());
  }
}

/// Writes the requested pictures: either all or none.
void write_pictures(const CompareRequest& r, const PicturePair& pair, double amplification) {
  std::vector<u8> difference, flip;
  if (!r.difference.empty()) difference = encode_png(difference_picture(pair, amplification));
  if (!r.flip.empty()) flip = encode_png(flip_picture(pair));
  if (!r.difference.empty()) write_file_atomically(r.difference, difference);
  try {
    if (!r.flip.empty()) write_file_atomically(r.flip, flip);
  } catch (...) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(r.difference, ignored))
      std::filesystem::remove(r.difference, ignored);
    throw;
  }
}

/// The pictures to compare. Linear ones are also brought to 8 bits.
struct Pictures {
  SampledImage reference, result;
  std::optional<LinearReport> linear;
  LinearImage linear_reference, linear_result;
};

Pictures read_pictures(const CompareRequest& r) {
  Pictures out;
  std::array<bool, 2> is_linear{};
  const auto read = [&](const std::string& path, SampledImage& sampled, LinearImage& linear) {
    const std::vector<u8> bytes = read_file(path);
    if (!begins_linear(bytes)) {
      sampled = decode_png(bytes, path);
      return false;
    }
    linear = decode_linear(bytes, path);
    return true;
  };
  is_linear[0] = read(r.reference, out.reference, out.linear_reference);
  is_linear[1] = read(r.result, out.result, out.linear_result);
  if (is_linear[0] != is_linear[1])
    throw InputError((is_linear[0] ? r.reference : r.result) + " has linear numbers, and " +
                     (is_linear[0] ? r.result : r.reference) +
                     " is a PNG: only pictures of the same kind can be compared");
  if (!is_linear[0]) {
    for (const auto& [is_given, option] : {std::pair(!r.linear_limits.empty(), "--fail-linear"),
                                           {r.block.has_value(), "--block"},
                                           {r.exposure.has_value(), "--exposure"}})
      if (is_given) throw UsageError(std::string(option) + " is for linear pictures, not for PNGs");
    return out;
  }
  LinearReport& linear = out.linear.emplace();
  linear.exposure = r.exposure ? *r.exposure : exposure_for(out.linear_reference);
  linear.reference = tone_mapped(out.linear_reference, linear.exposure);
  linear.result = tone_mapped(out.linear_result, linear.exposure);
  out.reference = sampled(linear.reference);
  out.result = sampled(linear.result);
  return out;
}

int compare_files(const CompareRequest& r) {
  check(r);
  Pictures pictures = read_pictures(r);
  const SampledImage &reference = pictures.reference, &result = pictures.result;
  const PicturePair pair = as_of("--allow", [&] {
    return paired(reference, result, {r.allow, r.reference, r.result});
  });
  Comparison comparison = compare_pair(pair);
  if (pictures.linear) {
    pictures.linear->comparison = compare_linear(pictures.linear_reference, pictures.linear_result,
                                                 pair.left_out, r.block.value_or(kDefaultBlock));
    // Linear pictures may differ where they look the same.
    comparison.different = comparison.color_different = pictures.linear->comparison.different;
    comparison.same = pictures.linear->comparison.same() && !comparison.sizes_differ();
  }
  Judgement judgement = as_of("--max-error", [&] { return judge(comparison, r.limits); });
  if (pictures.linear) {
    for (JudgedLimit& limit : judged(pictures.linear->comparison, r.linear_limits))
      judgement.limits.push_back(std::move(limit));
    judgement.outcome = outcome_of(comparison, judgement.limits);
  }
  const double amplification = r.amplify ? *r.amplify : full_amplification(pair);
  write_pictures(r, pair, amplification);
  const CompareReport report{r,          reference, result,        pair,
                             comparison, judgement, amplification, pictures.linear};
  if (!r.html.empty()) write_text_atomically(r.html, pictures_page(page_of(report)));
  print(r.json ? json_of(report) : text_of(report));
  return judgement.outcome.exit_code;
}

}  // namespace

Command compare_command() {
  const auto request = std::make_shared<CompareRequest>();
  return {"compare", "compares two pictures, exactly and as an eye sees them",
          compare_options(*request), [request] { return compare_files(*request); }};
}

}  // namespace ballotcast::detail
