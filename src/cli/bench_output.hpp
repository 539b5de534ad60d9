// What the benchmark subcommands share: where to run, where results go.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/results.hpp"
#include "cli/options.hpp"

namespace ballotcast::detail {

/// The options that every benchmark has.
struct BenchOutput {
  std::string html;  // a file, or ""
  bool csv = false;
  bool json = false;
};

/// The rows for the table of options; they fill `output`, which must outlive them.
std::vector<Option> bench_output_options(BenchOutput& output);

/// Throws UsageError or OutputError for what can be refused before anything takes long, a page over
/// one of the `inputs`, too.
void check(const BenchOutput& output, const std::vector<std::string>& inputs = {});

/// The machine that `device` means for experiments on lanes: for "auto" cuda if usable, else
/// emulated, with a remark.
const BackendInfo& bench_device(const std::string& device);

/// The names that bench_device takes.
std::vector<std::string_view> bench_devices();

/// Measures behind a bar that counts measurements, and delivers. Returns the exit code.
int measure_and_deliver(const BenchOutput& output,
                        const std::function<Results(const Progress& rows)>& measure);

/// Adds version, commit, date and the command to the facts.
void add_circumstances(Results& results);

/// Prints and writes results as asked. Returns the exit code: 1 when a row is wrong.
int deliver(const Results& results, const BenchOutput& output);

}  // namespace ballotcast::detail
