// Writes a report of synthetic or saved results, to look at, and for tests of pages.
// Usage: make_report FORMAT (gpu|emulated|RESULTS.json) FILE
#include <cstdio>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "bench/reports/formats.hpp"
#include "bench/sample.hpp"
#include "support/files/files.hpp"

namespace {

ballotcast::detail::Results saved(const std::string& path) {
  const std::vector<std::uint8_t> bytes = ballotcast::detail::read_file(path);
  return ballotcast::detail::results_from({bytes.begin(), bytes.end()}, path);
}

}  // namespace

int main(int count, char** arguments) {
  using namespace ballotcast;
  using namespace ballotcast::detail;
  if (count != 4) {
    std::fputs("usage: make_report FORMAT (gpu|emulated|RESULTS.json) FILE\n", stderr);
    return 2;
  }
  try {
    const std::string source = arguments[2];
    const Results results = source == "gpu"        ? testing::sample_results()
                            : source == "emulated" ? testing::emulated_sample_results()
                                                   : saved(source);
    const std::string text = report(arguments[1], results);
    write_file_atomically(arguments[3], {text.begin(), text.end()});
  } catch (const Error& error) {
    std::fprintf(stderr, "make_report: %s\n", error.what());
    return 1;
  }
  return 0;
}
