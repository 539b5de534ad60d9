// Stores a tree that is known in some other form as a BinaryTree. Host and device share this code.
//
// Forms of trees are views that offer, for i below the number of their elements:
//   has(i)             true if element i is a pair of children
//   number(i)          the number of their parent; see BinaryTree
//   left(i), right(i)  the children
//   root()             the root, as a Child
//   for_each_triangle(i, visit)
//                      calls visit(place in leaf order, triangle) for the triangles of those
//                      children that are leaves; element 0 includes the root if that is a leaf
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

/// A node of a tree, as its parent knows it.
struct Child {
  vec3 low, high;
  u32 count;  // of triangles; 0: an inner node
  u32 first;  // a leaf: the place of its first triangle in leaf order; an inner node: its number
};

/// Stores nodes of a BinaryTree. Once per element of the view.
struct StoreTree {
  template <class View>
  BC_HD static void item(u32 i, View view, Node2* nodes) {
    for_each_node(i, view, [nodes](u32 place, const Child& node) { store(node, nodes + place); });
  }

  /// Calls visit(place in BinaryTree::nodes, node) for the nodes of an element of the view.
  template <class View, class Visit>
  BC_HD static void for_each_node(u32 i, const View& view, Visit visit) {
    if (i == 0) visit(0u, view.root());
    if (!view.has(i)) return;
    const u32 first = 2u * view.number(i) + 1u;
    visit(first, view.left(i));
    visit(first + 1u, view.right(i));
  }

  BC_HD static void store(const Child& child, Node2* node) {
    node->box.low = child.low;
    node->box.high = child.high;
    node->first = child.count > 0 ? child.first : 2u * child.first + 1u;
    node->count = child.count;
  }
};

/// Stores `count` nodes of a BinaryTree, from node `first` on. Once per element of the view.
struct StorePartOfTree {
  template <class View>
  BC_HD static void item(u32 i, View view, u32 first, u32 count, Node2* nodes) {
    StoreTree::for_each_node(i, view, [=](u32 place, const Child& node) {
      if (place - first < count) StoreTree::store(node, nodes + (place - first));
    });
  }
};

/// Stores BinaryTree::order. Once per element of the view.
struct StoreOrder {
  template <class View>
  BC_HD static void item(u32 i, View view, u32* order) {
    view.for_each_triangle(i, [order](u32 place, u32 triangle) { order[place] = triangle; });
  }
};

}  // namespace ballotcast::detail
