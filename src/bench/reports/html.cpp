// Results as one HTML page: the files of page/ with the JSON report inside. The script of the page
// does the rest.
#include "bench/reports/page_files.hpp"
#include "bench/reports/report.hpp"

namespace ballotcast::detail {

std::string html_report(const Results& results) {
  return filled_page(kReportPage, {{"title", escaped_html(results.title)},
                                   {"data", inside_script(json_report(results))}});
}

}  // namespace ballotcast::detail
