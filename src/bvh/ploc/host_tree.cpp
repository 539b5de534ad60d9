#include "bvh/ploc/host_tree.hpp"

#include "bvh/ploc/numbering.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail::ploc {

namespace {

constexpr u32 kPart = 1u << 14;  // slots whose prefix sum one task computes

class Arrange {
 public:
  explicit Arrange(JoinedClusters joined) : joined_(std::move(joined)) {}

  BinaryTree run() {
    const Cluster root = joined_.root();
    const auto count = static_cast<u32>(joined_.order.size());
    tree_.order.resize(count);
    tree_.depth = height_of(root);
    if (is_leaf(root)) {
      tree_.nodes.resize(1);
      put_leaf(root, 0, 0);
      return std::move(tree_);
    }
    root_slot_ = slot_of(root);
    inner_before_.resize(count);
    const u32 parts = (count + kPart - 1) / kPart;
    std::vector<Before> before = before_parts(parts);
    for_each_index(parts, [&](u32 part) { number(part, before[part]); });
    tree_.nodes.resize(2 * std::size_t{before[parts].inner} + 1);
    tree_.nodes[0] = {box_of(root), 1, 0};
    for_each_index(parts, [&](u32 part) { put_children(part, before[part].triangles); });
    return std::move(tree_);
  }

 private:
  u32 end_of(u32 part) const {
    const auto count = static_cast<u32>(joined_.order.size());
    return count - part * kPart > kPart ? (part + 1) * kPart : count;
  }

  /// What comes before each part; the last element is the sum of all.
  std::vector<Before> before_parts(u32 parts) const {
    std::vector<Before> before(parts + 1, Before{0, 0});
    for_each_index(parts, [&](u32 part) {
      for (u32 slot = part * kPart; slot < end_of(part); ++slot)
        before[part + 1] = before[part + 1] + counted(joined_.slots[slot]);
    });
    for (u32 part = 0; part < parts; ++part) before[part + 1] = before[part] + before[part + 1];
    return before;
  }

  void number(u32 part, Before before) {
    for (u32 slot = part * kPart; slot < end_of(part); ++slot) {
      inner_before_[slot] = before.inner;
      before = before + counted(joined_.slots[slot]);
    }
  }

  void put_children(u32 part, u32 triangles) {
    for (u32 slot = part * kPart; slot < end_of(part); ++slot) {
      if (joined_.slots[slot] == 0) continue;
      const u32 first = 2 * number_in(slot) + 1;
      triangles = put(joined_.lefts[slot], first, triangles);
      triangles = put(joined_.clusters[slot], first + 1, triangles);
    }
  }

  /// Stores a child at nodes[index]. A leaf's triangles go to order[triangles] and the places after
  /// it. Returns the first free place.
  u32 put(const Cluster& child, u32 index, u32 triangles) {
    if (is_leaf(child)) return put_leaf(child, index, triangles);
    tree_.nodes[index] = {box_of(child), 2 * number_in(slot_of(child)) + 1, 0};
    return triangles;
  }

  u32 put_leaf(const Cluster& leaf, u32 index, u32 first) {
    tree_.nodes[index] = {box_of(leaf), first, triangles_of(leaf)};
    for_each_place(leaf, joined_.next.get(),
                   [&](u32 k, u32 place) { tree_.order[first + k] = joined_.order[place]; });
    return first + triangles_of(leaf);
  }

  u32 number_in(u32 slot) const { return number_of(slot, inner_before_[slot], root_slot_); }
  static Aabb box_of(const Cluster& c) { return {c.low, c.high}; }

  JoinedClusters joined_;
  BinaryTree tree_;
  u32 root_slot_ = 0;
  std::vector<u32> inner_before_;  // per slot: Before::inner
};

}  // namespace

BinaryTree tree_of(JoinedClusters joined) { return Arrange(std::move(joined)).run(); }

}  // namespace ballotcast::detail::ploc
