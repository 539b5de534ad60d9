// Object splits: divide the references (reference_box.hpp) of a node into two sets, by bins of
// their centres.
#pragma once

#include <array>
#include <type_traits>

#include "bvh/builders/reference_box.hpp"

namespace ballotcast::detail {

/// Calls visit(std::integral_constant) with the number of bins per axis that pays off for this
/// number of references.
template <class Visit>
decltype(auto) with_bins_for(u32 references, Visit visit) {
  if (references > 64) return visit(std::integral_constant<u32, 32>{});
  if (references > 16) return visit(std::integral_constant<u32, 16>{});
  return visit(std::integral_constant<u32, 8>{});
}

/// The cost of visiting a node; the test of one triangle costs 1. Measured on an H200
/// (docs/results).
inline constexpr float kTraversalCost = 0.85f;

/// The references whose centres lie in one bin: their common box and their number.
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
  Box4 box;      // around the references' boxes
  Box4 centers;  // around the centres of those boxes

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
  u32 bin = 0;  // bins [0, bin] go left
  Box4 left, right;
};

/// The cost of a node with these two children, in triangle tests.
inline float cost_of(float left_area, u32 left_count, float right_area, u32 right_count,
                     float whole_area) {
  return kTraversalCost + (left_area * static_cast<float>(left_count) +
                           right_area * static_cast<float>(right_count)) /
                              whole_area;
}

/// Maps the centre of a reference to its bin on each axis.
struct Binning {
  Float4 low;
  Float4 scale;  // 0 on an axis on which all centres are equal
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
      // With an empty bin, the split is the same as at the plane before.
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

}  // namespace ballotcast::detail
