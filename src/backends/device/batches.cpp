#include "backends/device/batches.hpp"

#include <algorithm>
#include <vector>

#include "backends/parts/ray_router.hpp"
#include "bvh/ploc/keys.hpp"
#include "kernels/frame_memory.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/pipelines/loop.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast::detail {

namespace {

/// Batches have at least this many rays.
constexpr u32 kLeastAtOnce = 1u << 10;

/// Stands for a machine where memory is planned: it takes none, and adds up what it is asked for.
struct Scales {
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

/// The memory that `rays` rays need between two kernels: their walks and the queues of live rays.
/// Depends on the pipeline.
MemoryTable between_kernels(u64 rays, const CastChoice& choice) {
  return {{"walks", choice.pipeline->rests ? rays * kWalkBytes : 0},
          {"queues", rays * choice.pipeline->queues * sizeof(u32)}};
}

MemoryTable joined(MemoryTable a, const MemoryTable& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The next smaller batch; 0 if it would be smaller than kLeastAtOnce.
u32 halved(u32 at_once) { return at_once / 2 < kLeastAtOnce ? 0 : at_once / 2; }

/// `bytes` in the form that options accept, rounded up: "23M".
std::string as_size(u64 bytes) {
  for (const auto& [shift, letter] : {std::pair{20, 'M'}, {10, 'K'}})
    if (bytes >= u64{10} << shift)
      return std::to_string((bytes + (u64{1} << shift) - 1) >> shift) + letter;
  return std::to_string(bytes);
}

}  // namespace

u64 bytes_of(const MemoryTable& table) {
  u64 sum = 0;
  for (const MemoryPart& part : table) sum += part.bytes;
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
  Scales paths, film;
  const FrameCut cut(frame, *frame.shading, at_once);
  const u64 rays = cut.paths();
  PathMemory<Scales>(paths, cut, *frame.shading);
  FilmMemory<Scales>(film, cut);
  return joined({{"film", film.bytes}, {"paths under way", paths.bytes}},
                between_kernels(rays, choice));
}

MemoryPart memory_of_pieces(const FrameSettings& frame) {
  const FrameCut cut(frame, *frame.shading, 1u);
  const u64 pixels = cut.smooth ? cut.film_pixels() : 0u;
  return {"films of pieces", FilmArrays::quads_for(pixels, true) * sizeof(Quad)};
}

u32 most_in_batch(const Query& query, u32 at_once) {
  constexpr u32 kPackedAtOnce = 1u << 18;  // so that they are in a cache when they are cast
  return query.is_in_arrays() ? std::min(at_once, kPackedAtOnce) : at_once;
}

MemoryTable memory_of_query(const Query& query, u32 at_once) {
  const u64 items = std::min<u64>(query.count, most_in_batch(query, at_once));
  MemoryTable table = {
      {query.is_about_points() ? "points" : "rays", items * bytes_of(query.plain_item())}};
  const bool has_ranges = query.info->place == ResultPlace::range;
  if (has_ranges) table.push_back({"starts", items * sizeof(u64)});
  const u64 results = has_ranges         ? items * kCrossingsKept
                      : query.has_sums() ? query.result_count
                                         : items;
  table.push_back({query.info->name, results * query.info->result_bytes});
  if (query.info->way == Way::on_hits)
    table.push_back({ClosestHits::info.name, items * sizeof(Hit)});
  return query.choice ? joined(table, between_kernels(items, *query.choice)) : table;
}

MemoryTable memory_of_cast_in_parts(u64 count, const CastChoice& choice, u32 at_once) {
  const u64 rays = std::min<u64>(count, at_once);
  Scales on_their_way;
  RouterMemory<Scales>(on_their_way, rays);
  // A machine that can't reach the memory of another one copies rays and hits.
  return joined(
      {{"rays on their way", on_their_way.bytes}},
      memory_of_query(cast_query(RayKind::closest, nullptr, nullptr, count, choice), at_once));
}

MemoryPlan least_plan(const MemoryTable& scene, const MemoryOfWork& work) {
  MemoryPlan least{joined(scene, work(kPathsAtOnce)), kPathsAtOnce};
  while (std::optional<MemoryPlan> next = smaller(least, scene, work)) least = std::move(*next);
  return least;
}

MemoryPlan plan_memory(const MemoryTable& scene, const MemoryOfWork& work,
                       const MemoryBudget& budget) {
  for (u32 at_once = kPathsAtOnce; at_once != 0; at_once = halved(at_once)) {
    MemoryPlan plan{joined(scene, work(at_once)), at_once};
    if (!budget.bytes || plan.bytes() <= *budget.bytes) return plan;
  }
  const MemoryPlan least = least_plan(scene, work);
  throw OutOfDeviceMemory(
      "not enough memory: " + budget.said + " " + bytes_in_words(*budget.bytes) +
          ", and the smallest batches take " + bytes_in_words(least.bytes()) + ":\n" +
          text_of(least.parts) + "the smallest sufficient budget is " + as_size(least.bytes()) +
          "; a smaller picture or scene needs less, and so does a scene in parts",
      "max_memory");
}

std::optional<MemoryPlan> smaller(const MemoryPlan& plan, const MemoryTable& scene,
                                  const MemoryOfWork& work) {
  for (u32 at_once = halved(plan.at_once); at_once != 0; at_once = halved(at_once)) {
    MemoryPlan next{joined(scene, work(at_once)), at_once};
    if (next.bytes() < plan.bytes()) return next;
  }
  return std::nullopt;
}

std::string text_of(const MemoryTable& table) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const MemoryPart& part : table)
    if (part.bytes != 0) rows.emplace_back(part.name, bytes_in_words(part.bytes));
  rows.emplace_back("in all", bytes_in_words(bytes_of(table)));
  return entries(rows);
}

namespace {

/// Keys of 24 bits tell 256 cells per axis apart. More would make sorting cost more than it saves.
constexpr u32 kSortedBits = 24;

vec3 float_point(const Vec3f& p) { return p; }
vec3 float_point(const Vec3d& p) { return vec3(dvec3(p)); }

/// Calls visit(i) for every i below `count`, on all threads.
template <class Visit>
void for_each_item(std::size_t count, Visit visit) {
  for_each_range<std::size_t>(count, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) visit(i);
  });
}

/// Copies elements whose size is only known here: to[i] = from[place[i]], or with `back`
/// to[place[i]] = from[i].
void permute(const void* from, void* to, const std::vector<u32>& place, std::size_t bytes,
             bool back) {
  const char* const in = static_cast<const char*>(from);
  char* const out = static_cast<char*>(to);
  for_each_item(place.size(), [&](std::size_t i) {
    const std::size_t read = back ? i : place[i], written = back ? place[i] : i;
    std::copy_n(in + read * bytes, bytes, out + written * bytes);
  });
}

/// A batch of points, along a curve.
template <class Point>
CastCounts along_curve(const Query& batch, const Aabb& box,
                       FunctionRef<CastCounts(const Query& batch)> answer) {
  const std::size_t count = batch.count;
  const Point* const points = batch.items_as<Point>();
  const ploc::KeyGrid grid = ploc::key_grid(box.low, box.high);
  std::vector<u64> keys(count);
  std::vector<u32> place(count);
  for_each_item(count, [&](std::size_t i) {
    keys[i] = ploc::key_of(grid, float_point(points[i])) >> (ploc::kKeyBits - kSortedBits);
    place[i] = static_cast<u32>(i);
  });
  sort_by_key(keys, place, kSortedBits);
  std::vector<Point> sorted(count);
  permute(points, sorted.data(), place, sizeof(Point), false);
  std::vector<u32> worlds(batch.worlds.each ? count : 0);
  if (batch.worlds.each) permute(batch.worlds.each, worlds.data(), place, sizeof(u32), false);
  std::vector<char> results(count * batch.info->result_bytes);
  Query in_order = batch;
  in_order.items = sorted.data();
  in_order.results = results.data();
  if (batch.worlds.each) in_order.worlds.each = worlds.data();
  const CastCounts counts = answer(in_order);
  permute(results.data(), batch.results, place, batch.info->result_bytes, true);
  return counts;
}

/// The items of one batch after another, packed from arrays.
class Packing {
 public:
  Query packed(const Query& batch) {
    Query out = batch;
    out.item = batch.info->item;
    if (out.item == ItemType::ray) {
      const RayArrays& arrays = *batch.items_as<RayArrays>();
      out.items = pack(batch, rays_, [&](u64 i) { return arrays.ray(i); });
    } else {
      const PointArray& array = *batch.items_as<PointArray>();
      if (out.item == ItemType::point)
        out.items = pack(batch, points_, [&](u64 i) { return Vec3f(vec3(array.point(i))); });
      else
        out.items = pack(batch, precise_points_, [&](u64 i) { return Vec3d(array.point(i)); });
    }
    return out;
  }

 private:
  template <class Item, class ItemOf>
  static const Item* pack(const Query& batch, std::vector<Item>& items, const ItemOf& item_of) {
    items.resize(batch.count);
    for_each_item(batch.count, [&](std::size_t i) { items[i] = item_of(batch.first + i); });
    return items.data();
  }

  std::vector<Ray> rays_;
  std::vector<Vec3f> points_;
  std::vector<Vec3d> precise_points_;
};

/// The number of items of the batch that begins with item `first`.
u64 size_of_batch(const Query& query, u64 first, u32 at_once) {
  const u64 most = std::min<u64>(query.count - first, at_once);
  if (!query.starts) return most;
  const u64* const begin = query.starts + first;
  const u64 room = *begin + u64{kCrossingsKept} * at_once;
  const u64* const end = std::upper_bound(begin + 1, begin + 1 + most, room);
  return std::max<u64>(1u, static_cast<u64>(end - begin) - 1u);
}

}  // namespace

std::vector<u64> own_sums(Query& part) {
  std::vector<u64> sums(part.has_sums() ? part.result_count : 0);
  if (part.has_sums()) part.results = sums.data();
  return sums;
}

void add_sums(const std::vector<u64>& sums, const Query& query) {
  u64* const all = query.results_as<u64>();
  for_each_item(sums.size(), [&](std::size_t i) { all[i] += sums[i]; });
}

CastCounts in_batches(const Query& query, u32 at_once, const Aabb& box,
                      FunctionRef<CastCounts(const Query& batch)> answer) {
  CastCounts counts;
  Packing packing;
  at_once = most_in_batch(query, at_once);
  for (u64 first = 0; first < query.count;) {
    check_stop();
    const u64 number = size_of_batch(query, first, at_once);
    Query batch = query.part(first, number);
    if (batch.is_in_arrays()) batch = packing.packed(batch);
    counts.add(batch.item == ItemType::point           ? along_curve<Vec3f>(batch, box, answer)
               : batch.item == ItemType::precise_point ? along_curve<Vec3d>(batch, box, answer)
                                                       : answer(batch));
    first += number;
  }
  return counts;
}

}  // namespace ballotcast::detail
