#include "bvh/reinsertion/treelets.hpp"

#include <array>
#include <limits>
#include <utility>

#include "bvh/builders/splits.hpp"
#include "math/simd.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::reinsertion {

namespace {

Box4 box4_of(const Aabb& box) {
  Box4 out;
  out.low = float4_of(box.low), out.high = float4_of(box.high);
  return out;
}

/// As half_area_of for an Aabb, with the same bits.
float half_area4(const Box4& box) {
  const Float4 e = box.high - box.low;
  return (e[0] + e[1]) * e[2] + e[0] * e[1];
}

/// A number per subtree of a treelet.
struct alignas(32) Numbers : std::array<float, kTreeletLeaves> {
  static_assert(kTreeletLeaves == 4 * kLanes);

  Floats8 row(u32 k) const { return load_lanes(data() + k * kLanes); }
  /// Bit i of the result is set if the condition is true for number i.
  template <class Condition>
  u32 where(Condition condition) const {
    u32 bits = 0u;
    for (u32 k = 0; k < 4u; ++k) bits |= true_lanes(condition(row(k))) << (k * kLanes);
    return bits;
  }
};

class Treelet {
 public:
  Treelet(const LooseTree& tree, u32 pair, u32 shift) : tree_(tree) {
    const Node2 *const first = tree.nodes + 2u * pair + 1u, *const second = first + 1;
    const float area = half_area_of(box_round(first->box, second->box));
    scores_ = Scores(area);
    if (!scores_.valid()) return;
    root_class_ = class_of(area, shift);
    shift_ = shift;
    areas_.fill(-1.0f);
    put(0, 2u * pair + 1u);
    put(1, 2u * pair + 2u);
    open(pair);
  }

  void rebuild() {
    if (count_ < kFewestTreeletLeaves) return;
    for (u32 i = 0; i < count_; ++i) boxes_[i] = box4_of(subtrees_[i].box);
    for (u32 axis = 0; axis < 3; ++axis) sort(axis);
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

  void put(u32 i, u32 place) {
    const Node2& node = subtrees_[i] = tree_.nodes[place];
    const float area = half_area_of(node.box);
    areas_[i] = node.count == 0 && class_of(area, shift_) == root_class_ ? area : -1.0f;
  }

  /// Collects the subtrees, and the pairs of nodes that are reused for new inner nodes.
  void open(u32 pair) {
    pairs_[0] = pair;
    for (count_ = 2; count_ < kTreeletLeaves; ++count_) {
      const u32 largest = largest_area();
      if (areas_[largest] < 0.0f) return;
      old_score_ += scores_.of(areas_[largest]);
      const u32 first = subtrees_[largest].first;
      pairs_[count_ - 1] = pair_of(first);
      put(largest, first);
      put(count_, first + 1u);
    }
  }

  /// The first of the subtrees with the largest area.
  u32 largest_area() const {
    Floats8 most = areas_.row(0);
    for (u32 k = 1; k < 4u; ++k) most = max_lanes(most, areas_.row(k));
    most = max_lanes(most, __builtin_shufflevector(most, most, 4, 5, 6, 7, 0, 1, 2, 3));
    most = max_lanes(most, __builtin_shufflevector(most, most, 2, 3, 0, 1, 6, 7, 4, 5));
    most = max_lanes(most, __builtin_shufflevector(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
    return lowest_bit(areas_.where([&](Floats8 row) { return row == most; }));
  }

  /// Sorts all subtrees along an axis. The place of each is the number of subtrees before it, which
  /// takes less time to count than branches of a sort that can't be predicted.
  void sort(u32 axis) {
    Numbers at;
    at.fill(std::numeric_limits<float>::infinity());
    for (u32 i = 0; i < count_; ++i) at[i] = sort_coordinate(subtrees_[i].box, axis);
    for (u32 i = 0; i < count_; ++i) {
      const Floats8 own = in_all_lanes(at[i]);
      const u32 less = at.where([&](Floats8 row) { return row < own; });
      const u32 equal = at.where([&](Floats8 row) { return row == own; });
      const u32 before = count_bits(less) + count_bits(equal & ((1u << i) - 1u));
      orders_[axis][before] = static_cast<u8>(i);
    }
  }

  /// Builds a tree of the subtrees in [from, to) of each order, whose root is at `place`.
  void split(u32 from, u32 to, u32 place) {
    if (to - from == 1) {
      places_[orders_[0][from]] = place;
      return;
    }
    u64 best = ~u64{0};
    u32 boundary = 0, best_axis = 0;
    float area = 0.0f;
    for (u32 axis = 0; axis < 3; ++axis) {
      const Indices& order = orders_[axis];
      std::array<float, kTreeletLeaves> right;  // right[i] is the area of the box around i .. to
      Box4 box = boxes_[order[to - 1]];
      for (u32 i = to - 1; i > from; --i) {
        box.include(boxes_[order[i]]);
        right[i] = half_area4(box);
      }
      box.include(boxes_[order[from]]);
      area = half_area4(box);
      box = boxes_[order[from]];
      for (u32 i = from + 1; i < to; ++i) {
        box.include(boxes_[order[i - 1]]);
        const float cost = split_cost(half_area4(box), i - from, right[i], to - i);
        const u64 key = split_key(cost, axis, order[i - 1]);
        if (key >= best) continue;
        best = key;
        boundary = i;
        best_axis = axis;
      }
    }
    divide(from, boundary, to, best_axis);
    if (place == kNoPlace)
      std::swap(pairs_[0], pairs_[boundary - 1]);  // the root keeps its pair
    else
      new_score_ += scores_.of(area);
    parents_[boundary] = place;
    const u32 first = 2u * pairs_[boundary - 1] + 1u;
    split(from, boundary, first);
    split(boundary, to, first + 1u);
  }

  /// Makes [from, boundary) and [boundary, to) of all orders the same two sets as those of the
  /// order of `axis`. Each set stays sorted.
  void divide(u32 from, u32 boundary, u32 to, u32 axis) {
    u32 is_left = 0u;  // bit i: subtree i is in the left set
    for (u32 i = from; i < boundary; ++i) is_left |= 1u << orders_[axis][i];
    for (u32 other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const Indices order = orders_[other];
      u8 *left = &orders_[other][from], *right = &orders_[other][boundary];
      for (u32 i = from; i < to; ++i)
        *((is_left >> order[i] & 1u) != 0u ? left++ : right++) = order[i];
    }
  }

  using Indices = std::array<u8, kTreeletLeaves>;

  const LooseTree& tree_;
  Scores scores_{0.0f};
  u32 count_ = 0, old_score_ = 0, new_score_ = 0;
  u32 root_class_ = 0, shift_ = 0;
  std::array<Node2, kTreeletLeaves> subtrees_;
  std::array<Box4, kTreeletLeaves> boxes_;  // those of the subtrees
  Numbers areas_;                           // negative if the subtree can't be opened
  std::array<u32, kTreeletLeaves> places_;  // the index of the new node of each subtree
  // Free pairs of nodes; pair i is used for the split at boundary i + 1
  std::array<u32, kTreeletLeaves> pairs_;
  std::array<u32, kTreeletLeaves> parents_;  // the index of the new inner node of each boundary
  std::array<Indices, 3> orders_{};          // the subtrees, sorted along each axis
};

}  // namespace

void rebuild_treelets_on_host(const LooseTree& tree, u32 shift, const u8* begins) {
  for_each_range<u32>(tree.pairs(), 1024, [&](u32 begin, u32 end) {
    for (u32 pair = begin; pair < end; ++pair)
      if (begins[pair]) Treelet(tree, pair, shift).rebuild();
  });
}

}  // namespace ballotcast::detail::reinsertion
