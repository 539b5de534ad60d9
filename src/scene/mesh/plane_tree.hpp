// A tree of bounding boxes in a plane, over the corners or the edges of a polygon. It finds those
// corners or edges that are near a triangle or an edge.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

struct PolygonPoint {
  double x, y;
  bool operator==(const PolygonPoint&) const = default;
};

/// Twice the signed area of a triangle; positive if a, b, c are counter-clockwise.
inline double turn(PolygonPoint a, PolygonPoint b, PolygonPoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

struct PlaneBox {
  PolygonPoint low, high;

  void include(const PlaneBox& other) {
    low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y)};
    high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y)};
  }
  bool meets(const PlaneBox& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
           other.low.y <= high.y;
  }
};

inline PlaneBox box_of(PolygonPoint a, PolygonPoint b) {
  PlaneBox box{a, a};
  box.include({b, b});
  return box;
}

/// A set of items with boxes, from which items can be removed. The tree is binary and balanced:
/// node i has the children 2i + 1 and 2i + 2. An inner node divides its items into two halves along
/// the longer side of its box.
class PlaneTree {
 public:
  explicit PlaneTree(std::vector<PlaneBox> boxes) : boxes_(std::move(boxes)) {
    order_.resize(boxes_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    leaf_of_.resize(boxes_.size());
    std::size_t leaves = 1;
    while (leaves * kLeaf < boxes_.size()) leaves *= 2;
    nodes_.resize(2 * leaves - 1);
    build(0, 0, static_cast<u32>(boxes_.size()));
  }

  /// Removes an item.
  void remove(u32 item) {
    for (u32 node = leaf_of_[item];; node = (node - 1) / 2) {
      --nodes_[node].count;
      if (node == 0) return;
    }
  }

  /// Calls visit(item) for items until visit returns true. Returns true if visit did so. All items
  /// whose boxes intersect the counter-clockwise triangle (a, b, c), or the line from a to b if b =
  /// c, are visited. Other items nearby may be visited, too, and also removed items, as long as
  /// other items of their leaf remain. Adds the number of visited nodes and items to `steps`.
  template <class Visit>
  bool any(PolygonPoint a, PolygonPoint b, PolygonPoint c, u64& steps, Visit visit) const {
    PlaneBox around = box_of(a, b);
    around.include({c, c});
    u32 open[64], count = 1;
    open[0] = 0;
    while (count > 0) {
      const u32 index = open[--count];
      const Node& node = nodes_[index];
      ++steps;
      if (node.count == 0 || !node.box.meets(around) || beyond(node.box, a, b) ||
          beyond(node.box, b, c) || beyond(node.box, c, a))
        continue;
      if (2 * std::size_t{index} + 1 < nodes_.size()) {
        open[count++] = 2 * index + 1;
        open[count++] = 2 * index + 2;
        continue;
      }
      for (u32 i = node.first; i < node.last; ++i)
        if (++steps; boxes_[order_[i]].meets(around) && visit(order_[i])) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kLeaf = 8;

  struct Node {
    PlaneBox box{};
    u32 first = 0, last = 0;  // range in order_
    u32 count = 0;            // number of items not removed
  };

  /// True if all of `box` lies to the right of the line from a to b. Only the corner that is
  /// farthest to the left is tested. Rounding in `turn` is monotonic, so no other point of the box
  /// can give the opposite result.
  static bool beyond(const PlaneBox& box, PolygonPoint a, PolygonPoint b) {
    return turn(a, b, {b.y > a.y ? box.low.x : box.high.x, b.x > a.x ? box.high.y : box.low.y}) <
           0.0;
  }

  void build(u32 index, u32 first, u32 last) {
    Node& node = nodes_[index];
    node.first = first;
    node.last = last;
    node.count = last - first;
    if (node.count == 0) return;
    node.box = boxes_[order_[first]];
    for (u32 i = first; i < last; ++i) node.box.include(boxes_[order_[i]]);
    if (2 * std::size_t{index} + 1 >= nodes_.size()) {
      for (u32 i = first; i < last; ++i) leaf_of_[order_[i]] = index;
      return;
    }
    const bool by_x = node.box.high.x - node.box.low.x > node.box.high.y - node.box.low.y;
    const u32 middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](u32 i, u32 j) {
                       const PlaneBox &p = boxes_[i], &q = boxes_[j];
                       const double a = by_x ? p.low.x + p.high.x : p.low.y + p.high.y;
                       const double b = by_x ? q.low.x + q.high.x : q.low.y + q.high.y;
                       return a < b || (a == b && i < j);
                     });
    build(2 * index + 1, first, middle);
    build(2 * index + 2, middle, last);
  }

  std::vector<PlaneBox> boxes_;
  std::vector<u32> order_;
  std::vector<u32> leaf_of_;
  std::vector<Node> nodes_;
};

}  // namespace ballotcast::detail
