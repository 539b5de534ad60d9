// Finds all crossings of a ray with surfaces, in order, each once; see geometry/crossing.hpp.
//
// A ray walks through the tree several times. Each walk collects the next kCrossingsAtOnce
// crossings after the last known one, so a list of fixed size is enough. A triangle may be in
// several leaves. Its crossing still counts once: the list takes no crossing twice, and the next
// walk takes only crossings after the last known one.
//
// This works for any number of crossings. For few crossings, a single walk is faster:
// crossings_at_once.hpp.
#pragma once

#include "geometry/crossing.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// The most crossings that one walk collects. A longer list needs fewer walks, but each lane keeps
/// it in local memory.
inline constexpr u32 kCrossingsAtOnce = 32;

/// Adds a crossing to a sorted list with room for `room` of them, unless it is in the list already.
/// If the list is full, drops the last one.
BC_HD inline void insert_crossing(const Hit& hit, Hit* list, u32& size, u32 room) {
  u32 at = size;
  while (at > 0u && !comes_after(hit, list[at - 1u])) --at;
  if (at < size && !comes_after(list[at], hit)) return;
  if (at == room) return;
  if (size < room) ++size;
  for (u32 i = size - 1u; i > at; --i) list[i] = list[i - 1u];
  list[at] = hit;
}

/// A sorted list of the nearest crossings among those that are offered to it.
class NearestCrossings {
 public:
  /// Collects crossings after `last`, up to and including `end`.
  BC_HD NearestCrossings(const Hit& last, const Hit& end) : last_(last), bound_(end) {}

  BC_HD u32 size() const { return size_; }
  BC_HD const Hit& operator[](u32 i) const { return hits_[i]; }

  /// The range of t of the crossings that are wanted.
  BC_HD float nearest() const { return last_.t; }
  BC_HD const float& limit() const { return bound_.t; }

  BC_HD bool wants(const Hit& hit) const {
    return comes_after(hit, last_) && comes_after(bound_, hit);
  }

  /// Adds a crossing if it is wanted. A crossing that was added before is ignored.
  BC_HD void offer(const Hit& hit) {
    if (wants(hit)) add(hit);
  }

  /// Offers the crossing of a triangle for each of the triangle's copies (CopiesView) but `skip`.
  BC_HD void offer_copies(Hit hit, const CopiesView& copies, u32 skip) {
    u32 at = copies.starts[hit.triangle];
    const u32 end = copies.starts[hit.triangle + 1u];
    // Binary search for the first copy that comes after the last known crossing.
    for (u32 behind = end; at < behind;) {
      const u32 middle = at + (behind - at) / 2u;
      hit.triangle = copies.ids[middle];
      if (comes_after(hit, last_)) {
        behind = middle;
      } else {
        at = middle + 1u;
      }
    }
    for (; at < end; ++at) {
      hit.triangle = copies.ids[at];
      if (!wants(hit)) return;
      if (hit.triangle != skip) add(hit);
    }
  }

 private:
  BC_HD void add(const Hit& hit) {
    insert_crossing(hit, hits_, size_, kCrossingsAtOnce);
    if (size_ == kCrossingsAtOnce) bound_ = hits_[size_ - 1u];
  }

  Hit last_, bound_;
  Hit hits_[kCrossingsAtOnce];
  u32 size_ = 0;
};

/// True if the filter and holes accept a crossing. Does not check the triangle that the ray skips.
template <class Layout>
BC_HD inline bool accepts_crossing(const TraceView<Layout>& view, TrianglePlace place,
                                   const Crossing& crossing) {
  return !view.may_refuse ||
         (view.filter.takes_side(crossing.front) && !is_hole(view.scene, place, crossing.hit));
}

/// Calls take(hit) for the crossings of a ray with the triangles of a leaf, with t in [low, high],
/// for which accepts(crossing) is true. The hit's id is that of the triangle plus `first_id`.
/// `take` may lower `high`.
template <class Accepts, class Take>
BC_HD inline void cross_rows(const RaySetup& setup, const LeafRows& leaf, u32 first_id, float low,
                             const float& high, Accepts accepts, Take take) {
  const TriangleRow* row = leaf.row;
  for (u32 left = leaf.count; left > 0u; --left, row += 3) {
    Crossing found;
    if (!cross_triangle(setup, read_whole(row + setup.kx()), read_whole(row + setup.ky()),
                        read_whole(row + setup.kz), low, high, found))
      continue;
    found.hit.triangle += first_id;
    if (accepts(found)) take(found.hit);
  }
}

/// Calls take(crossing) for the crossings of a ray with a shape, with t in [low, high].
template <class Take>
BC_HD inline void cross_shape_of(const RayAtShape& at, float low, const float& high, Take take) {
  at.for_each_crossing(low, high, AtEdges::one, [&](const Hit& hit, bool front) {
    if (hit.t >= low && hit.t <= high) take(Crossing{hit, front});
    return false;
  });
}

/// Calls take(hit) for the crossings of ray i with the triangles or instances in a leaf of the
/// view's tree. Checks the filter's sides and holes. The caller must ignore the triangle that the
/// ray skips.
template <class Layout, class Take>
BC_HD inline void cross_leaf(const TraceView<Layout>& view, u32, const RaySetup& setup, const Ray&,
                             u32 leaf, float low, const float& high, Take take) {
  const auto is_taken = [&](const Crossing& found) {
    return accepts_crossing(view, {found.hit.triangle, 0u}, found);
  };
  cross_rows(setup, view.rows_of(leaf), 0u, low, high, is_taken, take);
}
template <class Layout, bool kShapes, class Take>
BC_HD inline void cross_leaf(const InstancedView<Layout, kShapes>& view, u32 i, const RaySetup&,
                             const Ray& ray, u32 leaf, float low, const float& high, Take take) {
  const auto in_shape = [&](const RayAtShape& at) {
    cross_shape_of(at, low, high, [&](const Crossing& found) {
      if (accepts_crossing(view, at.place, found)) take(found.hit);
    });
    return false;
  };
  for_each_leaf_below(view, i, ray, leaf, high, in_shape, [&](const RayInMesh& at, u32 below) {
    const auto is_taken = [&](const Crossing& found) {
      return accepts_crossing(view, at.place(found.hit.triangle), found);
    };
    cross_rows(at.setup, at.rows_of(below), at.first_id, low, high, is_taken, take);
    return false;
  });
}

/// The copies of triangles that the view's trees leave out. A ray that crosses a triangle also
/// crosses its copies.
template <class Layout>
BC_HD inline CopiesView copies_in(const TraceView<Layout>& view) {
  return view.scene.copies;
}
template <class Layout, bool kShapes>
BC_HD inline CopiesView copies_in(const InstancedView<Layout, kShapes>&) {
  return {};  // the trees of meshes with instances contain all triangles
}

/// Calls on_crossing(hit) for every crossing of ray i of a batch with t in (t_min, t_max], in
/// order, until one call returns true. Skips crossings that the filter refuses. The t of a hit is
/// along the ray that is cast; for a ray from far away, this is the moved ray: see far_origin.hpp.
template <class View, class OnCrossing>
BC_HD inline void for_each_crossing(const View& view, u32 i, const WalkFrame& frame,
                                    const Ray& given, OnCrossing on_crossing) {
  using Layout = typename View::LayoutType;
  const RayToCast cast = ray_to_cast(view, i, frame, given);
  const Ray& ray = cast.ray;
  const RaySetup& setup = cast.setup;
  if (!setup.valid) return;
  const auto slabs = Layout::slabs_of(setup, ray, frame.shape);
  const u32 skip = view.filter.skip_of(i);
  const CopiesView copies = copies_in(view);
  Hit last{ray.t_min, kNoTriangle, 0.0f, 0.0f};
  for (;;) {
    NearestCrossings nearest(last, miss_of(ray));
    for_each_leaf<Layout>(view.nodes, frame.shape, slabs, nearest.limit(), [&](u32 leaf) {
      cross_leaf(view, i, setup, ray, leaf, nearest.nearest(), nearest.limit(),
                 [&](const Hit& hit) {
                   if (hit.triangle != skip) nearest.offer(hit);
                   if (copies.starts) nearest.offer_copies(hit, copies, skip);
                 });
      return false;
    });
    for (u32 k = 0; k < nearest.size(); ++k)
      if (on_crossing(nearest[k])) return;
    if (nearest.size() < kCrossingsAtOnce) return;
    last = nearest[nearest.size() - 1u];
  }
}

/// Marks a count that is not known yet. Real counts are lower, because there are fewer triangles.
inline constexpr u32 kNotCounted = 0xffffffffu;

/// Which rays' crossings are counted: those of all rays, or only of rays whose count is
/// kNotCounted.
enum class CountWhich : u8 { all_rays, not_counted };

/// Writes the number of crossings of ray i.
struct CountCrossings {
  template <class View>
  BC_HD static void item(u32 i, View view, const Ray* rays, u32* counts, CountWhich which) {
    if (which == CountWhich::not_counted && counts[i] != kNotCounted) return;
    u32 count = 0;
    for_each_crossing(view, i, view.frame(i), rays[i], [&](const Hit&) {
      ++count;
      return false;
    });
    counts[i] = count;
  }
};

/// Writes the crossings of ray i to the hits from starts[i] up to starts[i + 1]. Skips rays with
/// fewer than `fewest` crossings.
struct StoreCrossings {
  template <class View>
  BC_HD static void item(u32 i, View view, const Ray* rays, const u64* starts, Hit* hits,
                         u64 fewest) {
    if (starts[i + 1u] - starts[i] < fewest) return;
    Hit* next = hits + starts[i];
    const WalkFrame frame = view.frame(i);
    for_each_crossing(view, i, frame, rays[i], [&](const Hit& hit) {
      *next = hit;
      give_back_if_far(rays[i], frame.magnitude, *next++);
      return false;
    });
  }
};

}  // namespace ballotcast::detail
