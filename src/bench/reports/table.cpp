// Results as text for a terminal: one table per experiment. Axes that do not vary are in its
// heading. If the other axes do not fit beside the numbers, rows are grouped by the axes with the
// fewest values.
#include <algorithm>
#include <cmath>
#include <set>

#include "bench/reports/findings.hpp"
#include "bench/reports/report.hpp"
#include "bench/reports/view.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kIndent = 2;
constexpr const char* kGap = "  ";
constexpr std::size_t kLeastRoom = 30;  // columns that a sentence in a row needs

/// A column with one cell per row; "" if the row has nothing to show.
struct Column {
  std::string head;
  std::vector<std::string> cells;
  bool left = false;

  std::size_t width() const {
    std::size_t widest = columns_of(head);
    for (const std::string& cell : cells) widest = std::max(widest, columns_of(cell));
    return widest;
  }
  bool empty() const {
    return std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
  }
};

using Columns = std::vector<Column>;

std::string padded(const std::string& cell, std::size_t width, bool left) {
  const std::string blanks(width - std::min(width, columns_of(cell)), ' ');
  return left ? cell + blanks : blanks + cell;
}

std::size_t width_of(const Columns& columns) {
  std::size_t width = kIndent;
  for (const Column& column : columns) width += column.width() + columns_of(kGap);
  return width - columns_of(kGap);
}

template <class Cell>
Column column(const std::string& head, const std::vector<const Row*>& rows, Cell cell) {
  Column made{head, {}};
  for (const Row* row : rows)
    made.cells.push_back(row->verdict == Verdict::right ? cell(*row) : std::string());
  return made;
}

Column axis_column(const std::string& key, const std::vector<const Row*>& rows) {
  Column made{label_of(key), {}};
  for (const Row* row : rows) {
    const Value* value = find(row->axes, key);
    made.left |= value != nullptr && std::holds_alternative<std::string>(*value);
    made.cells.push_back(value == nullptr ? "-" : shown(*value));
  }
  return made;
}

/// The number of decimals with which the smallest of the times has three significant digits; at
/// most four.
int decimals_of(const std::vector<const Row*>& rows) {
  double least = 1000.0;
  for (const Row* row : rows)
    if (row->timing && row->timing->median_ms > 0.0)
      least = std::min(least, row->timing->median_ms);
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(least))), 0, 4);
}

/// The numbers of `rows`. Level 0 has all of them, level 1 leaves out the least important, level 2
/// more.
Columns metrics_of(const View& view, const std::vector<const Row*>& rows, double noise, int level) {
  const int decimals = decimals_of(rows);
  Columns columns;
  const bool rate_says_it = level == 2 && view.experiment.about_rate;
  if (!rate_says_it)
    columns.push_back(column("time ms", rows, [&](const Row& row) {
      return row.timing ? fixed(row.timing->median_ms, decimals) : "";
    }));
  const bool stars = std::any_of(rows.begin(), rows.end(), [](const Row* row) {
    return row->timing && row->timing->throttled;
  });
  if (level < 1 || !view.experiment.about_rate)
    columns.push_back(column("spread", rows, [&](const Row& row) {
      if (!row.timing) return std::string();
      return "±" + fixed(row.timing->spread * 100.0, 1) + " %" +
             (row.timing->throttled ? "*"
              : stars               ? " "
                                    : "");
    }));
  if (view.experiment.about_rate)
    columns.push_back(column("M " + view.experiment.items + "/s", rows, [](const Row& row) {
      return row.items_per_s() ? three_digits(*row.items_per_s() * 1e-6) : "";
    }));
  else if (level < 2)
    columns.push_back(column(view.experiment.items + "/s", rows, [](const Row& row) {
      const std::string rate = row.items_per_s() ? prefixed(*row.items_per_s()) : "";
      return rate.ends_with(' ') ? rate.substr(0, rate.size() - 1) : rate;
    }));
  columns.push_back(column("GB/s", rows, [](const Row& row) {
    return bytes_per_s(row) ? three_digits(*bytes_per_s(row) * 1e-9) : "";
  }));
  columns.push_back(column("x naive", rows, [&](const Row& row) -> std::string {
    if (!row.ratio_to_naive) return "";
    const double ratio = *row.ratio_to_naive;
    if (ratio == 1.0) return "1";
    return std::abs(ratio - 1.0) <= noise ? "~1" : three_digits(ratio);
  }));
  columns.push_back(column("over none", rows, [&](const Row& row) -> std::string {
    if (!row.overhead_of_none) return "";
    const double share = *row.overhead_of_none * 100.0;
    if (share == 0.0) return "0 %";
    if (std::abs(share) <= noise * 100.0) return "~0 %";
    const std::string size =
        std::abs(share) < 999.5 ? fixed(std::abs(share), 0) : three_digits(std::abs(share));
    return (share < 0.0 ? "-" : "+") + size + " %";
  }));
  columns.push_back(column(
      "atomics", rows, [](const Row& row) { return row.atomics ? grouped(*row.atomics) : ""; }));
  for (const std::string& key : level < 1 || !view.experiment.about_rate
                                    ? view.found
                                    : without(without(view.found, "rays"), "triangles"))
    columns.push_back(column(label_of(key), rows, [&](const Row& row) -> std::string {
      const Value* value = find(row.found, key);
      if (value == nullptr) return "";
      const auto* number = std::get_if<double>(value);
      return number ? three_digits(*number) : shown(*value);
    }));
  if (level < 1)
    columns.push_back(column(
        "counter", rows, [](const Row& row) { return row.counter ? grouped(*row.counter) : ""; }));
  std::erase_if(columns, [](const Column& c) { return c.empty(); });
  return columns;
}

/// Which axes are columns, which are headings of groups, and the numbers beside them.
struct Layout {
  std::vector<std::string> columns, groups;
  Columns axes, metrics;
  std::size_t room = 0;  // width of the axes' columns, with the gap after them
};

Layout layout_of(const View& view, const std::vector<const Row*>& rows, double noise) {
  Layout made;
  made.columns = view.varying;
  const auto values = [&](const std::string& key) {
    std::set<std::string> distinct;
    for (const Row* row : rows)
      if (const Value* value = find(row->axes, key)) distinct.insert(in_words(*value));
    return distinct.size();
  };
  for (;;) {
    made.axes.clear();
    for (const std::string& key : made.columns) made.axes.push_back(axis_column(key, rows));
    made.room = width_of(made.axes) + columns_of(kGap);
    const bool last = made.columns.size() <= 1;
    for (int level = 0; level <= (last ? 2 : 1); ++level) {
      made.metrics = metrics_of(view, rows, noise, level);
      Columns all = made.axes;
      all.insert(all.end(), made.metrics.begin(), made.metrics.end());
      if (width_of(all) <= kTextWidth) return made;
    }
    if (last) return made;
    const auto moved = std::min_element(
        made.columns.begin(), made.columns.end(), [&](const std::string& a, const std::string& b) {
          return std::pair(a == view.subject, values(a)) < std::pair(b == view.subject, values(b));
        });
    made.groups.push_back(*moved);
    made.columns.erase(moved);
  }
}

std::string without_end_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// The cells of all columns in row `at`; without `at`, the column heads.
std::string line_of(const Columns& columns, std::optional<std::size_t> at) {
  std::string line(kIndent, ' ');
  for (const Column& c : columns)
    line += padded(at ? c.cells[*at] : c.head, c.width(), c.left) + kGap;
  return line;
}

/// A row with a sentence instead of numbers.
std::string sentence_line(const Layout& layout, std::size_t at, const Row& row) {
  const std::string words = (row.verdict == Verdict::wrong ? "WRONG: " : "skipped: ") + row.why;
  const std::string axes = line_of(layout.axes, at);
  if (layout.room + kLeastRoom > kTextWidth)
    return without_end_blanks(axes) + wrapped(words, 2 * kIndent + 2);
  return axes + wrapped(words, layout.room).substr(layout.room);
}

std::string table_of(const View& view, double noise) {
  // Rows of a group are together. Groups are in the order of their first rows.
  std::vector<const Row*> rows = view.rows;
  Layout layout = layout_of(view, rows, noise);
  const std::vector<std::string> keys = [&] {  // in the order of the axes
    std::vector<std::string> sorted;
    for (const std::string& key : view.varying)
      if (std::find(layout.groups.begin(), layout.groups.end(), key) != layout.groups.end())
        sorted.push_back(key);
    return sorted;
  }();
  std::vector<std::string> order;
  for (const Row* row : rows)
    if (const std::string group = conditions_of(*row, keys);
        std::find(order.begin(), order.end(), group) == order.end())
      order.push_back(group);
  const auto place = [&](const Row* row) {
    return std::find(order.begin(), order.end(), conditions_of(*row, keys)) - order.begin();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return place(a) < place(b); });
  layout = layout_of(view, rows, noise);

  Columns all = layout.axes;
  all.insert(all.end(), layout.metrics.begin(), layout.metrics.end());
  std::string out = without_end_blanks(line_of(all, std::nullopt));
  std::string group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const std::string its = conditions_of(*rows[i], keys); !keys.empty() && its != group) {
      group = its;
      out += "\n" + wrapped(group + ":", kIndent);
    }
    out += rows[i]->verdict == Verdict::right ? without_end_blanks(line_of(all, i))
                                              : sentence_line(layout, i, *rows[i]);
  }
  return out;
}

std::string heading_of(const View& view) {
  const Experiment& e = view.experiment;
  std::string out =
      "\n" + wrapped(e.name + (e.title.empty() || e.title == e.name ? "" : ": " + e.title), 0);
  if (!e.text.empty()) out += wrapped(e.text, kIndent);
  std::string constants;
  for (const auto& [key, value] : view.constants)
    if (shown(value) != "-")
      constants += (constants.empty() ? "" : ", ") + label_of(key) + " " + shown(value);
  if (!constants.empty()) out += wrapped("All rows: " + constants + ".", kIndent);
  return out + "\n";
}

/// Explains the columns that occur.
std::string legend_of(const Results& results, const std::vector<View>& views) {
  const auto any = [&](auto has) {
    return std::any_of(results.rows.begin(), results.rows.end(), has);
  };
  std::vector<std::pair<std::string, std::string>> rows;
  if (std::any_of(views.begin(), views.end(), [](const View& view) { return view.timed(); }))
    rows.emplace_back("time ms",
                      "the median; ± half the distance of the quartiles; lower is faster");
  if (any([](const Row& row) { return row.ratio_to_naive.has_value(); }))
    rows.emplace_back("x naive", "time over that of naive, all else equal; below 1 is faster");
  if (any([](const Row& row) { return row.overhead_of_none.has_value(); }))
    rows.emplace_back("over none", "time beyond that of none, which counts nothing");
  if (!rows.empty())
    rows.emplace_back("~", "within the noise of ±" + fixed(results.noise * 100.0, 1) +
                               " %: no difference is claimed");
  if (any([](const Row& row) { return row.timing && row.timing->throttled; }))
    rows.emplace_back("*", "the clock fell behind the highest one seen");
  return rows.empty() ? "" : "\n" + entries(rows);
}

}  // namespace

std::string table_report(const Results& results) {
  const std::vector<View> views = views_of(results);
  std::string out = wrapped(results.title, 0);
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [key, value] : results.facts) facts.emplace_back(label_of(key), shown(value));
  if (!facts.empty()) out += entries(facts);
  std::vector<std::string> notes = results.notes;
  if (emulated(results)) notes.insert(notes.begin(), kEmulatedNote);
  for (const std::string& note : notes) out += wrapped("note: " + note, kIndent);
  out += legend_of(results, views);
  for (const View& view : views) out += heading_of(view) + table_of(view, results.noise);
  out += "\n";
  for (const std::string& finding : findings_of(results)) out += wrapped(finding, 0);
  return out + wrapped(verdicts_in_words(results) + ".", 0);
}

}  // namespace ballotcast::detail
