// Bins of spatial splits (spatial_split.hpp): what lies between planes across an axis.
#pragma once

#include <array>

#include "bvh/builders/reference_box.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Bins per axis; more took longer and made no better trees.
inline constexpr u32 kSpatialBins = 8;

struct SpatialBin {
  Box4 box;         // around the parts of references that lie in the bin
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
  float low, width, scale;  // of the bins; scale = 1 / width, or 0 if there are no planes

  static Planes across(u32 axis, const Box4& whole) {
    const float low = whole.low[axis];
    const float width = (whole.high[axis] - low) / static_cast<float>(kSpatialBins);
    // The planes must differ from each other and from the sides of the box after rounding.
    const bool usable = width > magnitude_of(low) * 0x1p-20f && width > 0x1p-120f;
    return {axis, low, width, usable ? 1.0f / width : 0.0f};
  }
  bool usable() const { return scale > 0.0f; }

  u32 bin_of(float place) const {
    return static_cast<u32>(
        clamp_to((place - low) * scale, 0.0f, static_cast<float>(kSpatialBins - 1)));
  }
  /// The plane after `bin`.
  float after(u32 bin) const { return low + width * static_cast<float>(bin + 1); }
  /// The bin in which add_parts puts a corner of a reference that lies in bins [first, last].
  u32 bin_of_corner(float place, u32 first, u32 last) const {
    u32 bin = bin_of(place);
    while (bin > first && place < after(bin - 1)) --bin;
    while (bin < last && place > after(bin)) ++bin;
    return bin;
  }
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

/// Counts references into the bins of all axes at once. Of one that lies in several bins it adds
/// only the corners, so each box is at most as large as that of the parts.
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
  /// The bins of a point, as Planes::bin_of.
  Int4 bins_of(Float4 point) const {
    constexpr float kLast = static_cast<float>(kSpatialBins - 1);
    const Float4 place = (point - low_) * scale_;
    const Float4 kept = place > 0.0f ? min_of(place, Float4{kLast, kLast, kLast, kLast}) : Float4{};
    return __builtin_convertvector(kept, Int4);
  }

  /// The corners of a triangle that were not cut off.
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

/// Adds to each bin the part that lies there of a reference that lies in several bins.
inline void add_parts(const Mesh& mesh, const Reference& r, const Planes& planes,
                      SpatialBins& bins) {
  const u32 axis = planes.axis;
  const u32 first = planes.bin_of(r.low[axis]), last = planes.bin_of(r.high[axis]);
  if (first == last) return;
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
    if (!part.empty()) bins.of[i].box.include(part);
    low = high;
    at_low = at_high;
  }
}

}  // namespace ballotcast::detail
