// The patches of a picture, and how to find the patches around a given patch.
//
// Most pixels have only one patch. So there is a bit per pixel which says whether the pixel has a
// second patch. To find the second patches in a row of a window, it is enough to read two words,
// and the steps of the filter run only for second patches that exist.
#pragma once

#include "kernels/smooth/patches.hpp"

namespace ballotcast::detail {

/// Finds the pixels that have a second patch. Item i writes the bits of pixels 32 i to 32 i + 31.
struct MarkSecondPatches {
  BC_HD static void item(u32 index, PatchSurfaces surfaces, u32 pixels, u32* second) {
    u32 bits = 0;
    for (u32 i = 0; i < 32u; ++i) {
      const u32 pixel = 32u * index + i;
      if (pixel < pixels && surfaces.read(patch_index(pixel, 1u, pixels)).samples > 0.0f)
        bits |= 1u << i;
    }
    second[index] = bits;
  }
};

/// The number of words for these bits: one more than needed, because windows read two words at a
/// time.
BC_HD inline u32 words_of_second_patches(u32 pixels) { return (pixels + 31u) / 32u + 1u; }

/// The patches of a picture, in the form that all steps of the filter take.
struct PatchGrid {
  PatchSurfaces surfaces;
  const u32* second;  // bits that MarkSecondPatches has set
  u32 width, height;
  float samples;  // samples per pixel

  BC_HD u32 pixels() const { return width * height; }
  /// The number of items for which each step of the filter runs.
  BC_HD u32 items() const { return kPatches * pixels(); }

  /// The bits of second patches: bit i is for pixel `first` + i, for i below `count`, which is at
  /// most 31.
  BC_HD u32 second_patches(u32 first, u32 count) const {
    const u32* words = second + first / 32u;
    const u64 both = words[0] | static_cast<u64>(words[1]) << 32u;
    return static_cast<u32>(both >> (first % 32u)) & ((1u << count) - 1u);
  }

  /// Calls visit(index of the patch, its surface) for the patch that is item number `item`, if
  /// there is one. The first items are the pixels' first patches. The others are the second
  /// patches. Those of kChunk pixels are packed together, in their order, so that the warps of a
  /// GPU are either full or idle.
  template <class Visit>
  BC_HD void at_item(u32 item, Visit visit) const {
    u32 index = item;
    if (item >= pixels() && !find_second(item - pixels(), index)) return;
    const PatchSurface surface = surfaces.read(index);
    if (surface.samples > 0.0f) visit(index, surface);
  }

  /// Calls visit(q, dx, dy) for each patch q at most `radius` pixels away from patch `index`,
  /// itself included: row by row, and in each row the first patches before the second ones. First
  /// patches without samples are included. `radius` is at most 15.
  template <class Visit>
  BC_HD void around(u32 index, i32 radius, Visit visit) const {
    const u32 pixel = index % pixels();
    const i32 x = static_cast<i32>(pixel % width), y = static_cast<i32>(pixel / width);
    const i32 w = static_cast<i32>(width), h = static_cast<i32>(height);
    const i32 left = x - radius < 0 ? -x : -radius, right = x + radius >= w ? w - 1 - x : radius;
    const i32 top = y - radius < 0 ? -y : -radius, bottom = y + radius >= h ? h - 1 - y : radius;
    for (i32 dy = top; dy <= bottom; ++dy) {
      const u32 row = static_cast<u32>((y + dy) * w + x);
      for (i32 dx = left; dx <= right; ++dx) visit(row + static_cast<u32>(dx), dx, dy);
      u32 there = second_patches(row + static_cast<u32>(left), static_cast<u32>(right - left + 1));
      for (; there != 0u; there &= there - 1u) {
        const i32 dx = left + static_cast<i32>(lowest_bit(there));
        visit(patch_index(row + static_cast<u32>(dx), 1u, pixels()), dx, dy);
      }
    }
  }

 private:
  static constexpr u32 kChunk = 1024;

  BC_HD bool find_second(u32 number, u32& index) const {
    const u32 begin = number / kChunk * (kChunk / 32u), all = (pixels() + 31u) / 32u;
    const u32 end = begin + kChunk / 32u < all ? begin + kChunk / 32u : all;
    u32 before = number % kChunk;
    for (u32 word = begin; word < end; ++word) {
      u32 bits = second[word];
      const u32 here = count_bits(bits);
      if (before >= here) {
        before -= here;
        continue;
      }
      for (; before != 0u; --before) bits &= bits - 1u;
      index = patch_index(32u * word + lowest_bit(bits), 1u, pixels());
      return true;
    }
    return false;
  }
};

// The templates below work on one patch, or on eight patches in SIMD vectors. For eight patches,
// `Number` is Lanes8, and the members of `Vector` and `Surface` are Lanes8
// (backends/cpu/smooth_lanes.cpp).

/// dot(a, b) with the roundings of fused multiply-adds.
template <class Vector>
BC_HD inline auto fused_dot(const Vector& a, const Vector& b) {
  return fused(a.x, b.x, fused(a.y, b.y, a.z * b.z));
}

/// sum + v * factor, computed by fused multiply-adds.
template <class Vector, class Number>
BC_HD inline Vector fused_sum(const Vector& sum, const Vector& v, Number factor) {
  return {fused(v.x, factor, sum.x), fused(v.y, factor, sum.y), fused(v.z, factor, sum.z)};
}

/// The similarity of two patches, from 0 to 1: 1 if they lie in the same plane with the same
/// normal, and 1/9 if they lie in parallel planes that are `reach` pixels apart.
template <class Surface, class Number>
BC_HD inline Number likeness(const Surface& p, const Surface& q, Number reach) {
  Number facing = either_max(fused_dot(p.normal, q.normal), Number(0.0f));
  for (u32 i = 0; i < 5u; ++i) facing = facing * facing;  // to the power of 32
  const auto way = q.position - p.position;
  const Number a = fused_dot(p.normal, way) * p.pixels_per_unit,
               b = fused_dot(q.normal, way) * q.pixels_per_unit;
  // 1 / (1 + (a a + b b) / reach^2), squared.
  const Number least = reach * reach;
  const Number near =
      least * reciprocal(either_min(fused(a, a, fused(b, b, least)), Number(1e30f)));
  return facing * near * near;
}

BC_HD inline float distance_in_pixels(i32 dx, i32 dy) {
  return static_cast<float>((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
}

}  // namespace ballotcast::detail
