#include "bvh/builders/spatial_split.hpp"

#include <array>

namespace ballotcast::detail {

namespace {

using Double4 = double __attribute__((vector_size(32)));

constexpr u32 kBins = 8;  // per axis; more bins took longer and made no better trees

struct SpatialBin {
  Box4 box;         // around the parts of references that lie in the bin
  u32 entries = 0;  // number of references whose first bin this is
  u32 exits = 0;    // number of references whose last bin this is
};

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

/// The bins of an axis and the planes between them.
struct Planes {
  u32 axis;
  float low, width, scale;  // of the bins; scale = 1 / width

  u32 bin_of(float place) const {
    return static_cast<u32>(clamp_to((place - low) * scale, 0.0f, static_cast<float>(kBins - 1)));
  }
  /// The plane after `bin`.
  float after(u32 bin) const { return low + width * static_cast<float>(bin + 1); }
};

/// A triangle whose parts between two planes across an axis are to be found. Only costs depend on
/// these parts, so rounding errors do no harm.
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

  /// The box around those points of the triangle that lie in the plane.
  Box4 at(float plane) const {
    Box4 box;
    for (u32 i = 0; i < 3; ++i)
      if (low_[i] <= plane && plane <= high_[i])
        box.include(corner_[i] + slope_[i] * (plane - corner_[i][axis_]));
    return box;
  }

  /// Adds the corners that lie from `low` to `high`.
  void add_corners(float low, float high, Box4& box) const {
    for (const Float4& corner : corner_)
      if (low <= corner[axis_] && corner[axis_] <= high) box.include(corner);
  }

 private:
  u32 axis_;
  Float4 corner_[3];
  Float4 slope_[3];  // of the edge from a corner to the next, per unit along the axis
  float low_[3], high_[3];
};

/// Adds to each bin the part of `r` that lies in that bin.
void add_parts(const Mesh& mesh, const Reference& r, const Planes& planes,
               std::array<SpatialBin, kBins>& bins) {
  const u32 axis = planes.axis;
  const u32 first = planes.bin_of(r.low[axis]), last = planes.bin_of(r.high[axis]);
  ++bins[first].entries;
  ++bins[last].exits;
  if (first == last) {
    bins[first].box.include(r.box());
    return;
  }
  const Slices slices(mesh, r.id(), axis);
  float low = r.low[axis];
  Box4 at_low = slices.at(low);
  for (u32 i = first; i <= last; ++i) {
    const float high = i < last ? planes.after(i) : r.high[axis];
    const Box4 at_high = slices.at(high);
    Box4 part = at_low;
    part.include(at_high);
    slices.add_corners(low, high, part);
    part = part.meet(r.box());
    if (!part.empty()) bins[i].box.include(part);
    low = high;
    at_low = at_high;
  }
}

}  // namespace

std::pair<Box4, Box4> cut(const Mesh& mesh, const Reference& part, u32 axis, float plane) {
  const uvec3 corners = mesh.triangles[part.id()];
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
  return {left.meet(part.box()), right.meet(part.box())};
}

SpatialSplit cheapest_spatial_split(const Mesh& mesh, const Reference* from, const Reference* to,
                                    const Box4& whole, u32 most_cut) {
  const auto count = static_cast<u32>(to - from);
  const float whole_area = max_of(whole.half_area(), 1.0e-37f);
  const Float4 extent = whole.high - whole.low;
  SpatialSplit best;
  for (u32 axis = 0; axis < 3; ++axis) {
    const float low = whole.low[axis], width = extent[axis] / static_cast<float>(kBins);
    // The planes must differ from each other and from the sides of the box after rounding.
    if (!(width > magnitude_of(low) * 0x1p-20f) || !(width > 0x1p-120f)) continue;
    const Planes planes{axis, low, width, 1.0f / width};
    std::array<SpatialBin, kBins> bins;
    for (const Reference* r = from; r != to; ++r) add_parts(mesh, *r, planes, bins);
    std::array<SpatialBin, kBins> right;  // right[i]: all bins after bin i
    SpatialBin sum;
    for (u32 i = kBins - 1; i > 0; --i) {
      sum.box.include(bins[i].box);
      sum.exits += bins[i].exits;
      right[i - 1] = sum;
    }
    SpatialBin left;
    for (u32 i = 0; i + 1 < kBins; ++i) {
      left.box.include(bins[i].box);
      left.entries += bins[i].entries;
      if (left.entries == 0 || right[i].exits == 0) continue;
      if (left.entries + right[i].exits > count + most_cut) continue;
      const float cost = cost_of(left.box.half_area(), left.entries, right[i].box.half_area(),
                                 right[i].exits, whole_area);
      if (cost < best.cost)
        best = {cost, axis, planes.after(i), left.box, right[i].box, left.entries, right[i].exits};
    }
  }
  return best;
}

void divide(const Mesh& mesh, const Reference* from, const Reference* to, SpatialSplit& split,
            std::vector<Reference>& left, std::vector<Reference>& right) {
  const u32 axis = split.axis;
  // At first these are the boxes for the case that every crossing reference is cut. When a
  // reference is kept whole on one side, that side's box grows, but the other side's box is not
  // made smaller.
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
    const auto [left_part, right_part] = cut(mesh, reference, axis, split.plane);
    const Box4 all_left = with(left_box, reference.box());
    const Box4 all_right = with(right_box, reference.box());
    const float left_area = left_box.half_area(), right_area = right_box.half_area();
    const float both = left_area * left_count + right_area * right_count;
    const float only_left = all_left.half_area() * left_count + right_area * (right_count - 1.0f);
    const float only_right = left_area * (left_count - 1.0f) + all_right.half_area() * right_count;
    if (right_part.empty() || (!left_part.empty() && only_left < both && only_left <= only_right)) {
      left.push_back(reference);
      left_box = all_left;
      right_count -= 1.0f;
    } else if (left_part.empty() || only_right < both) {
      right.push_back(reference);
      right_box = all_right;
      left_count -= 1.0f;
    } else {
      left.push_back(Reference(left_part, reference.id()));
      right.push_back(Reference(right_part, reference.id()));
    }
  }
  split.left = left_box;
  split.right = right_box;
  split.left_count = static_cast<u32>(left.size());
  split.right_count = static_cast<u32>(right.size());
}

}  // namespace ballotcast::detail
