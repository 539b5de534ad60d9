// Which machine of which process holds which part of a scene.
#pragma once

#include <memory>
#include <vector>

#include "backends/memory_plan.hpp"
#include "backends/parts/cut.hpp"

namespace ballotcast::detail {

inline u32 rank_of_part(std::size_t part, std::size_t ranks) {
  return static_cast<u32>(part % ranks);
}

/// Parts are dealt to the processes in turn, and in each process to its machines in turn.
class PartOwners {
 public:
  explicit PartOwners(const DeviceChoice& device);

  u32 rank_of(std::size_t part) const { return rank_of_part(part, ranks_); }
  /// The machine within its process, if all processes have as many as this one.
  std::size_t machine_of(std::size_t part) const { return part / ranks_ % machines_; }
  /// True if this process holds the part.
  bool is_here(std::size_t part) const { return rank_of(part) == rank_; }
  /// The number of machines of all processes.
  std::size_t machines() const { return ranks_ * machines_; }

  /// The memory that a machine of this process needs for its parts: that of the machine with the
  /// most.
  MemoryTable memory_of(const std::vector<ScenePart>& parts) const;

 private:
  std::size_t ranks_ = 1, machines_;
  u32 rank_ = 0;
};

/// A scene that takes more of a machine's memory is cut, if that is left to the program. What casts
/// rays needs room, too.
inline constexpr double kMostOfMemory = 0.75;

/// The number of parts for RendererOptions::partition, which is the same in all processes. `whole`:
/// the memory of the whole scene; `budget`: that of each machine of this process.
u32 number_of_parts(const DeviceChoice& device, u32 wanted, const MemoryTable& whole,
                    const MemoryBudget& budget);

/// Cuts a scene into `count` parts, and builds the trees of those that this process holds; see
/// cut_into_parts.
std::vector<ScenePart> cut_for(const DeviceChoice& device,
                               const std::shared_ptr<const PreparedScene>& whole, u32 count,
                               const BuildTree& build);

}  // namespace ballotcast::detail
