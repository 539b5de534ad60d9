// What all benchmark subcommands need: options for devices, scenes and results, and functions that
// measure and write the results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/device/backend.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"
#include "cli/option_table.hpp"

namespace ballotcast::detail {

/// The values of the options that every benchmark has.
struct BenchOutput {
  std::string html;  // name of the HTML file, or ""
  bool csv = false;
  bool json = false;
};

/// The table of these options. They fill `output`, which must outlive them.
std::vector<Option> bench_output_options(BenchOutput& output);

/// Throws UsageError or OutputError if the output options are invalid, or if the page would
/// overwrite one of `inputs`. Call this before any long work.
void check(const BenchOutput& output, const std::vector<std::string>& inputs = {});

/// The backend for experiments on lanes. For "auto", this is cuda if that is usable, else emulated,
/// with a remark.
const BackendInfo& bench_device(const std::string& device);

/// The names that bench_device accepts.
std::vector<std::string_view> bench_devices();

/// Measures, with a progress bar that counts measurements, then writes the results. Returns the
/// exit code.
int measure_and_deliver(const BenchOutput& output,
                        const std::function<Results(const Progress& rows)>& measure);

/// Adds the version, the commit, the date and the command to the facts.
void add_conditions(Results& results);

/// Prints and writes results as `output` requests. Returns the exit code: 1 if a row is wrong.
int deliver(const Results& results, const BenchOutput& output);

/// The table of the options SCENE, --strict and --triangles, under the heading `group`. They fill
/// `list`, which must outlive them.
std::vector<Option> scene_list_options(SceneList& list, const std::string& group);

/// Sets the callbacks of `list`: they print warnings about scenes as remarks, and throw UsageError
/// if the page of `output` would overwrite a file of a scene. `output` must outlive the list.
void watch_scenes(SceneList& list, const BenchOutput& output);

/// Lets the user repeat the argument SCENE and all options whose value is a list.
void let_lists_repeat(std::vector<Option>& table);

}  // namespace ballotcast::detail
