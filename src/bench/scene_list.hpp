// SceneList: the scenes that a benchmark measures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// Scenes to measure: scenes from files, and generated ones.
struct SceneList {
  std::vector<std::string> scenes;  // scene files
  // Sizes of generated terrains, in triangles. There must be at least one scene or one size.
  std::vector<u32> triangles;
  /// Called with the scene of each file after loading. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true if warnings about scenes are errors
  OnWarnings on_warnings;  // called with the warnings about a scene

  u64 count() const { return scenes.size() + triangles.size(); }
};

/// Throws UsageError if the list has no scene.
void require_some(const SceneList& list);

/// Removes repeated scenes and sizes, with a note for each.
void list_once(SceneList& list, std::vector<std::string>& notes);

/// Loads or makes one scene after the other and calls use(scene, sized). `sized` is true if the
/// list has several sizes of the same scene. Throws InputError for an unusable scene; if a file
/// does not exist, throws before the first call.
void for_each_scene(const SceneList& list,
                    const std::function<void(SceneData&& scene, bool sized)>& use);

/// Facts about the machine: the name of the device, its description, and that of the CPU.
Values machine_facts(const DeviceChoice& device);

}  // namespace ballotcast::detail
