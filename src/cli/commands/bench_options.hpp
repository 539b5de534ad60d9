// The common parts of benchmark subcommands: options for devices, scenes and results, and the way
// from measurements to output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/device/backend.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"
#include "cli/option_table.hpp"

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

/// The backend for experiments on lanes. "auto" means cuda if it is usable, else emulated, with a
/// remark.
const BackendInfo& bench_device(const std::string& device);

/// The names that bench_device accepts.
std::vector<std::string_view> bench_devices();

/// Measures, with a progress bar that counts measurements, then writes the results. Returns the
/// exit code.
int measure_and_deliver(const BenchOutput& output,
                        const std::function<Results(const Progress& rows)>& measure);

/// Adds version, commit, date and command to the facts.
void add_conditions(Results& results);

/// Prints and writes results as requested. Returns the exit code: 1 if a row is wrong.
int deliver(const Results& results, const BenchOutput& output);

/// SCENE, --strict and --triangles as rows of the option table, under the heading `group`. They
/// fill `list`, which must outlive them.
std::vector<Option> scene_list_options(SceneList& list, const std::string& group);

/// Prints warnings about scenes as remarks. Refuses to write the page of `output` over a file of a
/// scene. `output` must outlive the list.
void watch_scenes(SceneList& list, const BenchOutput& output);

/// Lets options whose value is a list, and SCENE, be given several times.
void let_lists_repeat(std::vector<Option>& table);

}  // namespace ballotcast::detail
