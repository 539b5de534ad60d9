// Joined clusters as a form of a tree; see bvh/arrange.hpp. Its elements are the slots.
#pragma once

#include "bvh/arrange.hpp"
#include "bvh/ploc/numbering.hpp"

namespace ballotcast::detail::ploc {

struct JoinedView {
  Joints joints;
  const u32* order;      // the triangle at each place
  const Before* before;  // per slot

  BC_HD bool has(u32 slot) const { return joints.slots[slot] != 0; }
  BC_HD u32 number(u32 slot) const {
    return number_of(slot, before[slot].inner, slot_of(joints.clusters[0]));
  }
  BC_HD Child root() const { return child(joints.clusters[0], 0); }
  BC_HD Child left(u32 slot) const { return child(joints.lefts[slot], before[slot].triangles); }
  BC_HD Child right(u32 slot) const { return child(joints.clusters[slot], right_triangles(slot)); }

  template <class Visit>
  BC_HD void for_each_triangle(u32 slot, Visit visit) const {
    if (slot == 0) return visit_leaf(joints.clusters[0], 0, visit);
    if (!has(slot)) return;
    visit_leaf(joints.lefts[slot], before[slot].triangles, visit);
    visit_leaf(joints.clusters[slot], right_triangles(slot), visit);
  }

 private:
  BC_HD Child child(const Cluster& c, u32 triangles) const {
    return {c.low, c.high, is_leaf(c) ? triangles_of(c) : 0u,
            is_leaf(c) ? triangles : number(slot_of(c))};
  }
  BC_HD u32 right_triangles(u32 slot) const {
    const Cluster& left = joints.lefts[slot];
    return before[slot].triangles + (is_leaf(left) ? triangles_of(left) : 0u);
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
