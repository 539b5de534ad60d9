// How top-down builders divide the references of a node. A reference is a triangle, or a fragment
// of a triangle, with its box.
//
// Object splits divide the references into two sets, by bins of their centres.
//
// Spatial splits divide the space of a node by a plane. A reference that crosses the plane goes to
// both sides; each side gets the fragment that lies there (M. Stich, H. Friedrich, A. Dietrich,
// Spatial Splits in Bounding Volume Hierarchies, 2009).
//
// No hit is lost: the box of a fragment contains every point of the triangle that lies on its side
// of the plane in the box that was cut. The points where edges cross the plane are computed in
// double precision, and the box around them is larger than their rounding error.
#pragma once

#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "geometry/mesh.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// A vector of three floats and one spare element, as a compiler extension.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));

inline Float4 min_of(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 max_of(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 float4_of(vec3 v) { return Float4{v.x, v.y, v.z, 0.0f}; }

/// Like Aabb, but with half the instructions for each operation. The fourth components have no
/// meaning.
struct Box4 {
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  Float4 low{kFar, kFar, kFar, kFar};
  Float4 high{-kFar, -kFar, -kFar, -kFar};

  void include(const Box4& other) {
    low = min_of(low, other.low);
    high = max_of(high, other.high);
  }
  void include(Float4 point) {
    low = min_of(low, point);
    high = max_of(high, point);
  }
  /// The intersection with `other`. It may be empty.
  Box4 meet(const Box4& other) const { return {max_of(low, other.low), min_of(high, other.high)}; }
  bool empty() const { return !(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]); }
  Float4 center() const { return low * 0.5f + high * 0.5f; }
  float half_area() const {
    if (empty()) return 0.0f;
    const Float4 e = high - low;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
  Aabb aabb() const { return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}; }
};

/// A triangle, or the fragment of a triangle that lies in a box.
struct Reference {
  Float4 low;  // the bits of the fourth component are kNormal + id
  Float4 high;

  /// Added to ids, so that the bits of an id are never a denormal float. Arithmetic with denormal
  /// floats takes a hundred times as long.
  static constexpr u32 kNormal = 0x10000000u;

  Reference() = default;
  Reference(const Box4& box, u32 id) : low(box.low), high(box.high) {
    low[3] = float_of(kNormal + id);
  }

  Box4 box() const { return {low, high}; }
  u32 id() const { return bits_of(low[3]) - kNormal; }
  Float4 center() const { return low * 0.5f + high * 0.5f; }
};
static_assert(sizeof(Reference) == 32);

/// Calls visit(std::integral_constant) with the number of bins per axis for so many references.
/// Few references need few bins, and fewer bins take less time.
template <class Visit>
decltype(auto) with_bins_for(u32 references, Visit visit) {
  if (references > 64) return visit(std::integral_constant<u32, 32>{});
  if (references > 16) return visit(std::integral_constant<u32, 16>{});
  return visit(std::integral_constant<u32, 8>{});
}

/// The cost of visiting a node, relative to the test of a triangle: the value with which rays were
/// fastest on an H200 (docs/results/rays-notes.md).
inline constexpr float kTraversalCost = 0.85f;

/// The number of references whose centres lie in a bin, and their common box.
struct Bin {
  Box4 box;
  u32 count = 0;

  void include(const Bin& other) {
    box.include(other.box);
    count += other.count;
  }
};

/// The bins of the three axes.
template <u32 kBins>
struct Bins {
  std::array<std::array<Bin, kBins>, 3> of_axis;

  Bin& at(u32 axis, u32 i) { return of_axis[axis][i]; }
  const Bin& at(u32 axis, u32 i) const { return of_axis[axis][i]; }

  void include(const Bins& other) {
    for (u32 axis = 0; axis < 3; ++axis)
      for (u32 i = 0; i < kBins; ++i) at(axis, i).include(other.at(axis, i));
  }
};

struct Extents {
  Box4 box;      // around the boxes of the references
  Box4 centers;  // around the centres of these boxes

  void include(const Reference& r) {
    box.include(r.box());
    centers.include(r.center());
  }
  void include(const Extents& other) {
    box.include(other.box);
    centers.include(other.centers);
  }
};

/// A split at a plane between two bins of an axis, and its expected cost.
struct Split {
  float cost = std::numeric_limits<float>::infinity();
  u32 axis = 0;
  u32 bin = 0;  // bins [0, bin] belong to the left child
  Box4 left, right;
};

/// The cost of a node with these two children, in units of a triangle test.
inline float cost_of(float left_area, u32 left_count, float right_area, u32 right_count,
                     float whole_area) {
  return kTraversalCost + (left_area * static_cast<float>(left_count) +
                           right_area * static_cast<float>(right_count)) /
                              whole_area;
}

/// Maps the centre of a reference to its bin on each axis.
struct Binning {
  Float4 low;
  Float4 scale;  // bins per unit; 0 on an axis on which all centres are equal
  u32 bins;      // number of bins per axis

  Binning(const Box4& centers, u32 bins_an_axis) : low(centers.low), scale{}, bins(bins_an_axis) {
    const Float4 extent = centers.high - centers.low;
    for (u32 axis = 0; axis < 3; ++axis)
      scale[axis] =
          extent[axis] > 0.0f ? min_of(static_cast<float>(bins) / extent[axis], 3.0e38f) : 0.0f;
  }

  /// The bin of `center` on each axis.
  Int4 bins_of(Float4 center) const {
    const float last = static_cast<float>(bins - 1);
    const Float4 place = (center - low) * scale;
    const Float4 kept = place > 0.0f ? min_of(place, Float4{last, last, last, last}) : Float4{};
    return __builtin_convertvector(kept, Int4);
  }

  template <u32 kBins>
  void count(const Reference& r, Bins<kBins>& all) const {
    const Int4 bin = bins_of(r.center());
    const Box4 box = r.box();
    const auto add = [&](u32 axis, int i) {
      Bin& b = all.at(axis, static_cast<u32>(i));
      b.box.include(box);
      ++b.count;
    };
    add(0, bin[0]);
    add(1, bin[1]);
    add(2, bin[2]);
  }
};

/// The split between bins with the lowest cost. Its cost is infinite if no plane separates two
/// centres.
template <u32 kBins>
Split cheapest_split(const Binning& binning, const Bins<kBins>& bins, const Box4& whole) {
  const float whole_area = max_of(whole.half_area(), 1.0e-37f);
  Split best;
  for (u32 axis = 0; axis < 3; ++axis) {
    if (binning.scale[axis] == 0.0f) continue;
    std::array<Bin, kBins> right;  // right[i]: all bins after bin i
    Bin sum;
    for (u32 i = kBins - 1; i > 0; --i) {
      sum.include(bins.at(axis, i));
      right[i - 1] = sum;
    }
    Bin left;
    for (u32 i = 0; i + 1 < kBins; ++i) {
      // If the bin is empty, the split is the same as at the previous plane.
      if (bins.at(axis, i).count == 0) continue;
      left.include(bins.at(axis, i));
      if (right[i].count == 0) break;
      const float cost = cost_of(left.box.half_area(), left.count, right[i].box.half_area(),
                                 right[i].count, whole_area);
      if (cost < best.cost) best = {cost, axis, i, left.box, right[i].box};
    }
  }
  return best;
}

/// Cuts `fragment`, a fragment of a triangle of `mesh`, by a plane across `axis`. Returns the boxes
/// of the parts to the left and to the right of the plane; a box is empty if that side has no part.
std::pair<Box4, Box4> cut(const Mesh& mesh, const Reference& fragment, u32 axis, float plane);

/// A spatial split by a plane, and its expected cost.
struct SpatialSplit {
  float cost = std::numeric_limits<float>::infinity();
  u32 axis = 0;
  float plane = 0.0f;
  Box4 left, right;
  u32 left_count = 0, right_count = 0;
};

/// The split with the lowest cost among 7 planes per axis. If no split costs less than `bar`, the
/// result has the cost `bar`. `whole` is the box around references [from, to). Planes that cut more
/// than `most_cut` references are not considered. Runs on all threads if there are many references.
SpatialSplit cheapest_spatial_split(const Mesh& mesh, const Reference* from, const Reference* to,
                                    const Box4& whole, u32 most_cut, float bar);

/// Divides references [from, to) by the plane of `split`, and appends them to `left` and `right`,
/// which must be empty. A reference that crosses the plane is cut in two, unless it is cheaper to
/// keep it uncut on one side. Sets the boxes and counts in `split` to those of the result.
void divide(const Mesh& mesh, const Reference* from, const Reference* to, SpatialSplit& split,
            std::vector<Reference>& left, std::vector<Reference>& right);

}  // namespace ballotcast::detail
