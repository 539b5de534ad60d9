// Converts a binary tree to the wide tree with the lowest expected cost.
//
// First the conversion is planned. For each node of the binary tree, the plan has the cost of
// representing it by 1 to 8 subtrees of the wide tree, and how to divide these among its children.
// Dynamic programming finds the minimum (H. Ylitie, T. Karras, S. Laine, Efficient Incoherent Ray
// Traversal on GPUs Through Compressed Wide BVHs, 2017).
//
// Then the top of the wide tree is made, until there are enough subtrees for all threads. The
// threads make these subtrees independently. At the end all of them are joined.
#include "bvh/wide/wide_tree.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "bvh/layouts/children.hpp"
#include "bvh/layouts/layouts.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::wide {

namespace {

// The relative costs of testing a node with eight boxes, and a block of up to eight triangles.
constexpr float kNodeCost = 1.0f, kBlockCost = 0.8f;

/// At this level and below, one thread plans a whole subtree. Above it, each child is a task: up to
/// 2^9 tasks are enough for all threads.
constexpr u32 kLevelsInParallel = 9;

/// The costs of the ways to represent a node of the binary tree.
struct Plan {
  std::array<float, kWidth> cost;  // [k]: the cost with at most k + 1 subtrees of the wide tree
  // [k], k > 0: the number of these subtrees that the first child gets; 0: k subtrees are as good
  // as k + 1. [0]: if not 0, the node becomes a node of the wide tree, and its first child gets
  // this number of the new node's children; 0: the node becomes a leaf.
  std::array<u8, kWidth> share;
  u32 triangles;
  float area;  // area of all triangles, within the boxes of their leaves
};

/// A subtree of the binary tree.
struct Subtree {
  u32 reference = kNowhere;
  Aabb box;
  float mean_area = 0.0f;  // mean area of its triangles, within the boxes of their leaves
};

/// The subtrees that become the children of a wide node; at most eight.
struct Subtrees {
  std::array<Subtree, kWidth> list;
  u32 count = 0;
};

/// The approximate area of the part of a triangle that lies in a box. The function assumes that
/// this fraction of the triangle is the same as the fraction of its bounding box that lies in the
/// box.
float area_in(const Aabb& box, const TriangleRows& t) {
  const vec3 a = {t.row[0].a, t.row[1].a, t.row[2].a};
  const vec3 b = {t.row[0].b, t.row[1].b, t.row[2].b};
  const vec3 c = {t.row[0].c, t.row[1].c, t.row[2].c};
  const Aabb own = {min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
  const Aabb part = {max_of(own.low, box.low), min_of(own.high, box.high)};
  const float whole = own.half_area();
  const float share = whole > 0.0f ? part.half_area() / whole : 0.0f;
  return 0.5f * glm::length(glm::cross(b - a, c - a)) * share;
}

/// The plans of all nodes of a binary tree.
template <class Layout>
class Plans {
 public:
  explicit Plans(const TreeInLayout& tree)
      : nodes_(static_cast<const typename Layout::Node*>(tree.nodes)),
        shape_(tree.shape),
        leaves_(tree.leaves),
        triangles_(tree.triangles),
        plans_(Array<Plan>::unset(tree.node_count)) {
    plan(shape_.root, {}, 0);
  }

  ChildBoxes children_of(u32 node) const { return Layout::boxes(nodes_, node, shape_); }

  /// True if a subtree becomes a leaf, false if it becomes a node. Call this function only for the
  /// root and for subtrees from `children_of_wide`.
  bool becomes_leaf(u32 reference) const {
    return is_leaf(reference) || plans_[reference].share[0] == 0;
  }

  /// The children of the wide node that replaces a node of the binary tree. The children with the
  /// largest triangles come first, because a search for any hit visits children in this order, and
  /// is most likely to hit a large triangle.
  Subtrees children_of_wide(u32 reference) const {
    Subtrees out;
    divide(reference, plans_[reference].share[0], kWidth, out);
    const auto end = out.list.begin() + out.count;
    for (auto it = out.list.begin(); it != end; ++it) it->mean_area = mean_area(*it);
    std::stable_sort(out.list.begin(), end,
                     [](const Subtree& x, const Subtree& y) { return x.mean_area > y.mean_area; });
    return out;
  }

 private:
  Plan plan_of_leaf(u32 leaf, const Aabb& box) const {
    Plan plan{};
    plan.triangles = leaf_count(leaf, leaves_);
    plan.area = area_of_leaf(leaf, box);
    plan.cost.fill(cost_of_leaf(box));
    return plan;
  }

  /// The area of all triangles in a leaf, within its box.
  float area_of_leaf(u32 leaf, const Aabb& box) const {
    float area = 0.0f;
    for (u32 k = 0; k < leaf_count(leaf, leaves_); ++k)
      area += area_in(box, triangles_[leaf_first(leaf, leaves_) + k]);
    return area;
  }

  static float cost_of_leaf(const Aabb& box) { return box.half_area() * kBlockCost; }

  /// Plans a subtree and all subtrees below it.
  Plan plan(u32 reference, const Aabb& box, u32 level) {
    if (is_leaf(reference)) return plan_of_leaf(reference, box);
    if (!is_somewhere(reference)) return {};
    const ChildBoxes children = children_of(reference);
    Plan a, b;
    const auto plan_a = [&] { a = plan(children.reference[0], children.box[0], level + 1u); };
    const auto plan_b = [&] { b = plan(children.reference[1], children.box[1], level + 1u); };
    if (level < kLevelsInParallel) {
      in_parallel(plan_a, plan_b);
    } else {
      plan_a();
      plan_b();
    }
    return plans_[reference] = plan_of_node(box, a, b);
  }

  static Plan plan_of_node(const Aabb& box, const Plan& a, const Plan& b) {
    Plan plan;
    plan.triangles = a.triangles + b.triangles;
    plan.area = a.area + b.area;
    // Finds the cheapest way to divide `count` subtrees between both children.
    const auto divide = [&](u32 count, float& cost, u8& share) {
      for (u32 k = 1; k < count; ++k) {
        const float sum = a.cost[k - 1u] + b.cost[count - k - 1u];
        if (k > 1u && !(sum < cost)) continue;
        cost = sum;
        share = static_cast<u8>(k);
      }
    };
    divide(kWidth, plan.cost[0], plan.share[0]);
    plan.cost[0] += box.half_area() * kNodeCost;
    if (plan.triangles <= kInBlock) {
      const float as_leaf = cost_of_leaf(box);
      if (as_leaf <= plan.cost[0]) plan.cost[0] = as_leaf, plan.share[0] = 0;
    }
    for (u32 k = 1; k < kWidth; ++k) {
      divide(k + 1u, plan.cost[k], plan.share[k]);
      if (!(plan.cost[k] < plan.cost[k - 1u])) plan.cost[k] = plan.cost[k - 1u], plan.share[k] = 0;
    }
    return plan;
  }

  /// Collects the subtrees that represent `tree`; at most `count`.
  void collect(const Subtree& tree, u32 count, Subtrees& out) const {
    if (is_node(tree.reference)) {
      const Plan& plan = plans_[tree.reference];
      while (count > 1u && plan.share[count - 1u] == 0) --count;
      if (count > 1u) return divide(tree.reference, plan.share[count - 1u], count, out);
    }
    out.list[out.count++] = tree;
  }

  void divide(u32 node, u32 share, u32 count, Subtrees& out) const {
    const ChildBoxes children = children_of(node);
    const u32 shares[2] = {share, count - share};
    for (u32 side = 0; side < 2u; ++side)
      if (is_somewhere(children.reference[side]))
        collect({children.reference[side], children.box[side]}, shares[side], out);
  }

  float mean_area(const Subtree& tree) const {
    if (is_leaf(tree.reference))
      return area_of_leaf(tree.reference, tree.box) /
             static_cast<float>(leaf_count(tree.reference, leaves_));
    const Plan& plan = plans_[tree.reference];
    return plan.area / static_cast<float>(plan.triangles);
  }

  const typename Layout::Node* nodes_;
  const TreeShape shape_;
  const LeafForm leaves_;
  const TriangleRows* triangles_;
  Array<Plan> plans_;  // plans of the nodes of the binary tree
};

}  // namespace

}  // namespace ballotcast::detail::wide

namespace ballotcast::detail {

namespace {

using namespace wide;

/// The number of subtrees that the threads make independently: several for each thread, so that all
/// end at about the same time.
constexpr std::size_t kSubtrees = 128;

/// A part of the wide tree. Its references are relative to its own first node.
struct WideSubtree {
  std::vector<WideNode> nodes;
  std::vector<TriangleBlock> blocks;
};

void set_child(WideNode& node, u32 slot, const Aabb& box, u32 reference) {
  node.side[kLowX][slot] = box.low.x, node.side[kHighX][slot] = box.high.x;
  node.side[kLowY][slot] = box.low.y, node.side[kHighY][slot] = box.high.y;
  node.side[kLowZ][slot] = box.low.z, node.side[kHighZ][slot] = box.high.z;
  node.child[slot] = reference;
}

template <class Layout>
class Widening {
 public:
  explicit Widening(const TreeInLayout& tree)
      : root_(tree.shape.root),
        leaves_(tree.leaves),
        triangles_(tree.triangles),
        plans_(std::make_unique<Plans<Layout>>(tree)) {}

  WideTree run() {
    if (!is_somewhere(root_)) return {};
    WideSubtree top;
    std::vector<Subtree> rest;
    const u32 root = make_top(top, rest);
    std::vector<WideSubtree> subtrees(rest.size());
    std::vector<u32> roots(rest.size());
    for_each_index<std::size_t>(rest.size(),
                                [&](std::size_t i) { roots[i] = make(rest[i], subtrees[i]); });
    plans_.reset();  // frees memory before the subtrees are joined
    return joined(top, root, subtrees, roots);
  }

 private:
  static WideNode empty_node() {
    WideNode node;
    for (u32 slot = 0; slot < kWidth; ++slot) set_child(node, slot, Aabb(), kNowhere);
    return node;
  }

  /// Makes a subtree, and returns the reference to it.
  u32 make(const Subtree& tree, WideSubtree& out) const {
    if (plans_->becomes_leaf(tree.reference)) return make_leaf(tree.reference, out);
    const auto index = static_cast<u32>(out.nodes.size());
    out.nodes.push_back(empty_node());
    const Subtrees children = plans_->children_of_wide(tree.reference);
    for (u32 slot = 0; slot < children.count; ++slot) {
      const u32 child = make(children.list[slot], out);
      set_child(out.nodes[index], slot, children.list[slot].box, child);
    }
    return index;
  }

  u32 make_leaf(u32 reference, WideSubtree& out) const {
    std::array<const TriangleRows*, kInBlock> rows;
    u32 count = 0;
    gather(reference, rows, count);
    TriangleBlock& block = out.blocks.emplace_back();
    for (u32 lane = 0; lane < count; ++lane) block.set(lane, *rows[lane]);
    return block_reference(static_cast<u32>(out.blocks.size()) - 1u);
  }

  /// Collects the triangles of a subtree, each once.
  void gather(u32 reference, std::array<const TriangleRows*, kInBlock>& rows, u32& count) const {
    if (is_node(reference)) {
      const ChildBoxes children = plans_->children_of(reference);
      for (const u32 child : children.reference) gather(child, rows, count);
    } else if (is_leaf(reference)) {
      for (u32 k = 0; k < leaf_count(reference, leaves_); ++k) {
        const TriangleRows& t = triangles_[leaf_first(reference, leaves_) + k];
        const auto is_it = [&](const TriangleRows* other) {
          return other->row[0].id == t.row[0].id;
        };
        if (std::none_of(rows.begin(), rows.begin() + count, is_it)) rows[count++] = &t;
      }
    }
  }

  /// Makes nodes level by level, until there are kSubtrees subtrees or the tree is finished. Where
  /// these nodes refer to a subtree that is not made yet, the reference is a leaf reference with
  /// the index of the subtree in `rest`.
  u32 make_top(WideSubtree& top, std::vector<Subtree>& rest) const {
    std::vector<Subtree> level = {{root_, {}}};
    struct NodeSlot {
      u32 node, slot;
    };
    std::vector<NodeSlot> places = {{kNowhere, 0}};
    u32 root = kNowhere;
    const auto put = [&](const NodeSlot& place, u32 reference) {
      if (place.node == kNowhere)
        root = reference;
      else
        top.nodes[place.node].child[place.slot] = reference;
    };
    bool made = true;
    while (made && level.size() < kSubtrees) {
      made = false;
      std::vector<Subtree> next;
      std::vector<NodeSlot> next_places;
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (plans_->becomes_leaf(level[i].reference)) {
          next.push_back(level[i]);
          next_places.push_back(places[i]);
          continue;
        }
        made = true;
        const auto index = static_cast<u32>(top.nodes.size());
        top.nodes.push_back(empty_node());
        put(places[i], index);
        const Subtrees children = plans_->children_of_wide(level[i].reference);
        for (u32 slot = 0; slot < children.count; ++slot) {
          set_child(top.nodes[index], slot, children.list[slot].box, kNowhere);
          next.push_back(children.list[slot]);
          next_places.push_back({index, slot});
        }
      }
      level.swap(next);
      places.swap(next_places);
    }
    rest = std::move(level);
    for (std::size_t i = 0; i < rest.size(); ++i)
      put(places[i], block_reference(static_cast<u32>(i)));
    return root;
  }

  /// Copies all subtrees, one after the other, into one tree, and frees each subtree.
  WideTree joined(const WideSubtree& top, u32 root, std::vector<WideSubtree>& subtrees,
                  const std::vector<u32>& roots) const {
    std::vector<u32> first_node(subtrees.size()), first_block(subtrees.size());
    std::size_t nodes = top.nodes.size(), blocks = 0;
    for (std::size_t i = 0; i < subtrees.size(); ++i) {
      first_node[i] = static_cast<u32>(nodes);
      first_block[i] = static_cast<u32>(blocks);
      nodes += subtrees[i].nodes.size();
      blocks += subtrees[i].blocks.size();
    }
    WideTree out;
    out.nodes = Array<WideNode>::unset(nodes);
    out.blocks = Array<TriangleBlock>::unset(blocks);
    const auto root_of = [&](u32 place) {
      const u32 i = block_of(place);
      return moved_reference(roots[i], first_node[i], first_block[i], kBlocks);
    };
    out.root = is_node(root) ? root : root_of(root);
    WideNode* const to_nodes = out.nodes.data();
    TriangleBlock* const to_blocks = out.blocks.data();
    for (std::size_t i = 0; i < top.nodes.size(); ++i) {
      to_nodes[i] = top.nodes[i];
      for (u32& child : to_nodes[i].child)
        if (is_leaf(child)) child = root_of(child);
    }
    for_each_index<std::size_t>(subtrees.size(), [&](std::size_t i) {
      WideNode* node = to_nodes + first_node[i];
      for (const WideNode& made : subtrees[i].nodes) {
        *node = made;
        for (u32& child : node->child)
          child = moved_reference(child, first_node[i], first_block[i], kBlocks);
        ++node;
      }
      std::copy(subtrees[i].blocks.begin(), subtrees[i].blocks.end(), to_blocks + first_block[i]);
      subtrees[i] = {};
    });
    return out;
  }

  const u32 root_;
  const LeafForm leaves_;
  const TriangleRows* triangles_;
  std::unique_ptr<const Plans<Layout>> plans_;
};

}  // namespace

WideTree widened(const TreeInLayout& tree) {
  WideTree out;
  dispatch_row(Layouts{}, tree.layout,
               [&](auto tag) { out = Widening<typename decltype(tag)::type>(tree).run(); });
  return out;
}

}  // namespace ballotcast::detail
