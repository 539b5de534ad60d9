#include "bvh/builders/spatial_split.hpp"

#include <array>

#include "bvh/builders/spatial_bins.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

using Double4 = double __attribute__((vector_size(32)));

// References that a task looks at; fewer than kBinInParallelAbove are left to one thread.
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

/// Calls add(reference, bins) for all references [from, to), starting with `bins`.
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

/// Replaces `best` by the cheapest split between bins that costs less, if there is one. `most` is
/// the most references that both sides may have together.
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
                                    const Box4& whole, u32 most_cut, float bar) {
  const u32 most = static_cast<u32>(to - from) + most_cut;
  const float whole_area = max_of(whole.half_area(), 1.0e-37f);
  std::array<Planes, 3> planes;
  for (u32 axis = 0; axis < 3; ++axis) planes[axis] = Planes::across(axis, whole);
  // Cutting triangles takes long. With the boxes around their corners no split looks dearer than
  // it is; most often that shows already that none is cheap enough.
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
             [&](const Reference& r, SpatialBins& b) { add_parts(mesh, r, planes[axis], b); });
    sweep(bins, planes[axis], whole_area, most, best);
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
