#include "bench/reports/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Divides the axes of `view.rows` into constant and varying ones. An axis that some rows lack is
/// varying.
void find_axes(View& view) {
  std::vector<std::string> keys;
  for (const Row* row : view.rows)
    for (const auto& [key, value] : row->axes)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  for (const std::string& key : keys) {
    const Value* first = find(view.rows.front()->axes, key);
    const bool constant =
        first != nullptr && std::all_of(view.rows.begin(), view.rows.end(), [&](const Row* row) {
          const Value* value = find(row->axes, key);
          return value != nullptr && *value == *first;
        });
    if (constant)
      view.constants.emplace_back(key, *first);
    else
      view.varying.push_back(key);
  }
  for (const std::string& key :
       {std::string("strategy"), std::string("variant"), std::string("pipeline")})
    if (view.subject.empty() &&
        std::find(view.varying.begin(), view.varying.end(), key) != view.varying.end())
      view.subject = key;
  if (view.subject.empty() && !view.varying.empty()) view.subject = view.varying.front();
}

}  // namespace

bool View::timed() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row* row) { return row->timing.has_value(); });
}

bool View::untimed() const {
  return !timed() && std::any_of(rows.begin(), rows.end(),
                                 [](const Row* row) { return row->verdict == Verdict::right; });
}

bool View::has_bytes() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row* row) { return bytes_per_s(*row); });
}

std::vector<View> views_of(const Results& results) {
  std::vector<View> views;
  for (const Experiment& experiment : results.experiments) views.push_back({experiment});
  for (const Row& row : results.rows) {
    auto at = std::find_if(views.begin(), views.end(), [&](const View& view) {
      return view.experiment.name == row.experiment;
    });
    if (at == views.end()) {
      const Experiment unnamed{row.experiment, row.experiment, "", "items"};
      at = views.insert(at, View{unnamed});
    }
    at->rows.push_back(&row);
  }
  std::erase_if(views, [](const View& view) { return view.rows.empty(); });
  for (View& view : views) {
    find_axes(view);
    for (const Row* row : view.rows)
      for (const auto& [key, value] : row->found)
        if (std::find(view.found.begin(), view.found.end(), key) == view.found.end())
          view.found.push_back(key);
  }
  return views;
}

bool emulated(const Results& results) {
  const std::vector<View> views = views_of(results);
  return std::any_of(views.begin(), views.end(), [](const View& view) { return view.untimed(); });
}

std::size_t count(const Results& results, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(results.rows.begin(), results.rows.end(),
                    [&](const Row& row) { return row.verdict == verdict; }));
}

std::string verdicts_in_words(const Results& results) {
  std::string words = grouped(count(results, Verdict::right)) + " right";
  if (const std::size_t wrong = count(results, Verdict::wrong); wrong > 0)
    words += ", " + grouped(wrong) + " WRONG";
  if (const std::size_t skipped = count(results, Verdict::skipped); skipped > 0)
    words += ", " + grouped(skipped) + " skipped";
  return words;
}

std::string label_of(const std::string& key) {
  static const std::array<std::pair<std::string, std::string>, 6> units = {{{"_mhz", "MHz"},
                                                                            {"_ms", "ms"},
                                                                            {"_us", "us"},
                                                                            {"_bytes", "bytes"},
                                                                            {"_percent", "%"},
                                                                            {"_gib", "GiB"}}};
  std::string label = key, unit;
  for (const auto& [end, name] : units)
    if (label.size() > end.size() && label.ends_with(end)) {
      label.resize(label.size() - end.size());
      unit = " (" + name + ")";
      break;
    }
  if (const std::size_t per = label.find("_per_"); per != label.npos) label.replace(per, 5, "/");
  std::replace(label.begin(), label.end(), '_', ' ');
  return label + unit;
}

std::string shown(const Value& value) {
  if (const auto* whole = std::get_if<u64>(&value)) return grouped(*whole);
  const std::string words = in_words(value);
  return words.empty() ? "-" : words;
}

std::string conditions_of(const Row& row, const std::vector<std::string>& keys) {
  std::string words;
  for (const std::string& key : keys)
    if (const Value* value = find(row.axes, key); value != nullptr && shown(*value) != "-")
      words += (words.empty() ? "" : ", ") + label_of(key) + " " + shown(*value);
  return words;
}

std::vector<std::string> without(std::vector<std::string> keys, const std::string& key) {
  std::erase(keys, key);
  return keys;
}

std::optional<double> bytes_per_s(const Row& row) {
  if (!row.bytes || !row.timing || row.timing->median_ms <= 0.0) return std::nullopt;
  return static_cast<double>(*row.bytes) / (row.timing->median_ms * 1e-3);
}

std::string three_digits(double number) {
  constexpr double kMostGrouped = 1e18;
  if (!(number > 0.0)) return fixed(number, 0);
  if (number >= kMostGrouped) return in_words(Value(number));
  if (number >= 999.5) return grouped(static_cast<u64>(number + 0.5));
  return fixed(number,
               std::clamp(2 - static_cast<int>(std::floor(std::log10(number * 1.0005))), 0, 9));
}

}  // namespace ballotcast::detail
