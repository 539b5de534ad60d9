// How much work a device does at a time. Before any memory is allocated, it is planned: how much
// each part of the work takes, and with how many rays at a time all of it fits. Then queries are
// cut into batches of so many.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/backend.hpp"
#include "ballotcast/frame.hpp"
#include "kernels/queries/query.hpp"
#include "math/aabb.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// A row of a table of memory: all arrays of one kind on a device.
struct MemoryPart {
  std::string_view name;
  u64 bytes = 0;
};

using MemoryTable = std::vector<MemoryPart>;

/// The sum of a table, in bytes.
u64 bytes_of(const MemoryTable& table);

/// The memory of a scene and its tree.
MemoryTable memory_of(const PreparedScene& scene);

/// The memory that a frame needs besides its scene, if `at_once` paths are processed at a time.
MemoryTable memory_of_frame(const FrameSettings& frame, const CastChoice& choice, u32 at_once);

/// The memory that films of pieces need, if several machines keep them until one smooths them all.
MemoryPart memory_of_pieces(const FrameSettings& frame);

/// The memory that a query needs besides the scene. A single item with more than kCrossingsKept *
/// at_once results needs more.
MemoryTable memory_of_query(const Query& query, u32 at_once);

/// The memory that casting `count` rays at a scene in parts needs, for a machine that also routes
/// the rays.
MemoryTable memory_of_cast_in_parts(u64 count, const CastChoice& choice, u32 at_once);

/// The memory that is available.
struct MemoryBudget {
  std::optional<u64> bytes;  // absent: no limit
  std::string said;          // the source of the number, for messages: "the device has free"
};

/// How much memory of each machine of a device may be used: what is free, but at most `allowed`. If
/// nobody manages the memory, `allowed` alone is the limit.
MemoryBudget budget_on(const DeviceChoice& device, const std::optional<u64>& allowed);

/// The memory that some work needs, and the number of rays or paths that it processes at a time.
struct MemoryPlan {
  MemoryTable parts;
  u32 at_once = kPathsAtOnce;

  u64 bytes() const { return bytes_of(parts); }
};

/// The memory that some work on a scene needs with `at_once` rays or paths at a time.
using MemoryOfWork = std::function<MemoryTable(u32 at_once)>;

/// The plan with the smallest amount of memory.
MemoryPlan least_plan(const MemoryTable& scene, const MemoryOfWork& work);

/// The next plan that needs less memory than `plan`; none if `plan` is the smallest.
std::optional<MemoryPlan> smaller(const MemoryPlan& plan, const MemoryTable& scene,
                                  const MemoryOfWork& work);

/// The plan that fits into `budget` with the most rays at a time: kPathsAtOnce, halved as often as
/// necessary. If no plan fits, throws OutOfDeviceMemory with a table of the smallest plan's parts
/// and the smallest budget that would be enough.
MemoryPlan plan_memory(const MemoryTable& scene, const MemoryOfWork& work,
                       const MemoryBudget& budget);

/// The rows of a table as aligned lines, without rows of 0 bytes, and the sum at the end.
std::string text_of(const MemoryTable& table);

/// How many items a batch of in_batches has at most: `at_once`, or fewer if they are packed first.
u32 most_in_batch(const Query& query, u32 at_once);

/// Calls answer(batch) for one batch after another, of at most `at_once` items each, and returns
/// the sum of their counts. Batches are the same on every machine, and so are the counts. Those of
/// ranges have at most kCrossingsKept * at_once results, or one item.
///
/// A batch has its items one behind the other. Those that lie in arrays of another program are
/// packed, a part at a time that stays in a cache until it is cast.
///
/// Points of a batch are in the order of a space-filling curve through `box`, those outside as if
/// they were at its side. Points that follow one another then visit the same parts of a tree, which
/// are in a cache already.
CastCounts in_batches(const Query& query, u32 at_once, const Aabb& box,
                      FunctionRef<CastCounts(const Query& batch)> answer);

/// Gives a part of a query sums of its own, which begin at 0; nothing if it has none. What a
/// machine adds before it fails then does not stay.
std::vector<u64> own_sums(Query& part);
/// Adds them to the results of the whole.
void add_sums(const std::vector<u64>& sums, const Query& query);

}  // namespace ballotcast::detail
