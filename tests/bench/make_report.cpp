// Writes a report of made-up results, to look at and to test pages with.
// Usage: make_report FORMAT (gpu|emulated) FILE
#include <cstdio>
#include <string>

#include "bench/reports/report.hpp"
#include "bench/sample.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

int main(int count, char** arguments) {
  using namespace ballotcast;
  if (count != 4) {
    std::fputs("usage: make_report FORMAT (gpu|emulated) FILE\n", stderr);
    return 2;
  }
  try {
    const Results results = std::string(arguments[2]) == "emulated"
                                ? testing::emulated_sample_results()
                                : testing::sample_results();
    const std::string text = report(arguments[1], results);
    write_file_atomically(arguments[3], {text.begin(), text.end()});
  } catch (const Error& error) {
    std::fprintf(stderr, "make_report: %s\n", error.what());
    return 1;
  }
  return 0;
}
