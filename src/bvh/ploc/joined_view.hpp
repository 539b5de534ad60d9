// Joined clusters as a form of a tree; see bvh/arrange.hpp. Its elements are the slots.
//
// It may also be several trees, one behind the other. Then numbers of nodes and places of leaves
// begin in each tree at its first slot:
//
//   slots      0 .. 3 | 4 .. 9 | 10 ..       nodes of the second tree: 4 .. 8, its root is 4
//   trees      0      | 1      | 2
#pragma once

#include "bvh/arrange.hpp"
#include "bvh/ploc/numbering.hpp"

namespace ballotcast::detail::ploc {

struct JoinedView {
  Joints joints;
  const u32* order;             // the triangle at each place
  const Before* before;         // per slot
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
  /// What is before a tree.
  BC_HD Before before_tree(u32 start) const { return firsts ? before[start] : Before{0, 0}; }
  /// The place in leaf order of the first triangle below a slot.
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
