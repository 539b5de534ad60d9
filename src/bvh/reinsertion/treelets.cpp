#include "bvh/reinsertion/treelets.hpp"

#include <algorithm>
#include <array>

#include "support/threads/parallel.hpp"

namespace ballotcast::detail::reinsertion {

namespace {

class Treelet {
 public:
  Treelet(const LooseTree& tree, u32 pair, u32 shift) : tree_(tree) {
    put(0, 2u * pair + 1u);
    put(1, 2u * pair + 2u);
    const float area = half_area_of(box_round(subtrees_[0].box, subtrees_[1].box));
    scores_ = Scores(area);
    if (scores_.valid()) open(pair, class_of(area, shift), shift);
  }

  void rebuild() {
    if (count_ < kFewestTreeletLeaves) return;
    for (u32 i = 0; i < count_; ++i) indices_[i] = static_cast<u8>(i);
    split(0, count_, kNoPlace);
    if (!is_better(new_score_, old_score_)) return;
    for (u32 boundary = 1; boundary < count_; ++boundary) {
      const u32 pair = pairs_[boundary - 1], place = parents_[boundary];
      if (place == kNoPlace) continue;
      tree_.nodes[place].first = 2u * pair + 1u;
      tree_.nodes[place].count = 0;
      tree_.above[pair] = place;
    }
    for (u32 i = 0; i < count_; ++i) {
      tree_.nodes[places_[i]] = subtrees_[i];
      adopt(tree_, places_[i]);
    }
  }

 private:
  /// A marker for the position of the root, which does not change.
  static constexpr u32 kNoPlace = 0xffffffffu;

  void put(u32 i, u32 place) { subtrees_[i] = tree_.nodes[place]; }

  /// Collects the subtrees, and the pairs of nodes that are reused for new inner nodes.
  void open(u32 pair, u32 root_class, u32 shift) {
    pairs_[0] = pair;
    for (count_ = 2; count_ < kTreeletLeaves; ++count_) {
      u32 largest = count_;
      float area = -1.0f;
      for (u32 i = 0; i < count_; ++i) {
        const float of_i = half_area_of(subtrees_[i].box);
        if (subtrees_[i].count > 0 || class_of(of_i, shift) != root_class || of_i <= area) continue;
        largest = i;
        area = of_i;
      }
      if (largest == count_) return;
      old_score_ += scores_.of(area);
      const u32 first = subtrees_[largest].first;
      pairs_[count_ - 1] = pair_of(first);
      put(largest, first);
      put(count_, first + 1u);
    }
  }

  /// Builds a tree of indices_[from .. to), whose root is at `place`.
  void split(u32 from, u32 to, u32 place) {
    if (to - from == 1) {
      places_[indices_[from]] = place;
      return;
    }
    u64 best = ~u64{0};
    u32 boundary = 0;
    float area = 0.0f;
    Indices best_order{};
    for (u32 axis = 0; axis < 3; ++axis) {
      Indices order = indices_;
      sort(order, from, to, axis);
      std::array<float, kTreeletLeaves> right;  // right[i] is the area of the box around i .. to
      Aabb box = subtrees_[order[to - 1]].box;
      for (u32 i = to - 1; i > from; --i) {
        box = box_round(box, subtrees_[order[i]].box);
        right[i] = half_area_of(box);
      }
      area = half_area_of(box_round(box, subtrees_[order[from]].box));
      box = subtrees_[order[from]].box;
      for (u32 i = from + 1; i < to; ++i) {
        box = box_round(box, subtrees_[order[i - 1]].box);
        const float cost = split_cost(half_area_of(box), i - from, right[i], to - i);
        const u64 key = split_key(cost, axis, order[i - 1]);
        if (key >= best) continue;
        best = key;
        boundary = i;
        best_order = order;
      }
    }
    indices_ = best_order;
    if (place == kNoPlace)
      std::swap(pairs_[0], pairs_[boundary - 1]);  // the root keeps its pair
    else
      new_score_ += scores_.of(area);
    parents_[boundary] = place;
    const u32 first = 2u * pairs_[boundary - 1] + 1u;
    split(from, boundary, first);
    split(boundary, to, first + 1u);
  }

  using Indices = std::array<u8, kTreeletLeaves>;

  void sort(Indices& order, u32 from, u32 to, u32 axis) const {
    std::array<float, kTreeletLeaves> at;
    for (u32 i = from; i < to; ++i) at[order[i]] = sort_coordinate(subtrees_[order[i]].box, axis);
    std::sort(order.begin() + from, order.begin() + to,
              [&](u32 a, u32 b) { return a != b && comes_first(at[a], a, at[b], b); });
  }

  const LooseTree& tree_;
  Scores scores_{0.0f};
  u32 count_ = 0, old_score_ = 0, new_score_ = 0;
  std::array<Node2, kTreeletLeaves> subtrees_;
  std::array<u32, kTreeletLeaves> places_;  // the index of the new node of each subtree
  // Free pairs of nodes; pair i is used for the split at boundary i + 1
  std::array<u32, kTreeletLeaves> pairs_;
  std::array<u32, kTreeletLeaves> parents_;  // the index of the new inner node of each boundary
  Indices indices_{};
};

}  // namespace

void rebuild_treelets_on_host(const LooseTree& tree, u32 shift, const u8* begins) {
  for_each_range<u32>(tree.pairs(), 1024, [&](u32 begin, u32 end) {
    for (u32 pair = begin; pair < end; ++pair)
      if (begins[pair]) Treelet(tree, pair, shift).rebuild();
  });
}

}  // namespace ballotcast::detail::reinsertion
