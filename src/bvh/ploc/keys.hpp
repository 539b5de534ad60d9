// The elements that trees are built of: triangles, or fragments of them. Their keys order points
// along a space-filling curve (G. M. Morton, 1966).
//
// A key has 48 bits, the highest first. Each bit halves a cell, and says in which half the point
// lies. A cell is always halved across its longest side, so cells stay as near to cubes as the
// scene allows:
//
//   +-------+-------+-------+-------+      a scene that is four times as wide as high:
//   |       |       |       |       |      the first two bits go to x, then y and x take turns
//   +-------+-------+-------+-------+
#pragma once

#include "math/aabb.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail::ploc {

/// The elements that a tree is built of.
struct TriangleView {
  const vec3* positions;
  const uvec3* triangles;
  const u32* ids;               // the triangle of each element; null: element i is triangle i
  u32 count;                    // number of elements
  const Aabb* boxes = nullptr;  // a box per element; null: the elements are whole triangles
  // The path to the cell of each element, see Fragments; null: there is one cell
  const u32* ways = nullptr;

  BC_HD u32 id(u32 i) const { return ids ? ids[i] : i; }
  BC_HD vec3 corner(u32 i, u32 k) const {
    const uvec3 corners = triangles[id(i)];
    return positions[k == 0 ? corners.x : k == 1 ? corners.y : corners.z];
  }
  BC_HD Aabb box(u32 i) const {
    if (boxes) return boxes[i];
    const vec3 a = corner(i, 0), b = corner(i, 1), c = corner(i, 2);
    return {min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
  }
};

BC_HD inline vec3 center_of(const Aabb& box) { return box.low * 0.5f + box.high * 0.5f; }

/// Maps floats to integers in the same order, so that atomics on integers can find the smallest and
/// the largest float. The integer 0 is below the values of all floats.
BC_HD inline u32 ordered_bits(float value) {
  const u32 bits = bits_of(value);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
BC_HD inline float float_of_ordered(u32 ordered) {
  return float_of(ordered >> 31 ? ordered & 0x7fffffffu : ~ordered);
}

/// The smallest box around points and boxes, as numbers that only grow: the ordered bits of the
/// coordinates. The bits of the low corner are inverted, so that they grow, too. The initial value
/// is all zeros.
struct OrderedBounds {
  u32 most[6] = {};  // of the low corner (inverted), then of the high corner

  OrderedBounds() = default;
  BC_HD explicit OrderedBounds(const Aabb& box)
      : most{~ordered_bits(box.low.x), ~ordered_bits(box.low.y), ~ordered_bits(box.low.z),
             ordered_bits(box.high.x), ordered_bits(box.high.y), ordered_bits(box.high.z)} {}

  BC_HD vec3 low() const {
    return {float_of_ordered(~most[0]), float_of_ordered(~most[1]), float_of_ordered(~most[2])};
  }
  BC_HD vec3 high() const {
    return {float_of_ordered(most[3]), float_of_ordered(most[4]), float_of_ordered(most[5])};
  }

  BC_HD void include(const OrderedBounds& other) {
    BC_UNROLL
    for (u32 k = 0; k < 6; ++k) most[k] = most[k] > other.most[k] ? most[k] : other.most[k];
  }
  /// As `include`, but other lanes may include boxes at the same time. Most values are not the
  /// largest, so most lanes only read.
  template <class Lane>
  BC_HD void include_shared(Lane& lane, const OrderedBounds& other) {
    BC_UNROLL
    for (u32 k = 0; k < 6; ++k)
      if (load_shared(&most[k]) < other.most[k]) lane.fetch_max(&most[k], other.most[k]);
  }
};

inline constexpr u32 kKeyBits = 48;

/// How points are converted to keys.
struct KeyGrid {
  vec3 low;     // the low corner of the box around all points
  vec3 extent;  // the size of this box
  // Bit b of `y` or `z` is 1 if bit b of a key belongs to this axis; all other bits belong to x
  u64 y, z;
};

/// The grid for a box around all points. If there are no points, the box does not matter.
BC_HD inline KeyGrid key_grid(vec3 low, vec3 high) {
  KeyGrid grid{low, high - low, 0, 0};
  vec3 cell = grid.extent;
  for (u32 bit = kKeyBits; bit-- > 0;) {
    if (cell.x >= cell.y && cell.x >= cell.z) {
      cell.x *= 0.5f;
    } else if (cell.y >= cell.z) {
      cell.y *= 0.5f;
      grid.y |= u64{1} << bit;
    } else {
      cell.z *= 0.5f;
      grid.z |= u64{1} << bit;
    }
  }
  return grid;
}

/// The position of `value` between `low` and `low + extent`, as a fraction of 2^32.
BC_HD inline u32 fraction_of(float value, float low, float extent) {
  if (!(extent > 0.0f)) return 0;
  constexpr float kBelowOne = 0x1.fffffep-1f;
  return static_cast<u32>(clamp_to((value - low) / extent, 0.0f, kBelowOne) * 0x1p32f);
}

/// The next 24 bits of a key. `of_y` and `of_z` state the axis to which each bit belongs. The bits
/// are taken from the top of the coordinates, which are shifted up.
BC_HD inline u32 half_key(u32 of_y, u32 of_z, u32& x, u32& y, u32& z) {
  u32 key = 0;
  BC_UNROLL
  for (u32 bit = kKeyBits / 2; bit-- > 0;) {
    if (of_y >> bit & 1u) {
      key = key << 1 | y >> 31;
      y <<= 1;
    } else if (of_z >> bit & 1u) {
      key = key << 1 | z >> 31;
      z <<= 1;
    } else {
      key = key << 1 | x >> 31;
      x <<= 1;
    }
  }
  return key;
}

/// The key of a point in the box of the grid.
BC_HD inline u64 key_of(const KeyGrid& grid, vec3 point) {
  u32 x = fraction_of(point.x, grid.low.x, grid.extent.x);
  u32 y = fraction_of(point.y, grid.low.y, grid.extent.y);
  u32 z = fraction_of(point.z, grid.low.z, grid.extent.z);
  constexpr u32 kHalf = kKeyBits / 2;
  constexpr u32 kMask = (1u << kHalf) - 1u;
  const u64 high =
      half_key(static_cast<u32>(grid.y >> kHalf), static_cast<u32>(grid.z >> kHalf), x, y, z);
  return high << kHalf |
         half_key(static_cast<u32>(grid.y) & kMask, static_cast<u32>(grid.z) & kMask, x, y, z);
}

/// The key of an element: first the path to its cell, then as many bits of the key of its centre as
/// fit.
BC_HD inline u64 key_of(const KeyGrid& grid, const TriangleView& view, u32 i) {
  const u64 key = key_of(grid, center_of(view.box(i)));
  if (!view.ways) return key;
  const u32 way = view.ways[i], steps = highest_bit(way);
  return u64{way ^ 1u << steps} << (kKeyBits - steps) | key >> steps;
}

/// The key of an element if several trees are built at once: the number of the tree is above the
/// bits of the element's key.
BC_HD inline u64 key_in_tree(u64 key, u32 tree) { return u64{tree} << kKeyBits | key; }

/// A level that is higher than every level between neighbours of a tree. It marks where the order
/// of a tree begins or ends.
inline constexpr u8 kTopLevel = 255;

/// The level at which the keys at places `i` and i + 1 of the sorted order differ; larger means a
/// larger difference. For equal keys, the places are compared. Within a tree, two levels are equal
/// only if there is a higher level between them.
BC_HD inline u8 level_between(u64 key, u64 next, u32 i) {
  const u64 keys = key ^ next;
  if (keys >> kKeyBits) return kTopLevel;
  return static_cast<u8>(keys ? 32u + highest_bit(keys) : highest_bit(i ^ (i + 1u)));
}

}  // namespace ballotcast::detail::ploc
