// A query: a question about each of many rays or points, as data. It says what is asked, and where
// the items and the results are. A query passes unchanged from the front of the library to the
// kernel, except that it is cut into parts and its arrays are replaced by copies on a machine.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "ballotcast/options.hpp"
#include "kernels/hit_filter.hpp"
#include "kernels/queries/ray_arrays.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

struct CastChoice;

/// The largest number of rays that are cast, or of paths that are traced, at once. If memory is
/// short, fewer are. More would take more memory; fewer would leave a large GPU partly idle.
/// CastCounts depend on this number, so it is the same for all machines.
inline constexpr u32 kPathsAtOnce = 1u << 22;

/// A device allocates memory for this many crossings per ray of a batch, on average.
inline constexpr u32 kCrossingsKept = 16;

/// How the items of a query are stored: one behind the other, or in arrays of another program with
/// any strides (ray_arrays.hpp).
enum class ItemType : u8 { ray, point, precise_point, ray_arrays, point_array };

constexpr u32 bytes_of(ItemType type) {
  return type == ItemType::ray     ? sizeof(Ray)
         : type == ItemType::point ? sizeof(Vec3f)
                                   : sizeof(Vec3d);
}

template <class Item>
constexpr ItemType item_type() {
  if (std::is_same_v<Item, Ray>) return ItemType::ray;
  if (std::is_same_v<Item, Vec3f>) return ItemType::point;
  if (std::is_same_v<Item, Vec3d>) return ItemType::precise_point;
  if (std::is_same_v<Item, RayArrays>) return ItemType::ray_arrays;
  static_assert(std::is_same_v<Item, Ray> || std::is_same_v<Item, Vec3f> ||
                std::is_same_v<Item, Vec3d> || std::is_same_v<Item, RayArrays> ||
                std::is_same_v<Item, PointArray>);
  return ItemType::point_array;
}

/// Which results belong to an item.
enum class ResultPlace : u8 {
  of_item,  // one per item: result i belongs to item i
  range,    // item i has results [starts[i], starts[i + 1])
  sums      // `result_count` values of type u64, to which all items add
};

/// The code that computes the results.
enum class AnsweredBy : u8 {
  walk,    // a kernel that walks through the tree
  cast,    // a pipeline (pipelines/pipelines.hpp), which also gives counts, and visits if asked for
  on_hits  // a cast, and then a kernel that takes its hits
};

/// How the results from the parts of a scene (backends/parts) are combined.
enum class AcrossParts : u8 {
  nearest,  // keep the closest hit
  added,    // add the results
  joined,   // keep all results, sorted by t
  not_cut   // never asked of parts: only a machine with the whole scene can answer
};

/// The order in which lanes answer a query about points. Points that are near each other should
/// follow each other: then neighbouring lanes visit the same parts of a tree.
struct PointOrder {
  // The lower half of each element is the index of a point. Null: one point after the other.
  const u64* keys = nullptr;

  BC_HD u32 operator[](u32 k) const { return keys ? static_cast<u32>(keys[k]) : k; }
};

/// Kernel::item() for each point, in an order.
template <class Kernel>
struct InOrder {
  template <class... Views>
  BC_HD static void item(u32 k, PointOrder order, const Views&... views) {
    Kernel::item(order[k], views...);
  }
};

/// Memory of a machine that a query may use.
struct SpareWords {
  u32* words = nullptr;
  u32 count = 0;
};

struct Query;

/// Facts about all queries of one kind: a row of kernels/queries/queries.hpp.
struct QueryInfo {
  std::string_view name;  // for example "closest points"; also used in tables of memory
  ItemType item;          // the type to which items in strided arrays are packed
  u32 result_bytes;
  ResultPlace place;
  AcrossParts across_parts;
  AnsweredBy answered_by = AnsweredBy::walk;
  /// Throws UsageError unless a query of this kind has a meaning. `followed`: the tree is up to
  /// date with the last vertices and transforms. Null: every query has a meaning.
  void (*require)(const Query&, bool followed) = nullptr;
};

/// A query. All its arrays are in the memory of one machine; each function that takes a query says
/// which machine.
struct Query {
  const QueryInfo* info;
  ItemType item;
  const void* items;  // the items; for strided arrays: one RayArrays or PointArray in host memory
  void* results;
  u64 count = 0;
  RayWorlds worlds = {};
  u64 first = 0;  // index of the first item in the whole query, of which this may be a slice
  HitFilter filter = {};  // for points, only the masks of instances count
  // Options that only some queries have.
  const u64* starts = nullptr;  // for results in ranges: count + 1 elements
  u64 result_count = 0;         // for results that are sums: the number of sums
  // For casts: receives the number of leaves that each ray visited; may be null.
  u32* visits = nullptr;
  const CastChoice* choice = nullptr;  // for casts, and for queries on hits: how rays are cast
  // For results that are sums: the lanes that share an atomic.
  AtomicsPer adds_per = AtomicsPer::warp;
  float max_distance = 0.0f;  // for closest points: the search radius
  // For points in the memory of a machine.
  PointOrder order = {};
  SpareWords spare = {};
  InsideRule rule = InsideRule::parity;
  u32 triangles = 0;  // the number of triangles of the scene's mesh; a machine fills it in

  bool is_in_arrays() const {
    return item == ItemType::ray_arrays || item == ItemType::point_array;
  }
  /// The type of the items after packing, when they are stored one behind the other.
  ItemType plain_item() const { return is_in_arrays() ? info->item : item; }
  bool is_about_points() const { return plain_item() != ItemType::ray; }
  bool has_sums() const { return info->place == ResultPlace::sums; }
  void require(bool followed) const {
    if (info->require) info->require(*this, followed);
  }

  /// The options that are numbers. Processes that answer a query together check that they are
  /// equal.
  std::array<u64, 10> numbers() const {
    return {visits != nullptr,
            bits_of(max_distance),
            static_cast<u64>(rule),
            static_cast<u64>(filter.rays.sides),
            filter.rays.mask,
            filter.rays.masks != nullptr,
            filter.rays.skip != nullptr,
            filter.rays.skip_instance,
            filter.rays.skip_instances != nullptr,
            filter.instance_masks != nullptr};
  }

  template <class Item>
  const Item* items_as() const {
    return static_cast<const Item*>(items);
  }
  template <class Result>
  Result* results_as() const {
    return static_cast<Result*>(results);
  }
  PointArray point_array() const {
    const u32 all = static_cast<u32>(count);
    if (item == ItemType::point) return plain_points(items_as<Vec3f>(), all);
    if (item == ItemType::precise_point) return plain_points(items_as<Vec3d>(), all);
    return *items_as<PointArray>();
  }

  /// The address of the first result, and the size of all results in bytes.
  char* first_result() const {
    const u64 before = starts ? starts[0] : 0;
    return results_as<char>() + before * info->result_bytes;
  }
  u64 bytes_of_results() const {
    const u64 all = starts ? starts[count] - starts[0] : has_sums() ? result_count : count;
    return all * info->result_bytes;
  }

  /// The same query about the items from `from` on, `number` of them.
  Query slice(u64 from, u64 number) const {
    Query some = *this;
    some.count = number;
    some.first = first + from;
    if (!is_in_arrays()) some.items = items_as<char>() + from * bytes_of(item);
    some.worlds = worlds.from(from);
    some.filter = filter.from(from);
    if (visits) some.visits = visits + from;
    if (starts)
      some.starts = starts + from;
    else if (!has_sums())
      some.results = results_as<char>() + from * info->result_bytes;
    return some;
  }
};

/// The query of a row of kernels/queries/queries.hpp about `count` items.
template <class Row, class Item>
Query query(const Item* items, u64 count, const RayWorlds& worlds, typename Row::Result* results) {
  static_assert(Row::template takes<Item>());
  return {&Row::info, item_type<Item>(), items, results, count, worlds};
}

}  // namespace ballotcast::detail
