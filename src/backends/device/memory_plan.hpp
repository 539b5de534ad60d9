// Plans the memory of work on a machine before any memory is allocated: the size of each kind of
// array, and the number of rays at a time with which everything fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "kernels/queries/query.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

struct FrameSettings;

/// A row of a memory table: all arrays of one kind on a device.
struct MemoryItem {
  std::string_view name;
  u64 bytes = 0;
};

using MemoryTable = std::vector<MemoryItem>;

/// The sum of a table, in bytes.
u64 bytes_of(const MemoryTable& table);

/// The memory of a scene and its tree.
MemoryTable memory_of(const PreparedScene& scene);

/// The memory that a frame needs in addition to its scene, if `at_once` paths are processed at a
/// time.
MemoryTable memory_of_frame(const FrameSettings& frame, const CastChoice& choice, u32 at_once);

/// The memory for the films of chunks, which machines keep until one of them smooths them all.
MemoryItem memory_of_chunks(const FrameSettings& frame);

/// The memory that a query needs in addition to the scene. A single item with more than
/// kCrossingsKept * at_once results needs more.
MemoryTable memory_of_query(const Query& query, u32 at_once);

/// The memory that a machine needs to cast `count` rays through a scene in parts, if it also routes
/// rays.
MemoryTable memory_of_cast_in_parts(u64 count, const CastChoice& choice, u32 at_once,
                                    const RayFilter& filter = {});

/// The memory that is available.
struct MemoryBudget {
  std::optional<u64> bytes;  // absent: no limit
  std::string said;          // the source of the number, for messages: "the device has free"
};

/// The memory of each machine of a device that may be used: the free memory, but at most `allowed`.
/// If the machines have no memory of their own, only `allowed` limits it.
MemoryBudget budget_on(const DeviceChoice& device, const std::optional<u64>& allowed);

/// The purpose of planned memory, for messages: only a scene, a query or a picture.
enum class MemoryFor : u8 { scene, query, picture };

/// The memory that some work needs, and the number of rays or paths that it processes at a time.
struct MemoryPlan {
  MemoryTable table;
  u32 at_once = kPathsAtOnce;
  MemoryFor use = MemoryFor::query;

  u64 bytes() const { return bytes_of(table); }
};

/// The possible plans for some work on a scene: first with kPathsAtOnce rays or paths at a time,
/// then with half as many, and so on.
using MemoryPlans = std::vector<MemoryPlan>;

/// Lists plans. table_of(at_once) returns the memory that the work takes in addition to the scene.
/// The work has `items` rays or paths in total. Plans with more than this number at a time are
/// equal, so only one of them is listed.
MemoryPlans plans_of(const MemoryTable& scene, FunctionRef<MemoryTable(u32 at_once)> table_of,
                     u64 items = ~u64{0}, MemoryFor use = MemoryFor::query);
MemoryPlans plans_of_query(const MemoryTable& scene, const Query& query);

/// The plan with the least memory.
const MemoryPlan& least_plan(const MemoryPlans& plans);

/// The next smaller plan, which needs less memory than `plan`. Null if `plan` is the smallest.
const MemoryPlan* smaller_plan(const MemoryPlans& plans, const MemoryPlan& plan);

/// The plan with the most rays at a time that fits into `budget`. If no plan fits, throws
/// OutOfDeviceMemory, with a table of the smallest plan's items and the smallest budget that would
/// be enough.
const MemoryPlan& plan_memory(const MemoryPlans& plans, const MemoryBudget& budget);

/// Throws OutOfDeviceMemory as plan_memory does, unless a scene fits into `budget`.
void require_room(const MemoryTable& scene, const MemoryBudget& budget);

/// The rows of a table as aligned lines, without rows of 0 bytes, and the sum at the end.
std::string text_of(const MemoryTable& table);

}  // namespace ballotcast::detail
