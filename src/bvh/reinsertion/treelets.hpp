// Treelets: small subtrees that are rebuilt from the top down. This finds improvements that need
// several moves at once, which moves of single subtrees (moves.hpp) miss. (T. Karras, T. Aila, Fast
// Parallel Construction of High-Quality Bounding Volume Hierarchies, 2013, rebuild treelets of 7
// leaves.) Host and device share this code.
//
// Boxes become smaller from a parent to its children. All nodes are divided into classes by the
// areas of their boxes. Connected nodes of the same class are a treelet:
//
//            o            class 7
//          /   \ .
//   ------o-----o------------------    kClassWidth = 40: an area 32 times as large
//        / \   / \ .
//       o   o o   o       class 6: two treelets
//
// Collecting the leaves of a treelet begins with the children of its root. The largest node is
// replaced by its children, again and again, until there are kTreeletLeaves subtrees or no more
// node of the class. So treelets never overlap, and can be rebuilt at the same time. Shifting the
// classes makes other treelets.
#pragma once

#include "bvh/reinsertion/loose_tree.hpp"

namespace ballotcast::detail::reinsertion {

inline constexpr u32 kTreeletLeaves = 32;
inline constexpr u32 kFewestTreeletLeaves = 3;

/// The width of a class of areas: 40 steps of about 2^(1/8), a factor of 32 in all. Wider classes
/// make larger treelets, of which fewer fit into kTreeletLeaves leaves.
inline constexpr u32 kClassWidth = 40;

/// The shift of the classes in a round. Eight successive rounds have different shifts.
BC_HD inline u32 class_shift(u32 round) { return round * 25u % kClassWidth; }

BC_HD inline u32 class_of(float half_area, u32 shift) {
  return ((bits_of(half_area) >> 20) + shift) / kClassWidth;
}

/// True if a treelet begins at the parent of a pair. A treelet is identified by its first pair and
/// not by its root, because the treelet above may move the root.
BC_HD inline bool begins_treelet(const LooseTree& tree, u32 pair, u32 shift) {
  const u32 root = tree.above[pair];
  return root == 0 || class_of(half_area_of(tree.nodes[root].box), shift) !=
                          class_of(half_area_of(tree.nodes[parent_of(tree, root)].box), shift);
}

/// Finds all treelets, before any of them is rebuilt. Runs once per pair.
struct FindTreelets {
  BC_HD static void item(u32 pair, LooseTree tree, u32 shift, u8* begins) {
    begins[pair] = begins_treelet(tree, pair, shift);
  }
};

/// Areas as integers, whose sums do not depend on the order: 2^26 is the area of the root. If the
/// area of the root is very small or very large, there are no scores, and the treelet is not
/// changed.
struct Scores {
  float scale;

  BC_HD explicit Scores(float root)
      : scale(root > 1e-30f && root < 1e30f ? 0x1p26f / root : 0.0f) {}
  BC_HD bool valid() const { return scale > 0.0f; }
  BC_HD u32 of(float half_area) const { return static_cast<u32>(half_area * scale); }
};

/// True if a treelet should be replaced, that is, if the new treelet is better by more than
/// rounding errors.
BC_HD inline bool is_better(u32 score, u32 old) { return score + (old >> 13) < old; }

/// The expected cost of a split into two boxes (surface area heuristic).
BC_HD inline float split_cost(float left, u32 left_count, float right, u32 right_count) {
  return left * static_cast<float>(left_count) + right * static_cast<float>(right_count);
}

/// A sort key of splits, the best split first. Among equal costs the lower axis comes first, then
/// the lower pivot, which is the last subtree on the left side.
BC_HD inline u64 split_key(float cost, u32 axis, u32 pivot) {
  return u64{bits_of(cost)} << 32 | axis << 8 | pivot;
}

/// The coordinate by which subtrees are ordered along an axis: twice the centre of the box. Among
/// equal coordinates, the lower index comes first.
BC_HD inline float sort_coordinate(const Aabb& box, u32 axis) {
  return axis == 0   ? box.low.x + box.high.x
         : axis == 1 ? box.low.y + box.high.y
                     : box.low.z + box.high.z;
}
BC_HD inline bool comes_first(float a, u32 index_a, float b, u32 index_b) {
  return a < b || (!(b < a) && index_a <= index_b);
}

/// Rebuilds the treelets that FindTreelets has found for a shift of the classes. Afterwards the
/// boxes of inner nodes must be computed again. Runs on all threads of the host; on devices,
/// kernels/build/rebuild_treelets.hpp does the same.
void rebuild_treelets_on_host(const LooseTree& tree, u32 shift, const u8* begins);

}  // namespace ballotcast::detail::reinsertion
