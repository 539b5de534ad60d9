// A scene in parts, on one machine or several.
#pragma once

#include <memory>
#include <vector>

#include "backends/memory_plan.hpp"
#include "backends/parts/cut.hpp"
#include "backends/several/several_scene.hpp"

namespace ballotcast::detail {

/// The memory that a machine needs for its parts: that of the machine with the most. Part i belongs
/// to machine i % machines.
MemoryTable memory_of(const std::vector<ScenePart>& parts, std::size_t machines);

/// A machine that holds parts.
struct PartsMember {
  std::string name;  // for messages
  /// Copies a part to the machine. Runs in the machine's thread, which it also makes use the
  /// machine.
  std::function<std::unique_ptr<ResidentScene>(const PreparedScene& part)> upload;
};

/// Copies the parts to the machines. Rays are cast by the machines, and give the bits of the whole
/// scene. Everything else is done by this process's CPU, which has the whole scene: shading, leaf
/// visits, closest points, winding numbers. `whole` must outlive the result.
std::unique_ptr<ResidentScene> make_parts_scene(const PreparedScene& whole,
                                                const std::vector<ScenePart>& parts,
                                                const std::vector<PartsMember>& machines);

}  // namespace ballotcast::detail
