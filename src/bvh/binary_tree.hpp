// The tree that builders make and layouts encode: a binary tree with one box per node. The
// intermediate trees of builders are converted to this form. Host and device share this code.
#pragma once

#include <vector>

#include "bvh/layouts/children.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// One node. An inner node has count == 0, and its children are nodes[first] and nodes[first + 1].
/// A leaf has count > 0, and its triangles are order[first .. first + count).
struct Node2 {
  Aabb box;
  u32 first = 0;
  u32 count = 0;

  bool is_leaf() const { return count > 0; }
  /// The number of an inner node, as defined at BinaryTree.
  u32 number() const { return first / 2; }
};

/// The reference to a node of a BinaryTree, in the form in which layouts with two children per node
/// store it.
BC_HD inline u32 reference_to(const Node2& node, LeafForm form) {
  return node.count > 0 ? leaf_reference(node.first, node.count, form) : node.first / 2u;
}

/// A bounding volume hierarchy over the triangles of a mesh. nodes[0] is the root; the other nodes
/// are stored in pairs of siblings. Inner nodes are numbered by the positions of their children:
/// number k has the children nodes[2 k + 1] and nodes[2 k + 2]. If the root is an inner node, its
/// number is 0.
///
///   nodes   [ root | children of 0 | children of 1 | children of 2 | ... ]
///
/// A mesh without triangles has no nodes. A triangle may be in several leaves; then each of its
/// points lies in the box of at least one of these leaves.
struct BinaryTree {
  std::vector<Node2> nodes;
  std::vector<u32> order;  // triangle ids in leaf order
  u32 depth = 0;           // number of inner nodes on the longest path from the root to a leaf
  LeafForm leaves;

  u32 inner_nodes() const { return static_cast<u32>(nodes.size() / 2); }
};

static_assert(kMostTriangles == (u64{1} << (31 - kSmallLeaves.count_bits)) - 1,
              "the most places of a tree with small leaves");

// Builders store intermediate trees in different forms. Each form has a view with these members,
// where i is below the number of elements of the view:
//   has(i)             true if element i is a pair of children
//   number(i)          the number of their parent; see BinaryTree
//   left(i), right(i)  the children
//   root()             the root, as a Child
//   for_each_triangle(i, visit)
//                      calls visit(position in leaf order, triangle) for the triangles of those
//                      children that are leaves; element 0 includes the root if it is a leaf

/// A node of a tree, with the data that its parent stores about it.
struct Child {
  vec3 low, high;
  u32 count;  // number of triangles of a leaf; 0: an inner node
  // Of a leaf: the position of its first triangle in leaf order; of an inner node: its number
  u32 first;
};

/// Converts a tree to the nodes of a BinaryTree. Runs once per element of the view.
struct StoreTree {
  template <class View>
  BC_HD static void item(u32 i, View view, Node2* nodes) {
    for_each_node(i, view, [nodes](u32 place, const Child& node) { store(node, nodes + place); });
  }

  /// Calls visit(index in BinaryTree::nodes, node) for the nodes of an element of the view.
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

/// Converts a tree to `count` nodes of a BinaryTree, from node `first` on. Runs once per element of
/// the view.
struct StoreSliceOfTree {
  template <class View>
  BC_HD static void item(u32 i, View view, u32 first, u32 count, Node2* nodes) {
    StoreTree::for_each_node(i, view, [=](u32 place, const Child& node) {
      if (place - first < count) StoreTree::store(node, nodes + (place - first));
    });
  }
};

/// Stores BinaryTree::order. Runs once per element of the view.
struct StoreOrder {
  template <class View>
  BC_HD static void item(u32 i, View view, u32* order) {
    view.for_each_triangle(i, [order](u32 place, u32 triangle) { order[place] = triangle; });
  }
};

}  // namespace ballotcast::detail
