// A scene cut into parts, for machines that can't hold all of it.
//
// A part is a tree over some of the triangles, whose centres lie close together. The triangles keep
// their ids, and a traversal of a part does the same arithmetic as one of the whole tree.
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

/// A part of a scene. It is uploaded like a scene, but answers only casts of rays.
struct ScenePart {
  std::shared_ptr<const PreparedScene> prepared;
  Aabb box;
};

/// Cuts a scene into `count` parts, or fewer if it has fewer triangles. In a scene with instances,
/// each part is a set of instances, with the trees of their meshes. Builds the trees of the parts,
/// with the builder and layout of the whole scene. Throws UsageError for a scene with several
/// worlds.
std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build);

/// The number of machines of a device, at least one.
std::size_t machines_of(const DeviceChoice& device);

/// The machine that holds a part. Parts are assigned to machines in turn.
inline std::size_t machine_of_part(std::size_t part, std::size_t machines) {
  return part % machines;
}

/// The memory for the parts of the machine that needs the most.
MemoryTable memory_of(const std::vector<ScenePart>& parts, const DeviceChoice& device);

/// With automatic partition, a scene is cut if it takes more than this fraction of a machine's
/// memory. The rest of the memory is for casting rays.
inline constexpr double kMostOfMemory = 0.75;

/// The number of parts for RendererOptions::partition. `whole` is the memory of the whole scene,
/// `budget` the memory of each machine. Throws UsageError for more than one part in several
/// processes, because rays would go through host memory, which is slower than a single machine.
u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget);

/// A machine that holds parts.
struct PartsMember {
  std::string name;  // for messages
  /// Copies a part to the machine. Runs in the machine's thread, and makes the machine the current
  /// machine of this thread.
  std::function<std::unique_ptr<ResidentScene>(const PreparedScene& part)> upload;
  std::vector<std::size_t> parts;  // indices of the parts that this machine holds
  /// Makes the RayRouter of this machine; see MachineOfParts. If this function is null for any
  /// member, rays are routed in host memory.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
};

/// Copies the parts to the machines, which cast rays with the same bits as in the whole scene;
/// every part must have a machine. The CPU, which has the whole scene, does everything else:
/// shading, leaf visits, closest points, winding numbers. `whole` must outlive the result.
std::unique_ptr<ResidentScene> make_parts_scene(const PreparedScene& whole,
                                                const std::vector<ScenePart>& parts,
                                                const std::vector<PartsMember>& machines);

}  // namespace ballotcast::detail
