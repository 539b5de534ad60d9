// A scene in parts, on one machine or several.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/parts/parts.hpp"
#include "backends/parts/ray_router.hpp"

namespace ballotcast::detail {

/// A machine that holds parts.
struct PartsMember {
  std::string name;  // for messages
  /// Copies a part to the machine. Runs in the machine's thread, and makes that thread use the
  /// machine.
  std::function<std::unique_ptr<ResidentScene>(const PreparedScene& part)> upload;
  std::vector<std::size_t> parts;  // the numbers of the parts that this machine holds
  /// See MachineOfParts. If any member has none, rays are routed in host memory.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
};

/// Copies the parts to the machines. The machines cast rays, with the same bits as the whole scene;
/// every part must have a machine. The CPU, which has the whole scene, does everything else:
/// shading, leaf visits, closest points, winding numbers. `whole` must outlive the result.
std::unique_ptr<ResidentScene> make_parts_scene(const PreparedScene& whole,
                                                const std::vector<ScenePart>& parts,
                                                const std::vector<PartsMember>& machines);

}  // namespace ballotcast::detail
