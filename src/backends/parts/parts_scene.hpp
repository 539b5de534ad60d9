// A scene in parts, on one machine or several.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/parts/cut.hpp"
#include "backends/parts/ray_router.hpp"

namespace ballotcast::detail {

/// A machine that holds parts.
struct PartsMember {
  std::string name;  // for messages
  /// Copies part `number` to the machine. Runs in the machine's thread, which it also makes use the
  /// machine. `part` is null if another process holds it.
  std::function<std::unique_ptr<ResidentScene>(std::size_t number, const PreparedScene* part)>
      upload;
  std::vector<std::size_t> parts;  // the numbers of those that it holds
  /// See MachineOfParts. If only some members have one, rays are routed in host memory.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
  bool is_remote = false;  // in another process
};

/// A scene in parts.
class SceneInParts : public ResidentScene {
 public:
  /// Calls work(scene) for a part, in the thread of the machine that holds it.
  virtual void with_part(std::size_t part, const std::function<void(ResidentScene&)>& work) = 0;
};

/// Copies the parts to the machines. Rays are cast by the machines, and give the bits of the whole
/// scene; all parts must have a machine for that. Everything else is done by this process's CPU,
/// which has the whole scene: shading, leaf visits, closest points, winding numbers. `whole` must
/// outlive the result.
std::unique_ptr<SceneInParts> make_parts_scene(const PreparedScene& whole,
                                               const std::vector<ScenePart>& parts,
                                               const std::vector<PartsMember>& machines);

}  // namespace ballotcast::detail
