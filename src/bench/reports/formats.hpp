// The reports of a benchmark, in several formats. Each format shows the same Results, and is one
// file here and one row in formats.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A format in which results can be written.
struct ReportFormat {
  std::string_view name;
  std::string_view summary;
  std::string (*write)(const Results& results);
};

/// The table of formats: table, csv, json, html.
std::span<const ReportFormat> report_formats();

/// Writes `results` in the format called `format`. Throws UsageError, whose message lists the
/// formats, if there is none with this name.
std::string report(std::string_view format, const Results& results);

std::string table_report(const Results& results);  // for a terminal of 80 columns
std::string csv_report(const Results& results);    // one header, then one line per row
std::string json_report(const Results& results);   // all results; results_from() reads them
std::string html_report(const Results& results);   // one page that loads nothing else

/// Reads the output of json_report. For other texts, throws InputError with a message that begins
/// with `name`.
Results results_from(const std::string& text, const std::string& name);

/// A few sentences per experiment, the most important first. They say what naive costs compared
/// with none, and where it costs nothing. Without these two strategies, they say which choice is
/// fastest and which slowest, or the range of the rates. In emulation they compare the numbers of
/// atomics. Rows are called faster or slower only if they do the same work and differ by more than
/// the noise of both.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
