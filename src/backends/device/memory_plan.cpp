#include "backends/device/memory_plan.hpp"

#include <algorithm>

#include "backends/device/batches.hpp"
#include "backends/parts/ray_router.hpp"
#include "ballotcast/error.hpp"
#include "kernels/frame/frame_memory.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "kernels/pipelines/loop.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/slots/later.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Batches have at least this many rays. Smaller batches would save little memory, but cost many
/// launches.
constexpr u32 kLeastAtOnce = 1u << 10;

/// Has the interface of a machine, but only adds up the memory that is requested, and allocates
/// none.
struct MemoryMeter {
  u64 bytes = 0;

  template <class T>
  struct Measured {
    std::size_t count = 0;
    T* data() const { return nullptr; }
    std::size_t size() const { return count; }
  };

  template <class T>
  Measured<T> make(std::size_t count) {
    bytes += u64{count} * sizeof(T);
    return {count};
  }
};

/// The memory that `rays` rays need between two kernels: the states of their traversals and the
/// queues of live rays. It depends on the pipeline.
MemoryTable between_kernels(u64 rays, const CastChoice& choice) {
  const u64 noted = choice.queues_in_order() ? NotedLanes::memory_for(rays) : 0;
  return {{"walks", choice.pipeline->rests ? rays * kWalkBytes : 0},
          {"queues", (rays * choice.pipeline->queues + noted) * sizeof(u32)}};
}

MemoryTable joined(MemoryTable a, const MemoryTable& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Formats `bytes` as options accept it, rounded up: "23M".
std::string as_size(u64 bytes) {
  for (const auto& [shift, letter] : {std::pair{20, 'M'}, {10, 'K'}})
    if (bytes >= u64{10} << shift)
      return std::to_string((bytes + (u64{1} << shift) - 1) >> shift) + letter;
  return std::to_string(bytes);
}

}  // namespace

u64 bytes_of(const MemoryTable& table) {
  u64 sum = 0;
  for (const MemoryItem& item : table) sum += item.bytes;
  return sum;
}

MemoryBudget budget_on(const DeviceChoice& device, const std::optional<u64>& allowed) {
  const std::optional<u64> free = device.free_memory();
  if (free && (!allowed || *free < *allowed)) return {free, "the device has free"};
  return {allowed, "the memory allowed is"};
}

MemoryTable memory_of(const PreparedScene& p) {
  MemoryTable table;
  const auto add = [&](std::string_view name, u64 bytes) {
    if (table.empty() || table.back().name != name) table.push_back({name, 0});
    table.back().bytes += bytes;
  };
  SceneArrays arrays = p.arrays;
  for_each_array(p, arrays, [&](const char* name, const auto& host, auto&) {
    add(name, u64{host.size()} * sizeof(*host.data()));
  });
  add("tables and counters",
      2 * kCounterWords * sizeof(u32) + sizeof(CastProgress) + sizeof(WarpChoice));
  return table;
}

MemoryTable memory_of_frame(const FrameSettings& frame, const CastChoice& choice, u32 at_once) {
  MemoryMeter paths, film;
  const FrameCut cut(frame, *frame.shading, at_once);
  const u64 rays = cut.paths();
  PathMemory<MemoryMeter>(paths, cut, *frame.shading);
  FilmMemory<MemoryMeter>(film, cut);
  return joined({{"film", film.bytes}, {"paths under way", paths.bytes}},
                between_kernels(rays, choice));
}

MemoryItem memory_of_chunks(const FrameSettings& frame) {
  const FrameCut cut(frame, *frame.shading, 1u);
  const u64 pixels = cut.smooth ? cut.film_pixels() : 0u;
  return {"films of chunks", FilmArrays::quads_for(pixels, true) * sizeof(Quad)};
}

MemoryTable memory_of_query(const Query& query, u32 at_once) {
  const u64 items = std::min<u64>(query.count, most_in_batch(query, at_once));
  MemoryTable table = {
      {query.is_about_points() ? "points" : "rays", items * bytes_of(query.plain_item())}};
  const RayFilter& filter = query.filter.rays;
  const u64 filters =
      (filter.masks ? 1u : 0u) + (filter.skip ? 1u : 0u) + (filter.skip_instances ? 1u : 0u);
  if (filters > 0) table.push_back({"filters of rays", filters * items * sizeof(u32)});
  const bool has_ranges = query.info->place == ResultPlace::range;
  if (has_ranges) table.push_back({"starts", items * sizeof(u64)});
  const u64 results = has_ranges         ? items * kCrossingsKept
                      : query.has_sums() ? query.result_count
                                         : items;
  table.push_back({query.info->name, results * query.info->result_bytes});
  if (query.info->answered_by == AnsweredBy::on_hits)
    table.push_back({ClosestHits::info.name, items * sizeof(Hit)});
  if (query.info == &ClosestPoints::info)
    table.push_back({"lists of triangles", items * sizeof(u32)});
  return query.choice ? joined(table, between_kernels(items, *query.choice)) : table;
}

MemoryTable memory_of_cast_in_parts(u64 count, const CastChoice& choice, u32 at_once,
                                    const RayFilter& filter) {
  const u64 rays = std::min<u64>(count, at_once);
  MemoryMeter in_flight;
  RouterMemory<MemoryMeter>(in_flight, rays, filter);
  // Rays and hits are copied if a machine can't access the memory of another machine.
  Query cast = cast_query(RayKind::closest, nullptr, nullptr, count, choice);
  cast.filter.rays = filter;
  return joined({{"rays on their way", in_flight.bytes}}, memory_of_query(cast, at_once));
}

MemoryPlans plans_of(const MemoryTable& scene, FunctionRef<MemoryTable(u32 at_once)> table_of,
                     u64 items, MemoryFor use) {
  MemoryPlans plans;
  for (u32 at_once = kPathsAtOnce; at_once >= kLeastAtOnce; at_once /= 2)
    if (plans.empty() || at_once < items)
      plans.push_back({joined(scene, table_of(at_once)), at_once, use});
  return plans;
}

MemoryPlans plans_of_query(const MemoryTable& scene, const Query& query) {
  return plans_of(
      scene, [&](u32 at_once) { return memory_of_query(query, at_once); }, query.count);
}

const MemoryPlan& least_plan(const MemoryPlans& plans) {
  return *std::min_element(
      plans.begin(), plans.end(),
      [](const MemoryPlan& a, const MemoryPlan& b) { return a.bytes() < b.bytes(); });
}

const MemoryPlan* smaller_plan(const MemoryPlans& plans, const MemoryPlan& plan) {
  for (const MemoryPlan& next : plans)
    if (next.at_once < plan.at_once && next.bytes() < plan.bytes()) return &next;
  return nullptr;
}

const MemoryPlan& plan_memory(const MemoryPlans& plans, const MemoryBudget& budget) {
  for (const MemoryPlan& plan : plans)
    if (!budget.bytes || plan.bytes() <= *budget.bytes) return plan;
  const MemoryPlan& least = least_plan(plans);
  const bool is_scene = least.use == MemoryFor::scene;
  throw OutOfDeviceMemory(
      "not enough memory: " + budget.said + " " + bytes_in_words(*budget.bytes) + ", and " +
          (is_scene ? "the scene takes " : "the smallest batches take ") +
          bytes_in_words(least.bytes()) + ":\n" + text_of(least.table) +
          "the smallest sufficient budget is " + as_size(least.bytes()) + "; a smaller " +
          (least.use == MemoryFor::picture ? "picture or scene" : "scene") + " needs less" +
          (is_scene ? "" : ", and so does a scene in parts"),
      "max_memory");
}

void require_room(const MemoryTable& scene, const MemoryBudget& budget) {
  plan_memory({MemoryPlan{scene, kPathsAtOnce, MemoryFor::scene}}, budget);
}

std::string text_of(const MemoryTable& table) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const MemoryItem& item : table)
    if (item.bytes != 0) rows.emplace_back(item.name, bytes_in_words(item.bytes));
  rows.emplace_back("in all", bytes_in_words(bytes_of(table)));
  return entries(rows);
}

}  // namespace ballotcast::detail
