// The common part of the benchmark subcommands: device, and where results go.
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
  std::string html;  // file name, or ""
  bool csv = false;
  bool json = false;
};

/// The options as rows of the option table. They fill `output`, which must outlive them.
std::vector<Option> bench_output_options(BenchOutput& output);

/// Throws UsageError or OutputError for invalid output options, before any long work; also if the
/// page would overwrite one of `inputs`.
void check(const BenchOutput& output, const std::vector<std::string>& inputs = {});

/// The backend for experiments on lanes. "auto" means cuda if it is usable, else emulated with a
/// remark.
const BackendInfo& bench_device(const std::string& device);

/// The names that bench_device accepts.
std::vector<std::string_view> bench_devices();

/// Measures with a progress bar that counts measurements, then writes the results. Returns the exit
/// code.
int measure_and_deliver(const BenchOutput& output,
                        const std::function<Results(const Progress& rows)>& measure);

/// Adds version, commit, date and command to the facts.
void add_circumstances(Results& results);

/// Prints and writes results as requested. Returns the exit code: 1 if a row is wrong.
int deliver(const Results& results, const BenchOutput& output);

}  // namespace ballotcast::detail
