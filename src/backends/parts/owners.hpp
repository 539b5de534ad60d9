// Which machine holds which part of a scene, and how many parts there are.
#pragma once

#include <vector>

#include "backends/device/batches.hpp"
#include "backends/parts/cut.hpp"

namespace ballotcast::detail {

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
