#include "bench/reports/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Divides the axes of `view.rows` into constant and varying ones. An axis that is absent from some
/// rows counts as varying.
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
}

/// Lists of axes whose values are ways to do the same work, so that one value can be called faster
/// than another. The first list with a varying axis is used; the values of all axes that are not in
/// this list mean different work.
const std::vector<std::vector<std::string>> kChoices = {
    {"strategy"}, {"variant"},    {"placement"},
    {"form"},     {"reduction"},  {"pipeline", "builder", "layout"},
    {"loop"},     {"group_size"}, {"block_size"}};

void find_choices(View& view) {
  const auto varies = [&](const std::string& key) {
    return std::find(view.varying.begin(), view.varying.end(), key) != view.varying.end();
  };
  for (const std::vector<std::string>& line : kChoices) {
    if (!view.choices.empty()) break;
    std::copy_if(line.begin(), line.end(), std::back_inserter(view.choices), varies);
  }
  if (!view.varying.empty())
    view.subject = view.choices.empty() ? view.varying.front() : view.choices.front();
}

/// Fills noise_to_naive and noise_over_none. Rows that differ only in the subject are compared with
/// the same two rows, naive and none.
void find_noises(View& view, double least) {
  struct References {
    const Row *naive = nullptr, *none = nullptr;
  };
  std::map<std::string, References> groups;
  const std::vector<std::string> keys = without(view.varying, view.subject);
  for (const Row* row : view.rows) {
    const Value* value = find(row->axes, view.subject);
    const std::string name = value == nullptr ? "" : in_words(*value);
    References& group = groups[conditions_of(*row, keys)];
    if (name == "none") group.none = row;
    if (row->ratio_to_naive && name.starts_with("naive")) group.naive = row;
  }
  for (const Row* row : view.rows) {
    const References& group = groups[conditions_of(*row, keys)];
    const auto between = [&](const Row* other) {
      return noise_between(*row, other == nullptr ? *row : *other, least);
    };
    if (row->ratio_to_naive) view.noise_to_naive[row] = between(group.naive);
    if (row->overhead_of_none) view.noise_over_none[row] = between(group.none);
  }
}

}  // namespace

double noise_between(const Row& a, const Row& b, double least) {
  const auto spread = [](const Row& row) { return row.timing ? row.timing->spread : 0.0; };
  return std::max(least, spread(a) + spread(b));
}

double time_per_item(const Row& row) {
  return row.timing->median_ms / static_cast<double>(std::max<u64>(1, row.items));
}

double times_slower(const Row& slow, const Row& fast) {
  const double least = time_per_item(fast);
  return least > 0.0 ? time_per_item(slow) / least : 1.0;
}

bool is_within(double noise, double ratio) { return std::max(ratio, 1.0 / ratio) - 1.0 <= noise; }

bool differ(const Row& a, const Row& b, double least) {
  return !is_within(noise_between(a, b, least), times_slower(a, b));
}

std::string percent_in_words(double share) {
  constexpr double kTenPercent = 0.0995, kTenthOfPercent = 0.00095;
  const int digits = share >= kTenPercent ? 0 : share >= kTenthOfPercent || share <= 0.0 ? 1 : 2;
  return fixed(share * 100.0, digits) + " %";
}

std::string noise_in_words(const Results& results) {
  std::vector<double> spreads;
  for (const Row& row : results.rows)
    if (row.timing) spreads.push_back(row.timing->spread);
  if (spreads.empty()) return "";
  std::sort(spreads.begin(), spreads.end());
  const auto shown = [](double share) { return "±" + percent_in_words(share); };
  std::string words = "spread of the samples " + shown(spreads.front());
  if (shown(spreads.front()) != shown(spreads.back()))
    words += " to " + shown(spreads.back()) + ", median " + shown(spreads[spreads.size() / 2]);
  if (results.noise > 0.0) words += "; no difference below " + shown(results.noise) + " is claimed";
  return words;
}

bool View::timed() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row* row) { return row->timing.has_value(); });
}

bool View::untimed() const {
  return !timed() && std::any_of(rows.begin(), rows.end(),
                                 [](const Row* row) { return row->verdict == Verdict::right; });
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
    find_choices(view);
    find_noises(view, results.noise);
    for (const Row* row : view.rows)
      for (const auto& [key, value] : row->found)
        if (std::find(view.found.begin(), view.found.end(), key) == view.found.end())
          view.found.push_back(key);
  }
  return views;
}

bool emulated(const Results& results) {
  if (results.counts_only) return false;
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

std::vector<std::string> without(std::vector<std::string> keys,
                                 const std::vector<std::string>& others) {
  for (const std::string& key : others) std::erase(keys, key);
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
