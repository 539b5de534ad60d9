// ballotcast bench report: shows results that were saved as JSON.
#include <memory>

#include "bench/reports/report.hpp"
#include "cli/bench_output.hpp"
#include "cli/command.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

struct ReportRequest {
  std::string file;
  BenchOutput output;
};

}  // namespace

Command bench_report_command() {
  const auto r = std::make_shared<ReportRequest>();
  std::vector<Option> table = {{"Files", "RESULTS", "FILE", "",
                                "what a benchmark printed with --json", set_text(r->file), false,
                                true}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  return {"bench report", "shows saved results (of --json) as a page or table", table, [r] {
            if (r->file.empty()) throw UsageError("bench report needs a file of results");
            check(r->output, {r->file});
            const std::vector<u8> bytes = read_file(r->file);
            return deliver(results_from({bytes.begin(), bytes.end()}, r->file), r->output);
          }};
}

}  // namespace ballotcast::detail
