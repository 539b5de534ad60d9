// Cuts the triangles that gain most by it, as many as there is room for. Host and device share this
// code.
//
//   worth of each triangle -> histogram -> scale, so that the parts fit -> count parts -> store
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "bvh/ploc/numbering.hpp"
#include "bvh/ploc/parts.hpp"

namespace ballotcast::detail::ploc {

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
