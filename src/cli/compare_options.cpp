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

}  // namespace

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

}  // namespace ballotcast::detail
