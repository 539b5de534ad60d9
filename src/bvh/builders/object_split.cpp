#include "bvh/builders/object_split.hpp"

namespace ballotcast {

Split cheapest_split(const Binning& binning, const Bins& bins, const Box4& whole) {
  const float whole_area = max_of(whole.half_area(), 1.0e-37f);
  Split best;
  for (u32 axis = 0; axis < 3; ++axis) {
    if (binning.scale[axis] == 0.0f) continue;
    std::array<Bin, kBins> right;  // of bins (i, binning.bins)
    Bin sum;
    for (u32 i = binning.bins - 1; i > 0; --i) {
      sum.include(bins.at(axis, i));
      right[i - 1] = sum;
    }
    Bin left;
    for (u32 i = 0; i + 1 < binning.bins; ++i) {
      if (bins.at(axis, i).count == 0) continue;  // as the plane before
      left.include(bins.at(axis, i));
      if (right[i].count == 0) break;
      const float cost = cost_of(left.box.half_area(), left.count, right[i].box.half_area(),
                                 right[i].count, whole_area);
      if (cost < best.cost) best = {cost, axis, i, left.box, right[i].box};
    }
  }
  return best;
}

}  // namespace ballotcast
