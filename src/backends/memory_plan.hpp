// How much memory work takes on a device, part by part, before any of it is taken; and how many
// rays may be under way so that it fits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace ballotcast::detail {

/// One kind of arrays on a device.
struct MemoryPart {
  std::string_view name;
  u64 bytes = 0;
};

using MemoryTable = std::vector<MemoryPart>;

/// The sum of a table, bytes.
u64 bytes_of(const MemoryTable& table);

/// The arrays of a scene and its tree.
MemoryTable memory_of(const PreparedScene& scene);

/// What a frame takes besides, `at_once` paths at a time.
MemoryTable memory_of_frame(const FrameSettings& frame, const CastChoice& choice, u32 at_once);

/// What casting `count` rays takes besides.
MemoryTable memory_of_cast(u64 count, const CastChoice& choice, u32 at_once);

/// What finding the crossings of `count` rays takes besides. One ray with more than
/// kCrossingsKept * at_once of them takes more.
MemoryTable memory_of_crossings(u64 count, u32 at_once);

/// How much memory there is.
struct MemoryBudget {
  std::optional<u64> bytes;  // none: as much as one likes
  std::string said;          // where the number comes from: "the device has free"
};

/// What may be taken of a device: what is `allowed`, if anything is said, and never more than is
/// free.
MemoryBudget budget_on(const BackendInfo& backend, const std::optional<u64>& allowed);

/// What work takes, and how many of its rays or paths may be under way.
struct MemoryPlan {
  MemoryTable parts;
  u32 at_once = kPathsAtOnce;

  u64 bytes() const { return bytes_of(parts); }
};

/// Work on a scene: what it takes with `at_once` rays or paths under way.
using MemoryOfWork = std::function<MemoryTable(u32 at_once)>;

/// The plan that takes the least.
MemoryPlan least_plan(const MemoryTable& scene, const MemoryOfWork& work);

/// The next plan that takes less than `plan`; none where that is the smallest.
std::optional<MemoryPlan> smaller(const MemoryPlan& plan, const MemoryTable& scene,
                                  const MemoryOfWork& work);

/// The plan with the most rays under way, kPathsAtOnce or that halved again and again, that fits
/// into `budget`. Throws OutOfDeviceMemory where none does: with a table of the smallest one's
/// parts and the least budget that would do.
MemoryPlan plan_memory(const MemoryTable& scene, const MemoryOfWork& work,
                       const MemoryBudget& budget);

/// A table's rows as lines, aligned, the sum last.
std::string text_of(const MemoryTable& table);

}  // namespace ballotcast::detail
