#include "bench/reports/formats.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"

namespace ballotcast::detail::fuzz {

void run_results(std::span<const u8> input) {
  read_or_refused([&] {
    const Results results = results_from({input.begin(), input.end()}, "results.json");
    for (const ReportFormat& format : report_formats()) format.write(results);
  });
}

}  // namespace ballotcast::detail::fuzz
