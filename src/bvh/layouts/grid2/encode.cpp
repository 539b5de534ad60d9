
#include <cmath>

#include "bvh/layouts/grid2/layout.hpp"
#include "bvh/layouts/inner_nodes.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail::grid2 {

namespace {

constexpr double kCodes = 65536.0;

/// One axis of the grid. Code c stands for the world coordinate (1 + c / 65536) * scale + offset.
struct Axis {
  float scale, offset;

  /// Covers [low, high] with a margin, so that every coordinate in it has a code in spite of
  /// rounding. `least` is the smallest extent that an axis may have. `pad` is larger than the
  /// rounding error of `offset`.
  Axis(double low, double high, double least, double magnitude) {
    const double pad = magnitude * 0x1p-22;
    scale = static_cast<float>((std::fmax(high - low, least) + 2.0 * pad) / 0.9998);
    offset = static_cast<float>(low - pad - 1.0001 * scale);
  }

  double place(float world) const { return ((double{world} - offset) / scale - 1.0) * kCodes; }
  u32 low_code(float world) const { return checked(std::floor(place(world))); }
  u32 high_code(float world) const { return checked(std::ceil(place(world))); }
  float world(u32 code) const { return static_cast<float>((1.0 + code / kCodes) * scale + offset); }

  static u32 checked(double code) {
    if (!(code >= 0.0 && code < kCodes)) throw InputError("grid2: a box leaves the grid");
    return static_cast<u32>(code);
  }
};

struct Grid {
  Axis x, y, z;

  Grid(const Aabb& box, double magnitude, double least)
      : x(box.low.x, box.high.x, least, magnitude),
        y(box.low.y, box.high.y, least, magnitude),
        z(box.low.z, box.high.z, least, magnitude) {}

  static Grid around(const Aabb& box, float magnitude) {
    const vec3 e = box.extent();
    const double largest = max_of(e.x, max_of(e.y, e.z));
    return {box, magnitude, std::fmax(1e-6 * largest, 1e-30)};
  }

  Child child(const Aabb& box, u32 reference) const {
    const auto codes = [](const Axis& axis, float low, float high) {
      return axis.low_code(low) | axis.high_code(high) << 16;
    };
    return {codes(x, box.low.x, box.high.x), codes(y, box.low.y, box.high.y),
            codes(z, box.low.z, box.high.z), reference};
  }

  Aabb rounded(const Aabb& box) const {
    return {{x.world(x.low_code(box.low.x)), y.world(y.low_code(box.low.y)),
             z.world(z.low_code(box.low.z))},
            {x.world(x.high_code(box.high.x)), y.world(y.high_code(box.high.y)),
             z.world(z.high_code(box.high.z))}};
  }
};

}  // namespace

EncodedNodes Layout::encode(const BinaryTree& tree, float magnitude) {
  if (tree.nodes.empty())
    return encoded_nodes(std::vector<Node>{}, {vec3(1.0f), vec3(0.0f), kNowhere, 0});
  const Grid grid = Grid::around(tree.nodes[0].box, magnitude);
  const InnerNodes inner(tree);
  std::vector<Node> nodes(inner.count());
  for_each_index(static_cast<u32>(tree.nodes.size()), [&](u32 i) {
    const Node2& n = tree.nodes[i];
    if (n.is_leaf()) return;
    for (u32 side = 0; side < 2; ++side)
      nodes[inner.index(i)].child[side] =
          grid.child(tree.nodes[n.first + side].box, inner.reference(n.first + side));
  });
  return encoded_nodes(nodes, {{grid.x.scale, grid.y.scale, grid.z.scale},
                               {grid.x.offset, grid.y.offset, grid.z.offset},
                               inner.reference(0),
                               depth_of(tree)});
}

namespace {

/// Half the surface area; in double precision, so that it does not vanish for tiny boxes.
double half_area_of(const Aabb& box) {
  const dvec3 e = dvec3(box.high) - dvec3(box.low);
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

}  // namespace

double coarseness(const BinaryTree& tree, float magnitude) {
  if (tree.nodes.empty()) return 1.0;
  const Grid grid = Grid::around(tree.nodes[0].box, magnitude);
  struct Sums {
    double exact = 0.0, rounded = 0.0;
  };
  // The sums must be the same for any number of threads, because the choice of layout depends on
  // them.
  const Sums sums = reduce_ranges<std::size_t>(
      0, tree.nodes.size(), 16384, Sums{},
      [&](std::size_t begin, std::size_t end, Sums s) {
        for (std::size_t i = begin; i < end; ++i) {
          const Node2& node = tree.nodes[i];
          const double weight = node.is_leaf() ? node.count : 1.0;
          s.exact += weight * half_area_of(node.box);
          s.rounded += weight * half_area_of(grid.rounded(node.box));
        }
        return s;
      },
      [](const Sums& a, const Sums& b) {
        return Sums{a.exact + b.exact, a.rounded + b.rounded};
      });
  return sums.exact > 0.0 ? sums.rounded / sums.exact : 1.0;
}

}  // namespace ballotcast::detail::grid2
