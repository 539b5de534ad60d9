// A scene cut into parts, for machines that can't hold all of it.
//
// A part is a tree over some of the triangles: those whose centres lie together. The triangles keep
// their ids, and a walk through a part does the same arithmetic as one through the whole tree. So
// the closest hit of a ray is the closest of its hits in the parts, bit for bit.
//
//      +-----+---------+     4 parts: halves of halves, along the longest axis,
//      |     |    1    |     with as many triangles in each
//      |  0  +---------+
//      |     |         |     Boxes may overlap, because triangles reach beyond their centres.
//      +--+--+   3     |
//      | 2   |         |
//      +-----+---------+
//
// Instances are cut as triangles are. A mesh has a tree in each part that has an instance of it.
//
// Which machine holds which part, and how many parts there are, is decided here, too.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/scene/prepare.hpp"

namespace ballotcast::detail {

/// A part of a scene. It can be uploaded as a scene is, but only to cast rays at it.
struct ScenePart {
  std::shared_ptr<const PreparedScene> prepared;
  Aabb box;
};

/// Cuts a scene into `count` parts, or fewer if it has fewer triangles; a scene with instances into
/// parts of instances, each with the trees of their meshes. Builds the trees of the parts, with the
/// builder and the layout of the whole. Throws UsageError for a scene with several worlds.
std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build);

/// The machines of a device, at least one.
std::size_t machines_of(const DeviceChoice& device);

/// Parts are dealt to the machines in turn.
inline std::size_t machine_of_part(std::size_t part, std::size_t machines) {
  return part % machines;
}

/// The memory that a machine needs for its parts: that of the machine with the most.
MemoryTable memory_of(const std::vector<ScenePart>& parts, const DeviceChoice& device);

/// A scene that takes more of a machine's memory is cut, if that is left to the program. What casts
/// rays needs room, too.
inline constexpr double kMostOfMemory = 0.75;

/// The number of parts for RendererOptions::partition. `whole`: the memory of the whole scene;
/// `budget`: that of each machine. Throws UsageError for more than one part in several processes:
/// rays would go through the memory of their hosts, which is slower than one machine alone.
u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget);

}  // namespace ballotcast::detail
