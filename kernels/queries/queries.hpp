// The table of queries. A row says what a query's items and results are, and how its kernel is
// launched. Rows for casts have no kernel here: pipelines cast rays (pipelines/pipelines.hpp). The
// address of `info` identifies a row. BALLOTCAST_API gives it the same address in the library and
// in the Python module, which are two shared objects.
#pragma once

#include "ballotcast/api.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "kernels/queries/closest_points_at_once.hpp"
#include "kernels/queries/crossings_at_once.hpp"
#include "kernels/queries/hits_per_triangle.hpp"
#include "kernels/queries/inside_at_once.hpp"
#include "kernels/queries/query.hpp"
#include "kernels/queries/ray_arrays.hpp"
#include "kernels/queries/winding_number.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Base of the rows about rays, with results of type `Result_`.
template <class Result_>
struct AboutRays {
  using Result = Result_;
  template <class Item>
  static constexpr bool takes() {
    return std::is_same_v<Item, Ray> || std::is_same_v<Item, RayArrays>;
  }
};

/// Base of the rows about points in single or double precision, with results of type `Result_`.
template <class Result_>
struct AboutPoints {
  using Result = Result_;
  template <class Item>
  static constexpr bool takes() {
    return !std::is_same_v<Item, Ray> && !std::is_same_v<Item, RayArrays>;
  }
};

struct BALLOTCAST_API ClosestHits : AboutRays<Hit> {
  static constexpr QueryInfo info{
      "hits",          ItemType::ray, sizeof(Hit), ResultPlace::of_item, AcrossParts::nearest,
      AnsweredBy::cast};
};

struct BALLOTCAST_API AnyHits : AboutRays<Hit> {
  static constexpr QueryInfo info{"any hits",           ItemType::ray,        sizeof(Hit),
                                  ResultPlace::of_item, AcrossParts::nearest, AnsweredBy::cast};
};

/// The number of surfaces that each ray crosses; see geometry/crossing.hpp.
struct BALLOTCAST_API CrossingCounts : AboutRays<u32> {
  static constexpr QueryInfo info{"counts", ItemType::ray, sizeof(u32), ResultPlace::of_item,
                                  AcrossParts::added};

  template <class Machine, class View>
  static void run(Machine& machine, const View& view, const Query& q) {
    count_crossings(machine, view, q.items_as<Ray>(), static_cast<u32>(q.count),
                    q.results_as<u32>());
  }
};

/// The crossings of each ray. The query's `starts` must be the prefix sums of CrossingCounts.
struct BALLOTCAST_API Crossings : AboutRays<Hit> {
  static constexpr QueryInfo info{"crossings", ItemType::ray, sizeof(Hit), ResultPlace::range,
                                  AcrossParts::joined};

  template <class Machine, class View>
  static void run(Machine& machine, const View& view, const Query& q) {
    store_crossings(machine, view, q.items_as<Ray>(), static_cast<u32>(q.count), q.starts,
                    q.results_as<Hit>());
  }
};

/// The closest point of the scene, if there is one within `max_distance`; see closest_point.hpp.
struct BALLOTCAST_API ClosestPoints {
  using Result = Nearest;
  template <class Item>
  static constexpr bool takes() {
    return std::is_same_v<Item, Vec3f> || std::is_same_v<Item, PointArray>;
  }
  static void require(const Query& q, bool) {
    if (!(q.max_distance >= 0.0f))
      throw UsageError("closest_points: max_distance must be 0 or more");
  }
  static constexpr QueryInfo info{
      "closest points",     ItemType::point,  sizeof(Nearest), ResultPlace::of_item,
      AcrossParts::not_cut, AnsweredBy::walk, require};

  template <class Machine, class View>
  static void run(Machine& machine, const View& view, const Query& q) {
    find_closest_points(machine, view, q);
  }
};

/// Throws UsageError if vertices or transforms were set after the last update of the tree. Winding
/// numbers do not use the tree, but until then, some of the triangles that they sum over may have
/// moved already when others have not.
inline void require_for_winding(bool followed) {
  if (!followed)
    throw UsageError("winding numbers: vertices or transforms were set; call follow() first");
}

/// For each point: 1 if it is inside by `rule`, else 0; see point_inside.hpp and
/// winding_number.hpp.
struct BALLOTCAST_API PointsInside : AboutPoints<u8> {
  static void require(const Query& q, bool followed) {
    if (q.rule == InsideRule::winding) require_for_winding(followed);
  }
  static constexpr QueryInfo info{"answers",
                                  ItemType::precise_point,
                                  sizeof(u8),
                                  ResultPlace::of_item,
                                  AcrossParts::not_cut,
                                  AnsweredBy::walk,
                                  require};

  template <class Machine, class View>
  static void run(Machine& machine, const View& view, const Query& q) {
    const u32 count = static_cast<u32>(q.count);
    if (q.rule == InsideRule::winding)
      machine.template each<TestWindingNumber>("inside", count, view, q.point_array(), q.triangles,
                                               q.results_as<u8>());
    else
      find_inside(machine, view, q);
  }
};

struct BALLOTCAST_API WindingNumbers : AboutPoints<double> {
  static void require(const Query&, bool followed) { require_for_winding(followed); }
  static constexpr QueryInfo info{
      "winding numbers",    ItemType::precise_point, sizeof(double), ResultPlace::of_item,
      AcrossParts::not_cut, AnsweredBy::walk,        require};

  template <class Machine, class View>
  static void run(Machine& machine, const View& view, const Query& q) {
    machine.template each<FindWindingNumber>("winding numbers", static_cast<u32>(q.count), view,
                                             q.point_array(), q.triangles, q.results_as<double>());
  }
};

/// For each ray: 1 if it hits anything, else 0.
struct BALLOTCAST_API Occlusions : AboutRays<u8> {
  using Cast = AnyHits;
  static constexpr QueryInfo info{"occlusions",         ItemType::ray,        sizeof(u8),
                                  ResultPlace::of_item, AcrossParts::nearest, AnsweredBy::on_hits};

  template <class Machine>
  static void run(Machine& machine, const Hit* hits, const Query& q) {
    machine.template each<StoreFound>("occlusions", static_cast<u32>(q.count), hits,
                                      q.results_as<u8>());
  }
};

/// For each triangle: the number of rays whose closest hit it is; see hits_per_triangle.hpp.
struct BALLOTCAST_API HitsPerTriangle : AboutRays<u64> {
  using Cast = ClosestHits;
  static constexpr QueryInfo info{"hits per triangle", ItemType::ray,        sizeof(u64),
                                  ResultPlace::sums,   AcrossParts::nearest, AnsweredBy::on_hits};

  template <class Machine>
  static void run(Machine& machine, const Hit* hits, const Query& q) {
    add_hits(machine, hits, static_cast<u32>(q.count), q.adds_per, q.results_as<u64>());
  }
};

/// The rows, by the code that answers them: kernels that walk with rays, kernels that walk with
/// points, and kernels that read hits.
using RayQueries = TypeList<CrossingCounts, Crossings>;
using PointQueries = TypeList<ClosestPoints, PointsInside, WindingNumbers>;
using HitQueries = TypeList<Occlusions, HitsPerTriangle>;

/// Runs the kernel of a query if it is one of `rows`. All arrays are in the machine's memory.
template <class... Rows, class Machine, class View>
void run_query(TypeList<Rows...> rows, Machine& machine, const View& view, const Query& query) {
  dispatch_row(rows, query.info, [&](auto row) { decltype(row)::type::run(machine, view, query); });
}

/// Answers a query that is computed from hits. cast(query) casts rays on the same machine.
template <class... Rows, class Machine, class Cast>
CastCounts run_on_hits(TypeList<Rows...> rows, Machine& machine, const Query& query,
                       const Cast& cast) {
  auto hits = machine.template make<Hit>(query.count);
  CastCounts counts;
  dispatch_row(rows, query.info, [&](auto row) {
    using Asked = typename decltype(row)::type;
    Query casting = query;
    casting.info = &Asked::Cast::info;
    casting.results = hits.data();
    counts = cast(casting);
    Asked::run(machine, hits.data(), query);
  });
  return counts;
}

/// Whether a query that casts rays wants their closest hits or any hits.
inline RayKind kind_of(const Query& cast) {
  return cast.info == &AnyHits::info ? RayKind::any : RayKind::closest;
}

/// A query that casts `count` rays.
inline Query cast_query(RayKind kind, const Ray* rays, Hit* hits, u64 count,
                        const CastChoice& choice, const RayWorlds& worlds = {},
                        u32* visits = nullptr) {
  Query out = query<ClosestHits>(rays, count, worlds, hits);
  if (kind == RayKind::any) out.info = &AnyHits::info;
  out.choice = &choice;
  out.visits = visits;
  return out;
}

}  // namespace ballotcast::detail
