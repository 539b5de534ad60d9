// The columns of a table as text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/reports/view.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

// Column heads that are explained in the legend.
inline constexpr const char* kTime = "time ms";
inline constexpr const char* kSpread = "spread";
inline constexpr const char* kToNaive = "x naive";
inline constexpr const char* kOverNone = "over none";

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

/// The values of the axis called `key`.
Column axis_column(const std::string& key, const std::vector<const Row*>& rows);

/// A value of Row::found as text. Integers are exact; other numbers have at least three digits.
std::string finding_in_words(const Value& value);

/// Values of Row::found that all rows have, and that are equal in all of them; none if there is
/// only one row. They are shown once, above the table.
Values constant_findings(const View& view);

/// The columns with the results of `rows`; empty columns are left out. Level 0 has all of them,
/// level 1 leaves out the least important ones, level 2 still more.
Columns metrics_of(const View& view, const std::vector<const Row*>& rows, int level);

}  // namespace ballotcast::detail
