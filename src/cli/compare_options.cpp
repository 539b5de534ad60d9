#include "cli/compare_options.hpp"

#include <algorithm>
#include <limits>

#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kLargestNumber = 1e9;  // the largest limit or factor

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

Setter set_steps(std::optional<u32>& target) {
  return [&target](const std::string& name, const std::string& text) {
    u32 steps = 0;
    set_count(steps, 0, 65535)(name, text);
    target = steps;
  };
}

}  // namespace

std::vector<Option> compare_options(CompareRequest& r) {
  const std::string files = "Files",
                    limits = "Limits (all must hold; without any, no pixel may differ)",
                    pictures = "Pictures of the difference";
  return {
      {files, "REFERENCE", "FILE", "", "the PNG that is right", set_text(r.reference), false, true},
      {files, "RESULT", "FILE", "", "the PNG to compare with it", set_text(r.result), false, true},
      {files, "--json", "", "", "print everything as JSON", set_flag(r.json)},
      {limits, "--fail", "METRIC=X", "",
       "fail if METRIC is worse than X (may be repeated): " + joined(names_of(metrics())),
       add_metric_limit(r.limits.metrics), true},
      {limits, "--fail-percent", "P", "", "fail if more than P percent of the pixels differ",
       set_number(r.limits.fail_percent, 0.0, 100.0)},
      {limits, "--max-error", "N", "",
       "fail if a sample differs by more than N (of 255; with 16 bits, of 65535)",
       set_steps(r.limits.max_error)},
      {limits, "--allow", "x,y,w,h", "",
       "ignore a rectangle of pixels, w wide and h high (may be repeated)", add_rectangle(r.allow),
       true},
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

}  // namespace ballotcast::detail
