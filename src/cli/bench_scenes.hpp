// The options of benchmarks that measure several scenes.
#pragma once

#include <string>
#include <vector>

#include "bench/scene_list.hpp"
#include "cli/bench_output.hpp"
#include "cli/options.hpp"

namespace ballotcast::detail {

/// SCENE, --strict and --triangles as rows of the option table, under the heading `group`. They
/// fill `list`, which must outlive them.
std::vector<Option> scene_list_options(SceneList& list, const std::string& group);

/// Prints warnings about scenes as remarks, and refuses to write the page of `output` over a file
/// of a scene. `output` must outlive the list.
void watch_scenes(SceneList& list, const BenchOutput& output);

/// Lets options whose value is a list, and SCENE, be given several times.
void let_lists_repeat(std::vector<Option>& table);

}  // namespace ballotcast::detail
