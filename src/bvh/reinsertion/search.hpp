// Where a subtree is inserted best.
#pragma once

#include "bvh/reinsertion/loose_tree.hpp"

namespace ballotcast::detail::reinsertion {

/// Where a subtree should go, and by how much the sum of all box areas becomes smaller. If nothing
/// helps, `to` is 0.
struct Place {
  u32 to;
  float gain;
};

/// A move must save at least this part of the box of the parent. Less is lost in rounding.
inline constexpr float kLeastGain = 0x1p-13f;

/// The most pairs of siblings that a search looks at. Without a limit it would look at most of the
/// tree where many large boxes overlap.
inline constexpr u32 kMostLooks = 64;

/// The most subtrees that wait to be searched. If there are more, the worst is left out.
inline constexpr u32 kMostOpen = 24;

/// Finds the place for a subtree, by branch and bound. The search starts at its sibling, and goes
/// on in the subtrees beside the path to the root (D. Meister, J. Bittner, Parallel Reinsertion for
/// Bounding Volume Hierarchy Optimization, 2018).
class Search {
 public:
  BC_HD Search(const LooseTree& tree, u32 from)
      : tree_(tree), from_(tree.nodes[from].box), own_(half_area_of(from_)) {
    const u32 beside = sibling(from), parent = parent_of(tree, from);
    Aabb rest = tree.nodes[beside].box;  // the box of `pivot` without the subtree
    // Area saved in all boxes outside the subtree that is searched: the parent's goes away.
    float gain = half_area_of(tree.nodes[parent].box);
    best_ = {0, gain * kLeastGain};
    u32 pivot = parent;
    open_children(tree.nodes[beside], gain - joined_area(rest));
    search();
    while (pivot != 0 && looks_ < kMostLooks) {
      const u32 uncle = sibling(pivot);
      const Aabb box = tree.nodes[uncle].box;
      ++looks_;
      if (gain - own_ > best_.gain) {
        consider(uncle, gain - joined_area(box));
        open_children(tree.nodes[uncle], gain - joined_area(box));
        search();
      }
      pivot = parent_of(tree, pivot);
      rest = box_round(rest, box);
      const float saved = half_area_of(tree.nodes[pivot].box) - half_area_of(rest);
      gain += saved;
      // No box further up becomes smaller.
      if (!(saved > 0.0f) && !(gain - own_ > best_.gain)) break;
    }
  }

  BC_HD Place best() const { return best_; }

 private:
  struct Open {
    u32 first;   // of a pair of siblings
    float gain;  // area saved in all other boxes, if the subtree is inserted here
  };

  BC_HD float joined_area(const Aabb& box) const { return half_area_of(box_round(box, from_)); }

  BC_HD void consider(u32 node, float gain) {
    if (gain > best_.gain) best_ = {node, gain};
  }

  /// Opens the children of a node at which the subtree would save `gain`.
  BC_HD void open_children(const Node2& node, float gain) {
    if (node.count > 0) return;
    const float below = gain + half_area_of(node.box);
    if (below - own_ > best_.gain && count_ < kMostOpen) open_[count_++] = {node.first, below};
  }

  /// Searches all that is open; of two siblings the better one first.
  BC_HD void search() {
    while (count_ > 0) {
      const Open at = open_[--count_];
      if (!(at.gain - own_ > best_.gain)) continue;
      if (++looks_ > kMostLooks) {
        count_ = 0;
        return;
      }
      const Node2 a = tree_.nodes[at.first], b = tree_.nodes[at.first + 1u];
      const float gain_a = at.gain - joined_area(a.box), gain_b = at.gain - joined_area(b.box);
      consider(at.first, gain_a);
      consider(at.first + 1u, gain_b);
      const bool a_last = gain_a + half_area_of(a.box) >= gain_b + half_area_of(b.box);
      open_children(a_last ? b : a, a_last ? gain_b : gain_a);
      open_children(a_last ? a : b, a_last ? gain_a : gain_b);
    }
  }

  const LooseTree& tree_;
  const Aabb from_;
  const float own_;
  Place best_{};
  u32 looks_ = 0, count_ = 0;
  Open open_[kMostOpen];
};

}  // namespace ballotcast::detail::reinsertion
