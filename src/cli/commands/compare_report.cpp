#include "cli/commands/compare_report.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "ballotcast/version.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "compare/picture_files.hpp"
#include "compare/pictures_page.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_files.hpp"
#include "image/png.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

std::string number(double value) {
  if (std::isnan(value)) return "not defined";
  if (std::isinf(value)) return "infinite";
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// `value` as text with all digits, so that a value slightly beyond a limit looks different from
/// the limit.
std::string exact(double value) { return std::isfinite(value) ? shortest(value) : number(value); }

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(number(value)); }

std::string_view form_of(u32 channels) {
  static constexpr std::string_view names[] = {"grey", "grey and alpha", "RGB", "RGB and alpha"};
  return names[channels - 1];
}

std::string described(const std::string& path, const SampledImage& image,
                      const FileComparison& files) {
  const std::string form = files.are_ids  ? "ids"
                           : files.linear ? "linear RGB"
                                          : std::string(form_of(image.channels)) + ", " +
                                                std::to_string(image.depth) + " bits";
  return one_line(path) + " (" + form + ")";
}

std::string rgba(const std::array<u16, 4>& samples) {
  std::string text;
  for (const u16 sample : samples) text += (text.empty() ? "" : ",") + std::to_string(sample);
  return text;
}

std::string what_differs(const Comparison& c) {
  std::string what = c.sizes_differ() ? "size" : "";
  for (const auto& [count, name] :
       {std::pair(c.color_different, "color"), {c.alpha_different, "alpha"}})
    if (count != 0) what += (what.empty() ? "" : " and ") + std::string(name);
  return what.empty() ? "nothing" : what;
}

std::string sizes_in_words(const Comparison& c) {
  return "The sizes differ: the reference has " + size_of(c.reference_size) +
         " pixels, the result " + size_of(c.result_size) + ".";
}

std::string first_line(const Comparison& c) {
  if (c.sizes_differ()) return sizes_in_words(c) + "\n";
  if (c.same) return "Every sample of " + grouped(c.pixels) + " pixels is the same.\n";
  const std::string what = c.color_different == 0 ? ", in alpha alone" : "";
  return grouped(c.different) + " of " + grouped(c.pixels) + " pixels differ (" +
         number(c.percent_different()) + " %)" + what + ".\n";
}

std::string size_line(const Comparison& c) {
  std::string text = std::to_string(c.width) + "x" + std::to_string(c.height) + " pixels";
  if (c.sizes_differ())
    text += " are compared: those that both have, from the top left; " + grouped(c.different) +
            " differ";
  if (c.left_out > 0) text += ", " + grouped(c.left_out) + " ignored";
  return text;
}

/// A sentence that explains the stripes in a picture of the differences.
std::string stripes_in_words(const Comparison& c) {
  return c.sizes_differ() ? "blue stripes: only the result has it; orange: only the reference" : "";
}

std::string counts(const Comparison& c) {
  std::string text;
  for (std::size_t k = 0; k < kCountedDifferences.size(); ++k)
    text += ">" + std::to_string(kCountedDifferences[k]) + ":" + grouped(c.over[k]) + " ";
  return text + "(of 255)";
}

std::string worst(const Comparison& c) {
  return std::to_string(c.worst->x) + "," + std::to_string(c.worst->y) + ", by " +
         std::to_string(c.max_error) + " of " + std::to_string(c.largest) + ": RGBA " +
         rgba(c.worst->reference) + " in the reference, " + rgba(c.worst->result) +
         " in the result";
}

std::string first_ids(const Comparison& c) {
  return std::to_string(c.worst->x) + "," + std::to_string(c.worst->y) + ": " +
         std::to_string(id_in(c.worst->reference.data())) + " in the reference, " +
         std::to_string(id_in(c.worst->result.data())) + " in the result";
}

std::string in_words(const MetricValue& row) {
  std::string text = number(row.value);
  if (std::isfinite(row.value) && !row.metric->unit.empty())
    text.append(" ").append(row.metric->unit);
  text.append(" (").append(row.metric->summary);
  return text + (row.metric->lower_is_better ? ")" : "; higher is better)");
}

std::string in_words(const std::array<double, 3>& numbers) {
  return number(numbers[0]) + "," + number(numbers[1]) + "," + number(numbers[2]);
}

std::string in_words(const LinearBlock& block) {
  std::string text = std::to_string(block.x) + "," + std::to_string(block.y);
  if (block.width * block.height > 1)
    text += " (" + std::to_string(block.width) + "x" + std::to_string(block.height) + " pixels)";
  return text + ": " + in_words(block.reference) + " in the reference, " + in_words(block.result) +
         " in the result";
}

void add_rows(std::vector<std::pair<std::string, std::string>>& rows, const LinearReport& linear) {
  const LinearComparison& c = linear.comparison;
  for (const LinearMetric& metric : linear_metrics())
    rows.emplace_back("linear " + std::string(metric.name),
                      number(c.*metric.value) + " (" + std::string(metric.summary) + ")");
  if (c.worst_pixel) rows.emplace_back("linear worst pixel", in_words(*c.worst_pixel));
  if (c.worst_block) rows.emplace_back("linear worst block", in_words(*c.worst_block));
  if (c.not_finite != 0)
    rows.emplace_back(
        "not finite",
        counted(c.not_finite, "pixel") + ", which the linear numbers leave out" +
            (c.not_finite_different == 0 ? ""
                                         : "; " + grouped(c.not_finite_different) +
                                               " of them differ, so no linear limit holds"));
  rows.emplace_back("seen as", "8-bit pictures with exposure " + number(linear.exposure) +
                                   ", in which what follows was measured");
}

Json json_of_block(const std::optional<LinearBlock>& block) {
  if (!block) return {};
  return {{"x", block->x},
          {"y", block->y},
          {"width", block->width},
          {"height", block->height},
          {"reference", block->reference},
          {"result", block->result}};
}

Json json_of_linear(const LinearReport& linear) {
  const LinearComparison& c = linear.comparison;
  Json json = {{"not_finite", c.not_finite},
               {"not_finite_different", c.not_finite_different},
               {"worst_pixel", json_of_block(c.worst_pixel)},
               {"worst_block", json_of_block(c.worst_block)},
               {"block_side", c.block_side},
               {"exposure", linear.exposure}};
  for (const LinearMetric& metric : linear_metrics())
    json["metrics"][std::string(metric.name)] = json_number(c.*metric.value);
  return json;
}

}  // namespace

std::string text_of(const CompareReport& report) {
  const CompareRequest& r = report.request;
  const FileComparison& files = report.files;
  const Comparison& c = files.comparison;
  std::vector<std::pair<std::string, std::string>> rows = {
      {"reference", described(r.reference, files.reference, files)},
      {"result", described(r.result, files.result, files)},
      {"size", size_line(c)}};
  if (files.linear) add_rows(rows, *files.linear);
  for (const MetricValue& row : c.values) rows.emplace_back(row.metric->name, in_words(row));
  if (files.are_ids && c.worst) rows.emplace_back("first pixel", first_ids(c));
  if (!files.are_ids && c.worst) rows.emplace_back("worst pixel", worst(c));
  if (!files.are_ids) rows.emplace_back("pixels over", counts(c));
  if (!r.difference.empty())
    rows.emplace_back("differences", one_line(r.difference) + ", times " +
                                         number(report.amplification) +
                                         (c.alpha_different > 0 ? "; alpha's in magenta" : "") +
                                         (c.sizes_differ() ? "; " + stripes_in_words(c) : ""));
  if (!r.flip.empty()) rows.emplace_back("FLIP map", one_line(r.flip));
  for (const JudgedLimit& limit : report.judgement.limits)
    rows.emplace_back("limit", limit.name + " " + exact(limit.value) +
                                   (limit.holds ? " keeps " : " BREAKS ") + "its limit, at " +
                                   (limit.at_most ? "most " : "least ") + exact(limit.limit));
  // This line is not wrapped, so that it can be copied.
  const std::string needed = needed_of(report);
  return first_line(c) + entries(rows) + (needed.empty() ? "" : "needed: " + needed + "\n") +
         std::string(report.judgement.outcome.words) + "\n";
}

Json json_of(const CompareReport& report) {
  const CompareRequest& r = report.request;
  const FileComparison& files = report.files;
  const Comparison& c = files.comparison;
  const auto file = [&](const std::string& path, const SampledImage& image) {
    return Json{{"path", path},
                {"form", files.are_ids  ? "ids"
                         : files.linear ? "linear RGB"
                                        : form_of(image.channels)},
                {"width", image.width},
                {"height", image.height},
                {"depth", files.linear || files.are_ids ? 32 : image.depth}};
  };
  Json json;
  json["outcome"] = report.judgement.outcome.words;
  json["same"] = c.same;
  json["sizes_differ"] = c.sizes_differ();
  json["differs"] = what_differs(c);
  json["reference"] = file(r.reference, files.reference);
  json["result"] = file(r.result, files.result);
  json["width"] = c.width;
  json["height"] = c.height;
  json["pixels"] = c.pixels;
  json["left_out"] = c.left_out;
  json["different"] = c.different;
  json["percent_different"] = c.percent_different();
  json["color_different"] = c.color_different;
  json["alpha_different"] = c.alpha_different;
  json["steps"] = c.largest;
  json["max_error"] = c.max_error;
  const auto pixel = [&](const std::array<u16, 4>& samples) {
    return files.are_ids ? Json(id_in(samples.data())) : Json(samples);
  };
  json["worst"] = !c.worst ? Json()
                           : Json{{"x", c.worst->x},
                                  {"y", c.worst->y},
                                  {"reference", pixel(c.worst->reference)},
                                  {"result", pixel(c.worst->result)}};
  json["over_255ths"] = Json::object();
  for (std::size_t k = 0; k < kCountedDifferences.size(); ++k)
    json["over_255ths"][std::to_string(kCountedDifferences[k])] = c.over[k];
  json["metrics"] = Json::object();
  for (const MetricValue& row : c.values)
    json["metrics"][std::string(row.metric->name)] = json_number(row.value);
  json["ids"] = files.are_ids;
  json["linear"] = files.linear ? json_of_linear(*files.linear) : Json();
  json["limits"] = Json::array();
  for (const JudgedLimit& limit : report.judgement.limits)
    json["limits"].push_back({{"name", limit.name},
                              {limit.at_most ? "at_most" : "at_least", limit.limit},
                              {"value", json_number(limit.value)},
                              {"holds", limit.holds}});
  const std::string needed = needed_of(report);
  json["needed"] = needed.empty() ? Json() : Json(needed);
  json["difference_picture"] =
      r.difference.empty() ? Json()
                           : Json{{"path", r.difference}, {"amplification", report.amplification}};
  json["flip_picture"] = r.flip.empty() ? Json() : Json(r.flip);
  return json;
}

std::string in_words(const CompareReport& report) {
  const Comparison& c = report.files.comparison;
  if (c.same) return "Every sample of " + grouped(c.pixels) + " pixels is the same.";
  if (c.sizes_differ()) return sizes_in_words(c);
  const std::string differ = grouped(c.different) + " of " + grouped(c.pixels) + " pixels differ";
  if (report.judgement.limits.empty()) return differ + "; no limit was set.";
  return differ + (report.judgement.outcome.exit_code == 0 ? ", within the limits."
                                                           : ", more than the limits allow.");
}

namespace {

PageOutcome page_outcome(const CompareReport& report) {
  if (report.judgement.outcome.exit_code == 0) return PageOutcome::ok;
  const bool has_check = !report.judgement.limits.empty() || report.files.comparison.sizes_differ();
  return has_check ? PageOutcome::failed : PageOutcome::to_review;
}

/// The line of the page that follows the name of the picture.
std::string why_of(const FileComparison& files) {
  std::string why;
  if (files.are_ids) why = "Pictures of ids, each in a colour of its own.";
  if (files.linear)
    why = "Linear pictures, seen with exposure " + number(files.linear->exposure) + ".";
  if (files.comparison.sizes_differ())
    why += (why.empty() ? "" : " ") + sizes_in_words(files.comparison) +
           " What both have, from the top left corner, is compared. In the difference, " +
           stripes_in_words(files.comparison) + ".";
  return why;
}

}  // namespace

std::vector<u8> shown_picture_of(const std::string& path) {
  std::vector<u8> bytes = read_file(path);
  if (begins_png(bytes)) return bytes;
  if (!begins_linear(bytes)) return encode_samples(decode_picture(bytes, path));
  const LinearImage linear = decode_linear(bytes, path);
  return encode_png(tone_mapped(linear, exposure_for(linear)));
}

PageCase page_case_of(const CompareReport& report) {
  const CompareRequest& r = report.request;
  const FileComparison& files = report.files;
  PageCase item;
  item.name = std::filesystem::path(r.result).filename().string();
  item.verdict = report.judgement.outcome.words;
  item.outcome = page_outcome(report);
  item.why = why_of(files);
  item.axes = {{"reference", described(r.reference, files.reference, files)},
               {"result", described(r.result, files.result, files)}};
  item.pictures.reference = files.are_ids  ? encode_png(colors_of(files.reference))
                            : files.linear ? encode_png(files.linear->reference)
                                           : shown_picture_of(r.reference);
  item.pictures.result = files.are_ids  ? encode_png(colors_of(files.result))
                         : files.linear ? encode_png(files.linear->result)
                                        : shown_picture_of(r.result);
  item.pictures.result_is_reference = item.pictures.result == item.pictures.reference;
  add_comparison(item, files.pair, files.comparison);
  if (files.linear)
    for (const LinearMetric& metric : linear_metrics())
      item.numbers.push_back({"linear " + std::string(metric.name),
                              number(files.linear->comparison.*metric.value), "", true});
  item.needed = needed_of(report);
  for (const JudgedLimit& limit : report.judgement.limits)
    set_limit(item, limit.name, exact(limit.value),
              (limit.at_most ? "at most " : "at least ") + exact(limit.limit), limit.holds);
  return item;
}

CiResult ci_result_of(const CompareReport& report) {
  const CompareRequest& r = report.request;
  const OutcomeInfo& outcome = report.judgement.outcome;
  return {"ballotcast compare",
          std::filesystem::path(r.result).filename().string(),
          outcome.exit_code == 0 ? CiOutcome::passed : CiOutcome::failed,
          std::string(outcome.words),
          in_words(report),
          r.result,
          0.0};
}

void report_to_ci(const CompareRequest& r, const std::string& name,
                  const std::vector<CiResult>& results, double milliseconds) {
  if (!r.junit.empty()) write_text_atomically(r.junit, junit_xml(name, results, milliseconds));
  if (r.github) remark_lines(github_annotations(results));
}

PagePictures page_of(const CompareReport& report) {
  const CompareRequest& r = report.request;
  return {r.reference + " and " + r.result + ": " + std::string(report.judgement.outcome.words),
          in_words(report),
          {{"version", version()}, {"commit", commit()}, {"command", command_line()}},
          {},
          {page_case_of(report)}};
}

}  // namespace ballotcast::detail
