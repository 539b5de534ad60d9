#include "bvh/builders/splits.hpp"

#include <array>

#include "geometry/mesh.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// Bins of spatial splits. A bin is the space between two parallel planes.

/// Bins per axis. More bins took longer and gave no better trees.
constexpr u32 kSpatialBins = 8;

struct SpatialBin {
  Box4 box;         // around the fragments of references inside the bin
  u32 entries = 0;  // number of references whose first bin this is
  u32 exits = 0;    // number of references whose last bin this is
};

struct SpatialBins {
  std::array<SpatialBin, kSpatialBins> of;

  void include(const SpatialBins& other) {
    for (u32 i = 0; i < kSpatialBins; ++i) {
      of[i].box.include(other.of[i].box);
      of[i].entries += other.of[i].entries;
      of[i].exits += other.of[i].exits;
    }
  }
};

/// The bins of the three axes.
struct SpatialBinsOfAxes {
  std::array<SpatialBins, 3> of_axis;

  void include(const SpatialBinsOfAxes& other) {
    for (u32 axis = 0; axis < 3; ++axis) of_axis[axis].include(other.of_axis[axis]);
  }
};

/// The bins of an axis and the planes between them.
struct Planes {
  u32 axis;
  // Low end, width, and scale = 1 / width of the bins; the scale is 0 if there are no planes
  float low, width, scale;

  static Planes across(u32 axis, const Box4& whole) {
    const float low = whole.low[axis];
    const float width = (whole.high[axis] - low) / static_cast<float>(kSpatialBins);
    // The planes must still differ from each other and from the sides of the box after rounding.
    const bool usable = width > magnitude_of(low) * 0x1p-20f && width > 0x1p-120f;
    return {axis, low, width, usable ? 1.0f / width : 0.0f};
  }
  bool usable() const { return scale > 0.0f; }

  u32 bin_of(float place) const {
    return static_cast<u32>(
        clamp_to((place - low) * scale, 0.0f, static_cast<float>(kSpatialBins - 1)));
  }
  /// The plane between `bin` and the next bin.
  float after(u32 bin) const { return low + width * static_cast<float>(bin + 1); }
  /// The bin to which add_fragments adds a corner of a reference that lies in bins [first, last].
  u32 bin_of_corner(float place, u32 first, u32 last) const {
    u32 bin = bin_of(place);
    while (bin > first && place < after(bin - 1)) --bin;
    while (bin < last && place > after(bin)) ++bin;
    return bin;
  }
};

/// Finds the fragments of a triangle between planes across an axis. The fragments only affect
/// estimated costs, so their rounding errors do no harm.
class Slices {
 public:
  Slices(const Mesh& mesh, u32 triangle, u32 axis) : axis_(axis) {
    const uvec3 corners = mesh.triangles[triangle];
    corner_[0] = float4_of(mesh.positions[corners.x]);
    corner_[1] = float4_of(mesh.positions[corners.y]);
    corner_[2] = float4_of(mesh.positions[corners.z]);
    for (u32 i = 0; i < 3; ++i) {
      const Float4 a = corner_[i], b = corner_[i == 2 ? 0 : i + 1];
      low_[i] = min_of(a[axis], b[axis]);
      high_[i] = max_of(a[axis], b[axis]);
      slope_[i] = low_[i] < high_[i] ? (b - a) / (b[axis] - a[axis]) : Float4{};
    }
  }

  /// The box around the intersection of the triangle with the plane.
  Box4 at(float plane) const {
    Box4 box;
    for (u32 i = 0; i < 3; ++i)
      if (low_[i] <= plane && plane <= high_[i])
        box.include(corner_[i] + slope_[i] * (plane - corner_[i][axis_]));
    return box;
  }

  /// Adds those corners of the triangle to `box` that lie between `low` and `high`.
  void add_corners(float low, float high, Box4& box) const {
    for (const Float4& corner : corner_)
      if (low <= corner[axis_] && corner[axis_] <= high) box.include(corner);
  }

 private:
  u32 axis_;
  Float4 corner_[3];
  Float4 slope_[3];  // of the edge from each corner to the next: change per unit along the axis
  float low_[3], high_[3];
};

/// Adds references to the bins of all axes at once. For a reference in several bins, only its
/// corners are added to the boxes of these bins, so each box is at most as large as the box of the
/// fragments.
class CountInBins {
  struct Corners {
    bool known = false;
    u32 count = 0;
    Float4 at[3];
  };

 public:
  CountInBins(const Mesh& mesh, const std::array<Planes, 3>& planes)
      : mesh_(mesh), planes_(planes) {
    for (u32 axis = 0; axis < 3; ++axis)
      low_[axis] = planes[axis].low, scale_[axis] = planes[axis].scale;
  }

  void operator()(const Reference& r, SpatialBinsOfAxes& bins) const {
    const Int4 first = bins_of(r.low), last = bins_of(r.high);
    const Box4 box = r.box();
    Corners corners;
    for (u32 axis = 0; axis < 3; ++axis) {
      SpatialBins& here = bins.of_axis[axis];
      const auto from = static_cast<u32>(first[axis]), to = static_cast<u32>(last[axis]);
      ++here.of[from].entries;
      ++here.of[to].exits;
      if (from == to) {
        here.of[from].box.include(box);
        continue;
      }
      if (!corners.known) corners = corners_of(r);
      for (u32 i = 0; i < corners.count; ++i)
        here.of[planes_[axis].bin_of_corner(corners.at[i][axis], from, to)].box.include(
            corners.at[i]);
    }
  }

 private:
  /// The bins of a point on all axes, as Planes::bin_of.
  Int4 bins_of(Float4 point) const {
    constexpr float kLast = static_cast<float>(kSpatialBins - 1);
    const Float4 place = (point - low_) * scale_;
    const Float4 kept = place > 0.0f ? min_of(place, Float4{kLast, kLast, kLast, kLast}) : Float4{};
    return __builtin_convertvector(kept, Int4);
  }

  /// The corners of the triangle that are still inside the box of the fragment.
  Corners corners_of(const Reference& r) const {
    const uvec3 all = mesh_.triangles[r.id()];
    Corners corners;
    corners.known = true;
    for (int i = 0; i < 3; ++i) {
      const Float4 corner = float4_of(mesh_.positions[all[i]]);
      if (!Box4{corner, corner}.meet(r.box()).empty()) corners.at[corners.count++] = corner;
    }
    return corners;
  }

  const Mesh& mesh_;
  const std::array<Planes, 3>& planes_;
  Float4 low_{}, scale_{};
};

/// Adds the fragments of a reference that lies in several bins to these bins.
void add_fragments(const Mesh& mesh, const Reference& r, const Planes& planes, SpatialBins& bins) {
  const u32 axis = planes.axis;
  const u32 first = planes.bin_of(r.low[axis]), last = planes.bin_of(r.high[axis]);
  if (first == last) return;
  const Slices slices(mesh, r.id(), axis);
  float low = r.low[axis];
  Box4 at_low = slices.at(low);
  for (u32 i = first; i <= last; ++i) {
    const float high = i < last ? planes.after(i) : r.high[axis];
    const Box4 at_high = slices.at(high);
    Box4 fragment = at_low;
    fragment.include(at_high);
    slices.add_corners(low, high, fragment);
    fragment = fragment.meet(r.box());
    if (!fragment.empty()) bins.of[i].box.include(fragment);
    low = high;
    at_low = at_high;
  }
}

using Double4 = double __attribute__((vector_size(32)));

// The number of references per task. Below kBinInParallelAbove references, one thread processes all
// of them, because starting tasks would take longer than they save.
constexpr u32 kGrain = 4096;
constexpr u32 kBinInParallelAbove = 16 * kGrain;

/// A box that certainly contains the point at which the edge from a to b crosses a plane. The
/// points of this plane have the coordinate `plane` on `axis`.
Box4 crossing(Float4 a, Float4 b, u32 axis, float plane) {
  const Double4 from = __builtin_convertvector(a, Double4);
  const Double4 to = __builtin_convertvector(b, Double4);
  const double way = (double{plane} - from[axis]) / (to[axis] - from[axis]);
  const Float4 point = __builtin_convertvector(from + (to - from) * way, Float4);
  const Float4 edge = b - a;
  const Float4 margin = (point < 0.0f ? -point : point) * 0x1p-23f +
                        (edge < 0.0f ? -edge : edge) * 0x1p-50f + 0x1p-126f;
  return {point - margin, point + margin};
}

/// Calls add(reference, bins) for all references [from, to) and returns the bins. Their initial
/// value is `bins`.
template <class Bins, class Add>
Bins fill(const Reference* from, const Reference* to, const Bins& bins, const Add& add) {
  const auto serial = [&](u32 begin, u32 end, Bins all) {
    for (const Reference* r = from + begin; r != from + end; ++r) add(*r, all);
    return all;
  };
  const auto count = static_cast<u32>(to - from);
  if (count < kBinInParallelAbove) return serial(0, count, bins);
  Bins all = reduce_ranges<u32>(0, count, kGrain, Bins{}, serial, [](Bins a, const Bins& b) {
    a.include(b);
    return a;
  });
  all.include(bins);
  return all;
}

/// Replaces `best` by the cheapest split between bins if this split costs less. `most` is the
/// largest number of references that both sides may have together.
void sweep(const SpatialBins& bins, const Planes& planes, float whole_area, u32 most,
           SpatialSplit& best) {
  std::array<SpatialBin, kSpatialBins> right;  // right[i]: all bins after bin i
  SpatialBin sum;
  for (u32 i = kSpatialBins - 1; i > 0; --i) {
    sum.box.include(bins.of[i].box);
    sum.exits += bins.of[i].exits;
    right[i - 1] = sum;
  }
  SpatialBin left;
  for (u32 i = 0; i + 1 < kSpatialBins; ++i) {
    left.box.include(bins.of[i].box);
    left.entries += bins.of[i].entries;
    if (left.entries == 0 || right[i].exits == 0) continue;
    if (left.entries + right[i].exits > most) continue;
    const float cost = cost_of(left.box.half_area(), left.entries, right[i].box.half_area(),
                               right[i].exits, whole_area);
    if (cost < best.cost)
      best = {cost,         planes.axis,  planes.after(i), left.box,
              right[i].box, left.entries, right[i].exits};
  }
}

}  // namespace

std::pair<Box4, Box4> cut(const Mesh& mesh, const Reference& fragment, u32 axis, float plane) {
  const uvec3 corners = mesh.triangles[fragment.id()];
  const Float4 point[3] = {float4_of(mesh.positions[corners.x]),
                           float4_of(mesh.positions[corners.y]),
                           float4_of(mesh.positions[corners.z])};
  Box4 left, right;
  for (u32 i = 0; i < 3; ++i) {
    const Float4 a = point[i], b = point[i == 2 ? 0 : i + 1];
    if (a[axis] <= plane) left.include(a);
    if (a[axis] >= plane) right.include(a);
    if ((a[axis] < plane && b[axis] > plane) || (a[axis] > plane && b[axis] < plane)) {
      const Box4 at = crossing(a, b, axis, plane);
      left.include(at);
      right.include(at);
    }
  }
  left.high[axis] = min_of(left.high[axis], plane);
  right.low[axis] = max_of(right.low[axis], plane);
  return {left.meet(fragment.box()), right.meet(fragment.box())};
}

SpatialSplit cheapest_spatial_split(const Mesh& mesh, const Reference* from, const Reference* to,
                                    const Box4& whole, u32 most_cut, float bar) {
  const u32 most = static_cast<u32>(to - from) + most_cut;
  const float whole_area = max_of(whole.half_area(), 1.0e-37f);
  std::array<Planes, 3> planes;
  for (u32 axis = 0; axis < 3; ++axis) planes[axis] = Planes::across(axis, whole);
  // Cutting triangles takes long. If the boxes around corners are used instead of the boxes around
  // fragments, the cost of a split is never overestimated. In most cases even this lower bound
  // shows that no split is cheap enough.
  const SpatialBinsOfAxes least = fill(from, to, SpatialBinsOfAxes{}, CountInBins(mesh, planes));
  SpatialSplit best;
  best.cost = bar;
  for (u32 axis = 0; axis < 3; ++axis) {
    if (!planes[axis].usable()) continue;
    SpatialSplit hope = best;
    sweep(least.of_axis[axis], planes[axis], whole_area, most, hope);
    if (!(hope.cost < best.cost)) continue;
    const SpatialBins bins =
        fill(from, to, least.of_axis[axis],
             [&](const Reference& r, SpatialBins& b) { add_fragments(mesh, r, planes[axis], b); });
    sweep(bins, planes[axis], whole_area, most, best);
  }
  return best;
}

void divide(const Mesh& mesh, const Reference* from, const Reference* to, SpatialSplit& split,
            std::vector<Reference>& left, std::vector<Reference>& right) {
  const u32 axis = split.axis;
  // Initially, these are the boxes for the case that every crossing reference is cut. If a
  // reference is kept uncut on one side, the box of that side grows; the other box is not reduced.
  Box4 left_box = split.left, right_box = split.right;
  float left_count = static_cast<float>(split.left_count);
  float right_count = static_cast<float>(split.right_count);
  const auto with = [](Box4 box, const Box4& more) {
    box.include(more);
    return box;
  };
  for (const Reference* r = from; r != to; ++r) {
    const Reference& reference = *r;
    if (reference.high[axis] <= split.plane) {
      left.push_back(reference);
      continue;
    }
    if (reference.low[axis] >= split.plane) {
      right.push_back(reference);
      continue;
    }
    const auto [left_fragment, right_fragment] = cut(mesh, reference, axis, split.plane);
    const Box4 all_left = with(left_box, reference.box());
    const Box4 all_right = with(right_box, reference.box());
    const float left_area = left_box.half_area(), right_area = right_box.half_area();
    const float both = left_area * left_count + right_area * right_count;
    const float only_left = all_left.half_area() * left_count + right_area * (right_count - 1.0f);
    const float only_right = left_area * (left_count - 1.0f) + all_right.half_area() * right_count;
    if (right_fragment.empty() ||
        (!left_fragment.empty() && only_left < both && only_left <= only_right)) {
      left.push_back(reference);
      left_box = all_left;
      right_count -= 1.0f;
    } else if (left_fragment.empty() || only_right < both) {
      right.push_back(reference);
      right_box = all_right;
      left_count -= 1.0f;
    } else {
      left.push_back(Reference(left_fragment, reference.id()));
      right.push_back(Reference(right_fragment, reference.id()));
    }
  }
  split.left = left_box;
  split.right = right_box;
  split.left_count = static_cast<u32>(left.size());
  split.right_count = static_cast<u32>(right.size());
}

}  // namespace ballotcast::detail
