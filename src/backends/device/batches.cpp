#include "backends/device/batches.hpp"

#include <algorithm>

#include "ballotcast/frame.hpp"
#include "bvh/ploc/keys.hpp"
#include "support/threads/parallel.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast::detail {

namespace {

/// Keys of 24 bits distinguish 256 cells per axis. With more bits, sorting would take longer than
/// it saves.
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

/// Copies elements of `bytes` bytes each: to[i] = from[place[i]], or with `back`, to[place[i]] =
/// from[i].
void permute(const void* from, void* to, const std::vector<u32>& place, std::size_t bytes,
             bool back) {
  const char* const in = static_cast<const char*>(from);
  char* const out = static_cast<char*>(to);
  for_each_item(place.size(), [&](std::size_t i) {
    const std::size_t read = back ? i : place[i], written = back ? place[i] : i;
    std::copy_n(in + read * bytes, bytes, out + written * bytes);
  });
}

/// Runs a batch of points, sorted along a space-filling curve.
template <class Point>
CastCounts along_curve(const Query& batch, const Aabb& box,
                       FunctionRef<CastCounts(const Query& batch)> run_batch) {
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
  const CastCounts counts = run_batch(in_order);
  permute(results.data(), batch.results, place, batch.info->result_bytes, true);
  return counts;
}

/// The items of a batch, packed from arrays. The memory is reused for each batch.
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

u32 most_in_batch(const Query& query, u32 at_once) {
  // Few enough that they are still in a cache when they are cast
  constexpr u32 kPackedAtOnce = 1u << 18;
  return query.is_in_arrays() ? std::min(at_once, kPackedAtOnce) : at_once;
}

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
                      FunctionRef<CastCounts(const Query& batch)> run_batch) {
  CastCounts counts;
  Packing packing;
  at_once = most_in_batch(query, at_once);
  for (u64 first = 0; first < query.count;) {
    check_stop();
    const u64 number = size_of_batch(query, first, at_once);
    Query batch = query.slice(first, number);
    if (batch.is_in_arrays()) batch = packing.packed(batch);
    counts.add(batch.item == ItemType::point           ? along_curve<Vec3f>(batch, box, run_batch)
               : batch.item == ItemType::precise_point ? along_curve<Vec3d>(batch, box, run_batch)
                                                       : run_batch(batch));
    first += number;
  }
  return counts;
}

}  // namespace ballotcast::detail
