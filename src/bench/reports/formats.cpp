#include "bench/reports/formats.hpp"

#include <array>

#include "support/page.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// The files of page/, which tools/cmake/embed.cmake embeds in the program. They contain the
/// placeholders {{title}} and {{data}}.
extern const PageFiles kReportPage;

/// The files of page/ with the JSON report inserted, which the script of the page displays.
std::string html_report(const Results& results) {
  return filled_page(kReportPage, {{"title", escaped_html(results.title)},
                                   {"data", inside_script(json_report(results))}});
}

std::span<const ReportFormat> report_formats() {
  static constexpr std::array<ReportFormat, 4> formats = {{
      {"table", "text for a terminal, one table per experiment", table_report},
      {"csv", "one line per measurement, units in the header", csv_report},
      {"json", "everything, to be loaded again", json_report},
      {"html", "one page with charts and tables that needs no network", html_report},
  }};
  return formats;
}

std::string report(std::string_view format, const Results& results) {
  std::vector<std::string_view> names;
  for (const ReportFormat& row : report_formats()) {
    if (row.name == format) return row.write(results);
    names.push_back(row.name);
  }
  throw_unknown("report", format, names);
}

}  // namespace ballotcast::detail
