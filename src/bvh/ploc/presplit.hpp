// Cuts triangles before a tree is built, so that boxes round long triangles become smaller (T.
// Karras, T. Aila, Fast Parallel Construction of High-Quality Bounding Volume Hierarchies, 2013,
// section 5). Host and device share this code.
//
// Triangles are cut at the planes that halve the cells of the KeyGrid, the coarsest plane first. So
// parts of different triangles fall into the same cells:
//
//   +---------+---------+
//   |       ..|''       |      a triangle that crosses the first plane becomes two parts with
//   |   ..''  |         |      small boxes
//   |.''      |         |
//   +---------+---------+
//
// Those that gain most by it are cut, as many as there is room for:
//
//   worth of each triangle -> histogram -> scale, so that the parts fit -> count parts -> store
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "bvh/ploc/cluster.hpp"
#include "bvh/ploc/keys.hpp"

namespace ballotcast::detail::ploc {

/// The corners of a triangle.
struct Corners {
  vec3 at[3];

  BC_HD Corners(const TriangleView& view, u32 i)
      : at{view.corner(i, 0), view.corner(i, 1), view.corner(i, 2)} {}
};

/// A plane across an axis. There is none if `axis` is kNoAxis.
struct CutPlane {
  u32 axis;
  float at;
  u32 bit;  // the bit of the keys that changes at the plane; a higher bit is a coarser plane
};
inline constexpr u32 kNoAxis = 3;

/// The coarsest plane of the grid that crosses a box.
BC_HD inline CutPlane coarsest_plane(const KeyGrid& grid, const Aabb& box) {
  const u64 differ = key_of(grid, box.low) ^ key_of(grid, box.high);
  if (differ == 0) return {kNoAxis, 0.0f, 0};
  const u32 bit = highest_bit(differ);
  const u32 axis = grid.y >> bit & 1u ? 1u : grid.z >> bit & 1u ? 2u : 0u;
  const u64 of_axis = axis == 1u ? grid.y : axis == 2u ? grid.z : ~(grid.y | grid.z);
  u32 above = 0;  // bits of this axis that are higher
  for (u32 b = bit + 1u; b < kKeyBits; ++b) above += of_axis >> b & 1u;
  const float low = component(grid.low, axis), extent = component(grid.extent, axis);
  const u32 fraction = fraction_of(component(box.high, axis), low, extent);
  const u32 at_plane = above < 31u ? fraction >> (31u - above) << (31u - above) : fraction;
  const float at = low + extent * (static_cast<float>(at_plane) * 0x1p-32f);
  if (!(at > component(box.low, axis) && at < component(box.high, axis))) return {kNoAxis, 0.0f, 0};
  return {axis, at, bit};
}

/// How much a triangle gains by cuts: the more its box exceeds the triangle, and the coarser the
/// planes that it crosses, the more.
BC_HD inline float worth_of_cuts(const KeyGrid& grid, const Corners& t, const Aabb& box) {
  const CutPlane plane = coarsest_plane(grid, box);
  if (plane.axis == kNoAxis) return 0.0f;
  const vec3 a = t.at[1] - t.at[0], b = t.at[2] - t.at[0];
  const float ideal =
      0.5f * (magnitude_of(a.y * b.z - a.z * b.y) + magnitude_of(a.z * b.x - a.x * b.z) +
              magnitude_of(a.x * b.y - a.y * b.x));
  const float surplus = half_area_of(box.low, box.high) - ideal;
  const float weight = float_of((127u - 16u + plane.bit / 3u) << 23);  // 2^(bit / 3 - 16)
  return surplus > 0.0f ? surplus * weight : 0.0f;
}

/// The most cuts of one triangle.
inline constexpr u32 kMostCuts = 31;

/// The number of cuts for a triangle of some worth: the cube root of scale * worth, rounded down.
BC_HD inline u32 cuts_for(float worth, float scale) {
  const float value = worth * scale;
  u32 cuts = 0;
  while (cuts < kMostCuts && static_cast<float>((cuts + 1u) * (cuts + 1u) * (cuts + 1u)) <= value)
    ++cuts;
  return cuts;
}

/// A box that certainly contains the point at which the edge from a to b crosses a plane.
BC_HD inline Aabb crossing_of(vec3 a, vec3 b, u32 axis, float plane) {
  const double from = component(a, axis), to = component(b, axis);
  const double way = (double{plane} - from) / (to - from);
  Aabb box{vec3(0.0f), vec3(0.0f)};
  const auto set = [way](float p, float q, float& low, float& high) {
    const float point = static_cast<float>(double{p} + (double{q} - double{p}) * way);
    const float margin =
        magnitude_of(point) * 0x1p-23f + magnitude_of(q - p) * 0x1p-50f + 0x1p-126f;
    low = point - margin;
    high = point + margin;
  };
  set(a.x, b.x, box.low.x, box.high.x);
  set(a.y, b.y, box.low.y, box.high.y);
  set(a.z, b.z, box.low.z, box.high.z);
  return box;
}

/// The boxes of the two sides of a cut. A box may be empty.
struct CutBoxes {
  Aabb left, right;
};

/// Cuts the part of a triangle that lies in `box`. No point is lost: the box of a side contains
/// every point of the triangle that lies in `box` and on that side of the plane.
BC_HD inline CutBoxes cut_part(const Corners& t, const Aabb& box, const CutPlane& plane) {
  constexpr float kFar = 3.402823466e38f;
  Aabb left{vec3(kFar), vec3(-kFar)}, right{vec3(kFar), vec3(-kFar)};
  for (u32 i = 0; i < 3; ++i) {
    const vec3 a = t.at[i], b = t.at[i == 2 ? 0 : i + 1];
    const float at_a = component(a, plane.axis), at_b = component(b, plane.axis);
    if (at_a <= plane.at) left.include(a);
    if (at_a >= plane.at) right.include(a);
    if ((at_a < plane.at && at_b > plane.at) || (at_a > plane.at && at_b < plane.at)) {
      const Aabb at = crossing_of(a, b, plane.axis, plane.at);
      left.include(at);
      right.include(at);
    }
  }
  set_component(left.high, plane.axis, min_of(component(left.high, plane.axis), plane.at));
  set_component(right.low, plane.axis, max_of(component(right.low, plane.axis), plane.at));
  return {{max_of(left.low, box.low), min_of(left.high, box.high)},
          {max_of(right.low, box.low), min_of(right.high, box.high)}};
}

BC_HD inline float longest_side(const Aabb& box) {
  const vec3 extent = box.high - box.low;
  return max_of(extent.x, max_of(extent.y, extent.z));
}

/// Calls visit(k, box) for the parts of a triangle after at most `cuts` cuts; k counts from 0.
/// Returns the number of parts.
template <class Visit>
BC_HD inline u32 for_each_part(const KeyGrid& grid, const Corners& t, const Aabb& whole, u32 cuts,
                               Visit visit) {
  struct Open {
    Aabb box;
    u32 cuts;
  };
  Open open[kMostCuts + 1];
  u32 count = 0, parts = 0;
  open[count++] = {whole, cuts};
  while (count > 0) {
    const Open at = open[--count];
    const Aabb& box = at.box;
    const CutPlane plane = at.cuts > 0 ? coarsest_plane(grid, box) : CutPlane{kNoAxis, 0.0f, 0};
    if (plane.axis == kNoAxis) {
      visit(parts++, box);
      continue;
    }
    const CutBoxes sides = cut_part(t, box, plane);
    if (sides.left.empty() || sides.right.empty()) {
      const Aabb& side = sides.left.empty() ? sides.right : sides.left;
      open[count++] = {side, at.cuts - 1u};
      continue;
    }
    const float a = longest_side(sides.left), b = longest_side(sides.right);
    const float rest = static_cast<float>(at.cuts - 1u);
    const u32 left = a + b > 0.0f ? static_cast<u32>(rest * a / (a + b) + 0.5f) : 0u;
    open[count++] = {sides.right, at.cuts - 1u - left};
    open[count++] = {sides.left, left};
  }
  return parts;
}

/// The number of parts is at most this much larger than that of triangles, as a fraction.
inline constexpr float kRoomForParts = 0.3f;

/// An element of the histogram counts triangles of the same worth, but for 1/8.
inline constexpr u32 kWorthShift = 20, kWorths = 0x7f800000u >> kWorthShift;

struct MeasureWorth {
  BC_HD static void item(u32 i, TriangleView view, const KeyGrid* grid, float* worth) {
    worth[i] = worth_of_cuts(*grid, Corners(view, i), view.box(i));
  }
};

struct CountWorth {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 i, const float* worth, u32* histogram) {
    if (!(worth[i] > 0.0f)) return;
    const u32 bin = bits_of(worth[i]) >> kWorthShift;
    lane.fetch_add(&histogram[bin < kWorths ? bin : kWorths - 1u], 1u);
  }
};

/// The largest scale (see cuts_for) with which triangles of these worths are cut at most `most`
/// times, but for 1/8.
inline float scale_within(const std::vector<u32>& histogram, u64 most) {
  const auto cuts_at = [&](u32 step) {
    u64 cuts = 0;
    for (u32 bin = 0; bin < kWorths; ++bin)
      if (histogram[bin] > 0)
        cuts += u64{histogram[bin]} *
                cuts_for(float_of((bin + 1u) << kWorthShift), float_of(step << kWorthShift));
    return cuts;
  };
  u32 low = 0, high = kWorths - 1u;  // the scale of `low` fits
  while (high - low > 1u) {
    const u32 middle = (low + high) / 2u;
    (cuts_at(middle) <= most ? low : high) = middle;
  }
  return float_of(low << kWorthShift);
}

struct CountParts {
  BC_HD static void item(u32 i, TriangleView view, const KeyGrid* grid, const float* worth,
                         float scale, u8* counts) {
    const u32 cuts = cuts_for(worth[i], scale);
    u32 parts = 1;
    if (cuts > 0)
      parts = for_each_part(*grid, Corners(view, i), view.box(i), cuts, [](u32, const Aabb&) {});
    counts[i] = static_cast<u8>(parts);
    if (i == 0) counts[view.count] = 0;
  }
};

struct StoreParts {
  BC_HD static void item(u32 i, TriangleView view, const KeyGrid* grid, const float* worth,
                         float scale, const Before* before, u32* ids, Aabb* boxes) {
    const u32 first = before[i].triangles, id = view.id(i);
    const u32 parts = for_each_part(*grid, Corners(view, i), view.box(i), cuts_for(worth[i], scale),
                                    [&](u32 k, const Aabb& box) { boxes[first + k] = box; });
    for (u32 k = 0; k < parts; ++k) ids[first + k] = id;
  }
};

/// Parts of triangles in the memory of a machine (see bvh/host_build_machine.hpp).
template <class Machine>
class Parts {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// The most parts of so many triangles.
  static u64 most_parts(u64 triangles) {
    return std::min(kMostTriangles,
                    triangles + static_cast<u64>(static_cast<float>(triangles) * kRoomForParts));
  }

  /// The memory that this takes, in bytes.
  static u64 bytes_for(u64 triangles) {
    return triangles * (sizeof(float) + sizeof(u8) + sizeof(Before)) +
           most_parts(triangles) * (sizeof(u32) + sizeof(Aabb));
  }

  /// Cuts whole triangles. `grid` is in the memory of the machine.
  Parts(Machine& machine, const TriangleView& triangles, const KeyGrid* grid) : view_(triangles) {
    const u32 count = triangles.count;
    auto worth = machine.template make<float>(count);
    auto histogram = machine.template make<u32>(kWorths);
    auto counts = machine.template make<u8>(count + 1);
    auto before = machine.template make<Before>(count + 1);
    const float* const worths = worth.data();
    machine.template each<MeasureWorth>("worth of cuts", count, triangles, grid, worth.data());
    machine.zero(histogram);
    machine.template each_lane<CountWorth>("count worths", count, worths, histogram.data());
    std::vector<u32> on_host(kWorths);
    machine.download(on_host.data(), static_cast<const u32*>(histogram.data()), kWorths);
    const float scale = scale_within(on_host, most_parts(count) - count);
    machine.template each<CountParts>("count parts", count, triangles, grid, worths, scale,
                                      counts.data());
    machine.sum_before(counts, count, before);
    const Before* const starts = before.data();
    Before all;
    machine.download(&all, starts + count, 1);
    view_.count = all.triangles;
    ids_ = machine.template make<u32>(view_.count);
    boxes_ = machine.template make<Aabb>(view_.count);
    machine.template each<StoreParts>("store parts", count, triangles, grid, worths, scale, starts,
                                      ids_.data(), boxes_.data());
    view_.ids = ids_.data();
    view_.boxes = boxes_.data();
  }

  /// Valid as long as this object is.
  const TriangleView& view() const { return view_; }

 private:
  TriangleView view_;
  Buffer<u32> ids_;
  Buffer<Aabb> boxes_;
};

}  // namespace ballotcast::detail::ploc
