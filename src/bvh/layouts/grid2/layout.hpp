// Layout grid2 as a type that is a template argument of kernels, and the grid on which it stores
// boxes: 65536 codes per axis.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/children.hpp"
#include "bvh/layouts/grid2/node.hpp"
#include "bvh/layouts/grid2/walk.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail::grid2 {

inline constexpr double kCodes = 65536.0;

/// One axis of the grid. Code c stands for the world coordinate (1 + c / 65536) * scale + offset.
struct alignas(16) Axis {
  float scale, offset;
  double per_scale;  // 1 / scale

  /// An axis that covers [low, high] with a margin, so that every coordinate in this range has a
  /// code in spite of rounding. `least` is the smallest extent that an axis may have. `pad` is
  /// larger than the rounding error of `offset`.
  BC_HD Axis(double low, double high, double least, double magnitude) {
    const double pad = magnitude * 0x1p-22;
    const double extent = high - low > least ? high - low : least;
    scale = static_cast<float>((extent + 2.0 * pad) / 0.9998);
    offset = static_cast<float>(low - pad - 1.0001 * scale);
    per_scale = 1.0 / scale;
  }

  BC_HD double place(float world) const {
    return ((double{world} - offset) * per_scale - 1.0) * kCodes;
  }
  BC_HD u32 low_code(float world) const { return static_cast<u32>(floor(place(world))); }
  BC_HD u32 high_code(float world) const { return static_cast<u32>(ceil(place(world))); }
  BC_HD float world(u32 code) const {
    return static_cast<float>((1.0 + code / kCodes) * scale + offset);
  }
  /// True if all coordinates in [low, high] have codes.
  bool covers(float low, float high) const {
    return place(low) >= 0.0 && place(high) <= kCodes - 1.0;
  }
};

struct Grid {
  Axis x, y, z;

  /// The grid of a tree whose root has this box. The absolute values of all coordinates are at most
  /// `magnitude`.
  BC_HD static Grid around(vec3 low, vec3 high, float magnitude) {
    const vec3 e = high - low;
    const double least = 1e-6 * max_of(e.x, max_of(e.y, e.z));
    return {low, high, magnitude, least > 1e-30 ? least : 1e-30};
  }

  BC_HD Child child(const EncodedChild& c) const {
    return {codes(x, c.low.x, c.high.x), codes(y, c.low.y, c.high.y), codes(z, c.low.z, c.high.z),
            c.reference};
  }

  bool covers(vec3 low, vec3 high) const {
    return x.covers(low.x, high.x) && y.covers(low.y, high.y) && z.covers(low.z, high.z);
  }

 private:
  BC_HD Grid(vec3 low, vec3 high, double magnitude, double least)
      : x(low.x, high.x, least, magnitude),
        y(low.y, high.y, least, magnitude),
        z(low.z, high.z, least, magnitude) {}

  BC_HD static u32 codes(const Axis& axis, float low, float high) {
    return axis.low_code(low) | axis.high_code(high) << 16;
  }
};

/// Stores nodes of this layout.
struct Encoder {
  Grid grid;

  BC_HD static Encoder around(vec3 low, vec3 high, float magnitude) {
    return {Grid::around(low, high, magnitude)};
  }
  BC_HD void store(Node* nodes, u32 number, const EncodedChild& a, const EncodedChild& b) const {
    store_child(nodes, number, 0, a);
    store_child(nodes, number, 1, b);
  }
  BC_HD void store_child(Node* nodes, u32 number, u32 side, const EncodedChild& child) const {
    nodes[number].child[side] = grid.child(child);
  }
  /// Does nothing, because nodes of this layout have no parent links.
  BC_HD static void link(Node*, u32, u32) {}

  BC_HD TreeShape shape(u32 root, u32 depth) const {
    return {{grid.x.scale, grid.y.scale, grid.z.scale},
            {grid.x.offset, grid.y.offset, grid.z.offset},
            root,
            depth};
  }
};

struct Layout : Walking {
  static constexpr LayoutInfo info{"grid2",
                                   "32-byte nodes with boxes on a 16-bit grid; the fastest"};
  using Encoder = grid2::Encoder;
  static constexpr bool kRootIsNode = false;  // the root may be a leaf

  static EncodedNodes encode(const BinaryTree& tree, float magnitude);
};

/// The expected cost of a traversal with the rounded boxes of grid2 (surface area heuristic),
/// divided by the cost with the boxes of the binary tree. At least 1.
double coarseness(const BinaryTree& tree, float magnitude);

}  // namespace ballotcast::detail::grid2
