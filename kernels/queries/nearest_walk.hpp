// Walks through a tree for what is near a point: the nearer child first.
#pragma once

#include "bvh/layouts/children.hpp"

namespace ballotcast::detail {

/// A walk to the leaves of a tree that visits the nearer child first. Boxes farther away than
/// distance.most() are skipped.
template <class Layout, class Squared>
class NearestWalk {
 public:
  /// A box that is still to be visited.
  struct Open {
    Squared squared;
    u32 reference;
  };
  /// The memory of a walk's stack. It is apart from the walk, because a compiler keeps an object
  /// with an array in memory, also the members that are not arrays.
  using Stack = Open[kDeepestLevel + 1];

  BC_HD explicit NearestWalk(Stack& stack) : open_(stack) {}

  /// The node or leaf where the walk is; kNowhere when the walk is done.
  u32 at = kNowhere;

  BC_HD void begin(u32 root) {
    at = root;
    count_ = 0;
  }

  /// Moves on from a node: to the nearer child that may be close enough, or to the next box on the
  /// stack.
  template <class Distance>
  BC_HD void step(const typename Layout::Node* nodes, const TreeShape& shape, Distance&& distance) {
    const ChildBoxes children = Layout::boxes(nodes, at, shape);
    const Squared a = distance.squared_to(children.box[0]),
                  b = distance.squared_to(children.box[1]), most = distance.most();
    const bool swapped = b < a;
    const Squared near = swapped ? b : a, far = swapped ? a : b;
    const u32 to_a = children.reference[0], to_b = children.reference[1];
    if (far <= most) open_[count_++] = {far, swapped ? to_a : to_b};
    if (near <= most)
      at = swapped ? to_b : to_a;
    else
      next(distance);
  }

  /// Moves on from a leaf, to the next box on the stack that may be close enough.
  template <class Distance>
  BC_HD void next(Distance&& distance) {
    const Squared most = distance.most();
    at = kNowhere;
    while (count_ > 0u && at == kNowhere)
      if (open_[--count_].squared <= most) at = open_[count_].reference;
  }

 private:
  Open* const open_;
  u32 count_ = 0;
};

/// Calls on_leaf(leaf) for the leaves of a tree that may be close enough. on_leaf may reduce the
/// search radius.
template <class Layout, class Distance, class OnLeaf>
BC_HD inline void walk_nearest(const typename Layout::Node* nodes, const TreeShape& shape,
                               Distance distance, OnLeaf on_leaf) {
  using Walk = NearestWalk<Layout, typename Distance::Squared>;
  typename Walk::Stack stack;
  Walk walk(stack);
  walk.begin(shape.root);
  for (;;) {
    while (is_node(walk.at)) walk.step(nodes, shape, distance);
    if (!is_somewhere(walk.at)) return;
    on_leaf(walk.at);
    walk.next(distance);
  }
}

}  // namespace ballotcast::detail
