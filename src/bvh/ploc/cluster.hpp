// Clusters: subtrees that are still to be joined, and how two of them are joined. Host and device
// share this code, so they make the same trees.
//
// A place is a position in the sorted order of triangles. The head of a cluster is its first place,
// and the cluster is stored there. When two clusters are joined, the left one has the smaller head:
//
//   place      2          5                            2            5
//   clusters   [ left ]   [ right ]      becomes       [ both ]     [ right ]
//   lefts                                                           [ left ]
//
// So nothing is overwritten, and the children of the new inner node are found at the head of its
// right child. This place is the slot of the inner node. Every place except the first of a tree is
// the head of a right child at most once. So each inner node has its own slot, for any order of
// joining.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/children.hpp"

namespace ballotcast::detail::ploc {

/// A subtree. There are two kinds:
///
///                     mark                       link
///   leaf              head                       leaf_reference(last place, triangles)
///   inner node        head | height << 28        its slot | height >> 4 << 28
///
/// The triangles of a leaf are a chain of places from the head to the last place. The height is the
/// number of inner nodes on the longest path down to a leaf, at most 127.
struct alignas(16) Cluster {
  vec3 low;
  u32 mark;
  vec3 high;
  u32 link;  // kNowhere: there is no cluster
};
static_assert(sizeof(Cluster) == 32);

inline constexpr u32 kPlaceBits = 28;
inline constexpr u32 kPlaceMask = (1u << kPlaceBits) - 1u;
static_assert(kMostAtOnce <= u64{kPlaceMask} + 1);
static_assert(leaf_reference(static_cast<u32>(kMostAtOnce) - 1u, kLargestLeaf) != kNowhere,
              "the link of a leaf holds its last place");
inline constexpr u32 kGreatestHeight = 127;

BC_HD inline bool exists(const Cluster& c) { return c.link != kNowhere; }
BC_HD inline bool is_leaf(const Cluster& c) { return detail::is_leaf(c.link); }
BC_HD inline u32 head_of(const Cluster& c) { return c.mark & kPlaceMask; }
BC_HD inline u32 last_of(const Cluster& leaf) { return leaf_first(leaf.link); }
BC_HD inline u32 triangles_of(const Cluster& leaf) { return leaf_count(leaf.link); }
BC_HD inline u32 slot_of(const Cluster& inner) { return inner.link & kPlaceMask; }
BC_HD inline u32 height_of(const Cluster& c) {
  return is_leaf(c) ? 0u : c.mark >> kPlaceBits | c.link >> kPlaceBits << 4;
}

/// The leaf of one triangle, whose box is [low, high].
BC_HD inline Cluster leaf_of(u32 place, vec3 low, vec3 high) {
  return {low, place, high, leaf_reference(place, 1)};
}

/// The search radius: a cluster looks for a partner among this many neighbours on each side in the
/// list. With a larger radius, better pairs are found, but builds take longer.
inline constexpr u32 kRadius = 8;

/// The clusters of a list are joined until this many are left, or one at the root. A warp holds two
/// such lists, one cluster per lane.
inline constexpr u32 kKept = 16;
inline constexpr u32 kLongestList = 2 * kKept;

/// The rank of no pair: larger than the ranks of all pairs.
inline constexpr u32 kNoPair = 0x7fffffffu;

/// The rank of a pair of clusters at positions `i` and `i + distance` of a list. A smaller rank is
/// better. `area` is half the area of the box around both clusters; `odd` is 1 if i / distance is
/// odd.
///
///   bit    31   30 .. 4           3 .. 1         0
///          0    bits of `area`    distance - 1   odd
///
/// The lower bits make the ranks of all pairs that share a cluster different. So there are always
/// two clusters for which each is the best partner of the other. Among equal areas, pairs that
/// start at an even multiple of the distance come first; so a row of equal triangles becomes a
/// balanced tree.
BC_HD inline u32 rank_of_pair(float area, u32 distance, u32 odd) {
  return (bits_of(area) & ~15u) | (distance - 1u) << 1 | odd;
}
BC_HD inline u32 distance_of_rank(u32 rank) { return (rank >> 1 & 7u) + 1u; }
BC_HD inline u32 odd_of_rank(u32 rank) { return rank & 1u; }
static_assert(kRadius == 8);

/// Half the surface area of the box around two clusters.
BC_HD inline float joined_area(const Cluster& a, const Cluster& b) {
  return half_area_of(
      {either_min(a.low.x, b.low.x), either_min(a.low.y, b.low.y), either_min(a.low.z, b.low.z)},
      {either_max(a.high.x, b.high.x), either_max(a.high.y, b.high.y),
       either_max(a.high.z, b.high.z)});
}

/// The arrays that joining writes. Each has one element per place.
struct Joints {
  Cluster* clusters;
  Cluster* lefts;
  u32* next;  // the next place in the chain of a leaf
  u8* slots;  // an element per slot; 0 at the slot where a tree begins
  // The triangle at each place; null if no triangle is at several places
  const u32* triangles = nullptr;
};

/// True if two leaves have fragments of the same triangle.
BC_HD inline bool share_triangle(const Cluster& a, const Cluster& b, const Joints& joints) {
  for (u32 at = head_of(a);; at = joints.next[at]) {
    for (u32 other = head_of(b);; other = joints.next[other]) {
      if (joints.triangles[at] == joints.triangles[other]) return true;
      if (other == last_of(b)) break;
    }
    if (at == last_of(a)) return false;
  }
}

/// An element of Joints::slots is 0 if no inner node has this slot. Otherwise it is kInner plus the
/// number of triangles in those children that are leaves.
inline constexpr u8 kInner = 0x80;

/// Joins two neighbours of a list. Two leaves become one leaf if this does not increase the
/// expected cost of traversal (surface area heuristic, where a node and a triangle cost the same),
/// unless the leaf would contain a triangle twice. Otherwise they become an inner node. The result
/// is stored at its head. `right` must already be stored at its head.
BC_HD inline Cluster joined(const Cluster& left, const Cluster& right, const Joints& joints) {
  Cluster both;
  both.low = min_of(left.low, right.low);
  both.high = max_of(left.high, right.high);
  const u32 head = head_of(left), slot = head_of(right);
  if (is_leaf(left) && is_leaf(right)) {
    const u32 a = triangles_of(left), b = triangles_of(right);
    const float split = half_area_of(left.low, left.high) * static_cast<float>(a) +
                        half_area_of(right.low, right.high) * static_cast<float>(b);
    const float whole = half_area_of(both.low, both.high) * static_cast<float>(a + b - 1u);
    if (a + b <= kLargestLeaf && whole <= split &&
        !(joints.triangles && share_triangle(left, right, joints))) {
      joints.next[last_of(left)] = slot;
      joints.slots[slot] = 0;
      both.mark = head;
      both.link = leaf_reference(last_of(right), a + b);
      joints.clusters[head] = both;
      return both;
    }
  }
  const u32 below = height_of(left) > height_of(right) ? height_of(left) : height_of(right);
  const u32 height = below < kGreatestHeight ? below + 1u : kGreatestHeight;
  both.mark = head | (height & 15u) << kPlaceBits;
  both.link = slot | height >> 4 << kPlaceBits;
  joints.lefts[slot] = left;
  joints.clusters[head] = both;
  joints.slots[slot] = static_cast<u8>(kInner + (is_leaf(left) ? triangles_of(left) : 0u) +
                                       (is_leaf(right) ? triangles_of(right) : 0u));
  return both;
}

// The numbers of the inner nodes and the positions of the leaves of joined clusters in a
// BinaryTree.
//
// Inner nodes are in the order of their slots, except that the root comes first. So a node is
// usually near its children in memory, and one prefix sum over all slots numbers the nodes without
// a traversal of the tree. Leaves are in the order of their parents.

/// The prefix sum over all slots before a given slot.
struct Before {
  u32 inner;      // number of inner nodes
  u32 triangles;  // number of triangles in leaves

  BC_HD Before operator+(const Before& other) const {
    return {inner + other.inner, triangles + other.triangles};
  }
};

/// The contribution of an element of Joints::slots to the prefix sum.
BC_HD inline Before counted(u8 slot) { return {slot >> 7 & 1u, slot & 0x7fu}; }

/// The number of an inner node: see BinaryTree. `inner` is Before::inner of its slot.
BC_HD inline u32 number_of(u32 slot, u32 inner, u32 root_slot) {
  return slot == root_slot ? 0u : inner + (slot < root_slot ? 1u : 0u);
}

/// The view of joined clusters; see bvh/binary_tree.hpp. The elements of the view are the slots.
///
/// The view may also contain several trees, one after the other. In each tree, the numbers of nodes
/// and the positions of leaves begin at its first slot:
///
///   slots      0 .. 3 | 4 .. 9 | 10 ..       nodes of the second tree: 4 .. 8, its root is 4
///   trees      0      | 1      | 2
struct JoinedView {
  Joints joints;
  const u32* order;             // the triangle at each place
  const Before* before;         // prefix sum per slot
  const u32* firsts = nullptr;  // the first slot of each slot's tree; null: there is one tree

  BC_HD bool has(u32 slot) const { return joints.slots[slot] != 0; }
  BC_HD u32 first(u32 slot) const { return firsts ? firsts[slot] : 0u; }
  BC_HD u32 number(u32 slot) const {
    const u32 start = first(slot);
    return start + number_of(slot, before[slot].inner - before_tree(start).inner,
                             slot_of(joints.clusters[start]));
  }
  /// The root of the tree whose first slot is `start`.
  BC_HD Child root(u32 start = 0) const { return child(joints.clusters[start], start); }
  BC_HD Child left(u32 slot) const { return child(joints.lefts[slot], triangles_before(slot)); }
  BC_HD Child right(u32 slot) const { return child(joints.clusters[slot], right_triangles(slot)); }

  template <class Visit>
  BC_HD void for_each_triangle(u32 slot, Visit visit) const {
    if (slot == first(slot)) return visit_leaf(joints.clusters[slot], slot, visit);
    if (!has(slot)) return;
    visit_leaf(joints.lefts[slot], triangles_before(slot), visit);
    visit_leaf(joints.clusters[slot], right_triangles(slot), visit);
  }

 private:
  /// The elements before the tree whose first slot is `start`; see Before.
  BC_HD Before before_tree(u32 start) const { return firsts ? before[start] : Before{0, 0}; }
  /// The position in leaf order of the first triangle below a slot.
  BC_HD u32 triangles_before(u32 slot) const {
    const u32 start = first(slot);
    return start + before[slot].triangles - before_tree(start).triangles;
  }
  BC_HD Child child(const Cluster& c, u32 triangles) const {
    return {c.low, c.high, is_leaf(c) ? triangles_of(c) : 0u,
            is_leaf(c) ? triangles : number(slot_of(c))};
  }
  BC_HD u32 right_triangles(u32 slot) const {
    const Cluster& left = joints.lefts[slot];
    return triangles_before(slot) + (is_leaf(left) ? triangles_of(left) : 0u);
  }
  template <class Visit>
  BC_HD void visit_leaf(const Cluster& leaf, u32 to, Visit visit) const {
    if (!is_leaf(leaf)) return;
    u32 place = head_of(leaf);
    for (u32 k = 0; k < triangles_of(leaf); ++k) {
      if (k > 0) place = joints.next[place];
      visit(to + k, order[place]);
    }
  }
};

}  // namespace ballotcast::detail::ploc
