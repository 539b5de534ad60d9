// The scenes that a benchmark measures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// Scenes from files, and generated ones.
struct SceneList {
  std::vector<std::string> scenes;  // scene files
  // Sizes of generated terrains, in triangles. There must be at least one scene or size.
  std::vector<u32> triangles;
  /// Called with each scene that was loaded from a file. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true: warnings about scenes are errors
  OnWarnings on_warnings;  // gets the warnings about a scene

  u64 count() const { return scenes.size() + triangles.size(); }
};

/// Throws UsageError if the list is empty.
void require_some(const SceneList& list);

/// Removes what is listed twice, with a note for each.
void list_once(SceneList& list, std::vector<std::string>& notes);

/// Loads or makes one scene after the other and calls use(scene, sized). `sized`: the scene is one
/// of several sizes of the same scene. Throws InputError for an unusable scene, for a missing file
/// before any scene is used.
void for_each_scene(const SceneList& list,
                    const std::function<void(SceneData&& scene, bool sized)>& use);

/// The facts about the machine: "device", its description, and that of the CPU.
Values machine_facts(const DeviceChoice& device);

}  // namespace ballotcast::detail
