// A scene cut into parts, for machines that can't hold all of it.
//
// A part is a tree over some of the triangles, whose centres lie close together. The triangles keep
// their ids, and a walk through a part does the same arithmetic as a walk through the whole tree.
// So the closest hit of a ray is the closest of its hits in the parts, bit for bit.
//
//      +-----+---------+     4 parts: halves of halves, along the longest axis,
//      |     |    1    |     with as many triangles in each
//      |  0  +---------+
//      |     |         |     Boxes may overlap, because triangles reach beyond their centres.
//      +--+--+   3     |
//      | 2   |         |
//      +-----+---------+
//
// Instances are cut in the same way. A part has a tree for each mesh of which it has an instance.
//
// The number of parts, and the machine that holds each part, are decided here, too. Then the
// machines with their parts answer queries as one scene.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/scene/prepare.hpp"

namespace ballotcast::detail {

/// A part of a scene. It is uploaded like a scene, but answers casts of rays only.
struct ScenePart {
  std::shared_ptr<const PreparedScene> prepared;
  Aabb box;
};

/// Cuts a scene into `count` parts, or fewer if it has fewer triangles. A scene with instances is
/// cut into parts of instances, each with the trees of its meshes. Builds the trees of the parts,
/// with the builder and layout of the whole. Throws UsageError for a scene with several worlds.
std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build);

/// The number of machines of a device, at least one.
std::size_t machines_of(const DeviceChoice& device);

/// The machine that holds a part. Machines get parts in turn.
inline std::size_t machine_of_part(std::size_t part, std::size_t machines) {
  return part % machines;
}

/// The memory that the machine with the largest need takes for its parts.
MemoryTable memory_of(const std::vector<ScenePart>& parts, const DeviceChoice& device);

/// If the program may choose, it cuts a scene that takes a larger share of a machine's memory than
/// this. The rest of the memory is for casting rays.
inline constexpr double kMostOfMemory = 0.75;

/// The number of parts for RendererOptions::partition. `whole`: the memory of the whole scene;
/// `budget`: the memory of each machine. Throws UsageError for more than one part in several
/// processes: rays would go through host memory, which is slower than one machine alone.
u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget);

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
