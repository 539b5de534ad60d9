// Writes results as text for a terminal: one table per experiment. The heading of a table has the
// axes that do not vary. The other axes are columns. If these do not fit beside the numbers, rows
// are grouped by the axes with the fewest values. If that is not enough, the last numbers are left
// out.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "bench/reports/formats.hpp"
#include "bench/reports/view.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

// The column heads that the legend explains.
constexpr const char* kTime = "time ms";
constexpr const char* kSpread = "spread";
constexpr const char* kToNaive = "x naive";
constexpr const char* kOverNone = "over none";

/// A column of a table with one cell per row; cells may be "".
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

template <class Cell>
Column column(const std::string& head, const std::vector<const Row*>& rows, Cell cell) {
  Column made{head, {}};
  for (const Row* row : rows)
    made.cells.push_back(row->verdict == Verdict::right ? cell(*row) : std::string());
  return made;
}

/// The number of decimals for the times of `rows` in milliseconds: the shortest time gets three
/// significant digits, but no time more than four decimals.
int decimals_of(const std::vector<const Row*>& rows) {
  double least = 1000.0;
  for (const Row* row : rows)
    if (row->timing && row->timing->median_ms > 0.0)
      least = std::min(least, row->timing->median_ms);
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(least))), 0, 4);
}

std::vector<std::string> keys_of(const Values& values) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values) keys.push_back(key);
  return keys;
}

/// The column with the values of the axis called `key`.
Column axis_column(const std::string& key, const std::vector<const Row*>& rows) {
  Column made{label_of(key), {}};
  for (const Row* row : rows) {
    const Value* value = find(row->axes, key);
    made.left |= value != nullptr && std::holds_alternative<std::string>(*value);
    made.cells.push_back(value == nullptr ? "-" : shown(*value));
  }
  return made;
}

/// A value of Row::found as text: all digits of integers, at least three digits of other numbers.
std::string finding_in_words(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? three_digits(*number) : shown(value);
}

/// The findings that all rows have with the same value, which are shown once above the table. Empty
/// if there is only one row.
Values constant_findings(const View& view) {
  Values constants;
  if (view.rows.size() < 2) return constants;
  for (const std::string& key : view.found) {
    const Value* first = find(view.rows.front()->found, key);
    const bool same =
        first != nullptr && std::all_of(view.rows.begin(), view.rows.end(), [&](const Row* row) {
          const Value* value = find(row->found, key);
          return row->verdict == Verdict::right && value != nullptr && *value == *first;
        });
    if (same) constants.emplace_back(key, *first);
  }
  return constants;
}

/// The columns with the results of `rows`, without empty ones. Level 0 has all columns, level 1
/// leaves out the least important ones, and level 2 leaves out more.
Columns metrics_of(const View& view, const std::vector<const Row*>& rows, int level) {
  const int decimals = decimals_of(rows);
  Columns columns;
  const bool rate_says_it = level == 2 && view.experiment.about_rate;
  if (!rate_says_it)
    columns.push_back(column(kTime, rows, [&](const Row& row) {
      return row.timing ? fixed(row.timing->median_ms, decimals) : "";
    }));
  const bool stars = std::any_of(rows.begin(), rows.end(), [](const Row* row) {
    return row->timing && row->timing->throttled;
  });
  const Column spread = column(kSpread, rows, [&](const Row& row) {
    if (!row.timing) return std::string();
    return "±" + percent_in_words(row.timing->spread) +
           (row.timing->throttled ? "*"
            : stars               ? " "
                                  : "");
  });
  if (!rate_says_it) columns.push_back(spread);
  if (view.experiment.about_rate)
    columns.push_back(column("M " + view.experiment.items + "/s", rows, [](const Row& row) {
      return row.items_per_s() ? three_digits(*row.items_per_s() * 1e-6) : "";
    }));
  else if (level < 2)
    columns.push_back(column(view.experiment.items + "/s", rows, [](const Row& row) {
      const std::string rate = row.items_per_s() ? prefixed(*row.items_per_s()) : "";
      return rate.ends_with(' ') ? rate.substr(0, rate.size() - 1) : rate;
    }));
  if (rate_says_it) columns.push_back(spread);
  columns.push_back(column("GB/s", rows, [](const Row& row) {
    return bytes_per_s(row) ? three_digits(*bytes_per_s(row) * 1e-9) : "";
  }));
  columns.push_back(column(kToNaive, rows, [&](const Row& row) -> std::string {
    if (!row.ratio_to_naive) return "";
    const double ratio = *row.ratio_to_naive;
    if (ratio == 1.0) return "1";
    return is_within(view.noise_to_naive.at(&row), ratio) ? "~1" : three_digits(ratio);
  }));
  columns.push_back(column(kOverNone, rows, [&](const Row& row) -> std::string {
    if (!row.overhead_of_none) return "";
    const double share = *row.overhead_of_none * 100.0;
    if (share == 0.0) return "0 %";
    if (is_within(view.noise_over_none.at(&row), 1.0 + *row.overhead_of_none)) return "~0 %";
    const std::string size =
        std::abs(share) < 999.5 ? fixed(std::abs(share), 0) : three_digits(std::abs(share));
    return (share < 0.0 ? "-" : "+") + size + " %";
  }));
  columns.push_back(column(
      "atomics", rows, [](const Row& row) { return row.atomics ? grouped(*row.atomics) : ""; }));
  std::vector<std::string> found = without(view.found, keys_of(constant_findings(view)));
  if (level >= 1 && view.experiment.about_rate)
    found = without(without(found, "rays"), "triangles");
  for (const std::string& key : found)
    columns.push_back(column(label_of(key), rows, [&](const Row& row) -> std::string {
      const Value* value = find(row.found, key);
      return value == nullptr ? "" : finding_in_words(*value);
    }));
  if (level < 1)
    columns.push_back(column(
        "counter", rows, [](const Row& row) { return row.counter ? grouped(*row.counter) : ""; }));
  std::erase_if(columns, [](const Column& c) { return c.empty(); });
  return columns;
}

constexpr std::size_t kIndent = 2;
constexpr const char* kGap = "  ";
constexpr std::size_t kLeastRoom = 30;  // the width that a sentence in a row needs

std::string padded(const std::string& cell, std::size_t width, bool left) {
  const std::string blanks(width - std::min(width, columns_of(cell)), ' ');
  return left ? cell + blanks : blanks + cell;
}

std::size_t width_of(const Columns& columns) {
  std::size_t width = kIndent;
  for (const Column& column : columns) width += column.width() + columns_of(kGap);
  return width - columns_of(kGap);
}

/// The layout of a table: which axes are columns and which are headings of groups, with the cells.
struct Layout {
  std::vector<std::string> columns, groups;
  Columns axes, metrics;
  std::size_t room = 0;  // width of the columns with axes and of the gap after them
  bool cut = false;      // true if columns at the end of `metrics` were left out
};

/// Leaves out columns at the end of `metrics` until the table fits into the width of a terminal,
/// but never all of them.
void cut_to_fit(Layout& made) {
  while (made.metrics.size() > 1 && made.room + width_of(made.metrics) - kIndent > kTextWidth) {
    made.metrics.pop_back();
    made.cut = true;
  }
}

Layout layout_of(const View& view, const std::vector<const Row*>& rows) {
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
      made.metrics = metrics_of(view, rows, level);
      Columns all = made.axes;
      all.insert(all.end(), made.metrics.begin(), made.metrics.end());
      if (width_of(all) <= kTextWidth) return made;
    }
    if (last) {
      cut_to_fit(made);
      return made;
    }
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

/// The cells of all columns in row `at`, as one line. Without `at`, the column heads.
std::string line_of(const Columns& columns, std::optional<std::size_t> at) {
  std::string line(kIndent, ' ');
  for (const Column& c : columns)
    line += padded(at ? c.cells[*at] : c.head, c.width(), c.left) + kGap;
  return line;
}

/// The line of a row that is wrong or skipped, with the reason instead of numbers.
std::string sentence_line(const Layout& layout, std::size_t at, const Row& row) {
  const std::string words = (row.verdict == Verdict::wrong ? "WRONG: " : "skipped: ") + row.why;
  const std::string axes = line_of(layout.axes, at);
  if (layout.room + kLeastRoom > kTextWidth)
    return without_end_blanks(axes) + wrapped(words, 2 * kIndent + 2);
  return axes + wrapped(words, layout.room).substr(layout.room);
}

/// The text of a table, with what the legend must explain about it.
struct Table {
  std::string text;
  std::set<std::string> heads;  // heads of the table's columns
  bool quiet = false;  // true if at least one cell is marked as a difference within the noise
  bool throttled = false;
  bool cut = false;  // true if columns were left out
};

Table table_of(const View& view) {
  // The rows of each group are together. The groups are in the order of their first rows.
  std::vector<const Row*> rows = view.rows;
  Layout layout = layout_of(view, rows);
  // Axes that distinguish groups, in the order of the axes
  const std::vector<std::string> keys = [&] {
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
  layout = layout_of(view, rows);

  Columns all = layout.axes;
  all.insert(all.end(), layout.metrics.begin(), layout.metrics.end());
  Table table;
  table.cut = layout.cut;
  for (const Column& shown_column : all) {
    table.heads.insert(shown_column.head);
    for (const std::string& cell : shown_column.cells) {
      table.quiet |= cell.starts_with('~');
      table.throttled |= shown_column.head == kSpread && cell.ends_with('*');
    }
  }
  std::string& out = table.text;
  out = without_end_blanks(line_of(all, std::nullopt));
  std::string group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const std::string its = conditions_of(*rows[i], keys); !keys.empty() && its != group) {
      group = its;
      out += "\n" + wrapped((group.empty() ? "others" : group) + ":", kIndent);
    }
    out += rows[i]->verdict == Verdict::right ? without_end_blanks(line_of(all, i))
                                              : sentence_line(layout, i, *rows[i]);
  }
  return table;
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
  for (const auto& [key, value] : constant_findings(view))
    constants += (constants.empty() ? "" : ", ") + label_of(key) + " " + finding_in_words(value);
  if (!constants.empty()) out += wrapped("All rows: " + constants + ".", kIndent);
  return out + "\n";
}

/// The legend, which explains the columns of the tables.
std::string legend_of(const Results& results, const std::vector<Table>& tables) {
  const auto any = [&](auto has) { return std::any_of(tables.begin(), tables.end(), has); };
  const auto has_column = [&](const char* head) {
    return any([&](const Table& table) { return table.heads.contains(head); });
  };
  std::vector<std::pair<std::string, std::string>> rows;
  if (has_column(kTime)) rows.emplace_back(kTime, "the median; lower is faster");
  if (has_column(kSpread))
    rows.emplace_back(kSpread, "of the samples: half the distance between their quartiles");
  if (has_column(kToNaive))
    rows.emplace_back(kToNaive, "time over that of naive, all else equal; below 1 is faster");
  if (has_column(kOverNone))
    rows.emplace_back(kOverNone, "time beyond that of none, which counts nothing");
  if (any([](const Table& table) { return table.quiet; }))
    rows.emplace_back("~",
                      "within the noise, the spread of both rows" +
                          (results.noise > 0.0 ? " and at least ±" + percent_in_words(results.noise)
                                               : std::string()) +
                          ": no difference is claimed");
  if (any([](const Table& table) { return table.throttled; }))
    rows.emplace_back("*", "the clock was below the highest one seen");
  std::string legend = rows.empty() ? "" : "\n" + entries(rows);
  if (any([](const Table& table) { return table.cut; }))
    legend += "\n" + wrapped("Not all columns fit here; --csv, --json and --html have the others.",
                             kIndent);
  return legend;
}

}  // namespace

std::string table_report(const Results& results) {
  const std::vector<View> views = views_of(results);
  std::string out = wrapped(results.title, 0);
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [key, value] : results.facts)
    if (key != kNoiseFact) facts.emplace_back(label_of(key), shown(value));
  if (const std::string noise = noise_in_words(results); !noise.empty())
    facts.emplace_back("noise", noise);
  if (!facts.empty()) out += entries(facts);
  std::vector<std::string> notes = results.notes;
  if (emulated(results)) notes.insert(notes.begin(), kEmulatedNote);
  for (const std::string& note : notes) out += wrapped("note: " + note, kIndent);
  std::vector<Table> tables;
  for (const View& view : views) tables.push_back(table_of(view));
  out += legend_of(results, tables);
  for (std::size_t i = 0; i < views.size(); ++i) out += heading_of(views[i]) + tables[i].text;
  out += "\n";
  for (const std::string& finding : findings_of(results)) out += wrapped(finding, 0);
  return out + wrapped(verdicts_in_words(results) + ".", 0);
}

}  // namespace ballotcast::detail
