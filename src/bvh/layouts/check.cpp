#include "bvh/layouts/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "bvh/layouts/table.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

using Children = std::array<u32, 2>;

Children children_of(const bvh2::Node& node) { return {node.to.child0, node.to.child1}; }
Children children_of(const grid2::Node& node) {
  return {node.child[0].reference, node.child[1].reference};
}

/// True if the second child of a node is missing: no walk enters its box, which is empty.
bool lacks_second(const bvh2::Node& node) {
  const Aabb empty;
  const vec4 xy = node.box1_xy, z = node.box_z;
  return node.to.child1 == kNowhere && xy.x == empty.low.x && xy.y == empty.high.x &&
         xy.z == empty.low.y && xy.w == empty.high.y && z.z == empty.low.z && z.w == empty.high.z;
}
bool lacks_both(const bvh2::Node& node) {
  const Aabb empty;
  const vec4 xy = node.box0_xy, z = node.box_z;
  return lacks_second(node) && node.to.child0 == kNowhere && xy.x == empty.low.x &&
         xy.y == empty.high.x && xy.z == empty.low.y && xy.w == empty.high.y &&
         z.x == empty.low.z && z.y == empty.high.z;
}
bool lacks_second(const grid2::Node&) { return false; }
bool lacks_both(const grid2::Node&) { return false; }

/// True if the node's link to its parent is right, in layouts that have one.
bool has_parent(const bvh2::Node& node, u32 parent) { return node.to.parent == parent; }
bool has_parent(const grid2::Node&, u32) { return true; }

/// Walks over all nodes, from the root down.
template <class Node>
class NodeCheck {
 public:
  NodeCheck(const Node* nodes, std::size_t count, std::size_t triangles)
      : nodes_(nodes), triangles_(triangles), level_(count, 0) {}

  std::string defect(const TreeShape& shape) {
    u32 depth = 0;
    if (is_node(shape.root)) {
      if (shape.root != 0 || level_.empty() || !has_parent(nodes_[0], 0)) return "its root";
      level_[0] = 1;
      open_ = {0};
      std::size_t reached = 0;
      for (; !open_.empty(); ++reached) {
        const u32 node = open_.back();
        open_.pop_back();
        if (level_[node] > kDeepestLevel || !are_good_children(node))
          return "node " + std::to_string(node);
        depth = std::max(depth, u32{level_[node]});
      }
      if (reached != level_.size()) return "nodes that nothing leads to";
    } else if (!level_.empty() ||
               !(shape.root == kNowhere ? triangles_ == 0 : is_good(shape.root))) {
      return "its root";
    }
    return depth == shape.depth ? "" : "its depth";
  }

 private:
  bool is_good(u32 leaf) const {
    return is_leaf(leaf) && u64{leaf_first(leaf)} + leaf_count(leaf) <= triangles_;
  }

  bool are_good_children(u32 parent) {
    const Node& node = nodes_[parent];
    const bool is_alone = level_.size() == 1;
    if (is_alone && lacks_both(node)) return true;
    const Children children = children_of(node);
    for (u32 side = 0; side < 2; ++side) {
      if (side == 1 && is_alone && lacks_second(node)) continue;
      const u32 child = children[side];
      if (!is_node(child)) {
        if (!is_good(child)) return false;
        continue;
      }
      if (child >= level_.size() || level_[child] != 0 || !has_parent(nodes_[child], parent))
        return false;
      level_[child] = static_cast<u8>(level_[parent] + 1);
      open_.push_back(child);
    }
    return true;
  }

  const Node* nodes_;
  const std::size_t triangles_;
  std::vector<u8> level_;  // of each node: inner nodes from the root to it; 0: not reached yet
  std::vector<u32> open_;  // reached, but not looked at
};

bool is_finite(vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

std::string defect_of(const EncodedBvh& tree) {
  if (tree.nodes.size() != (tree.bytes + sizeof(NodeBytes) - 1) / sizeof(NodeBytes))
    return "the number of its nodes";
  if (!is_finite(tree.shape.code_scale) || !is_finite(tree.shape.code_offset)) return "its grid";
  std::string defect;
  dispatch_row(Layouts{}, tree.layout, [&](auto tag) {
    using Node = typename decltype(tag)::type::Node;
    defect = tree.bytes % sizeof(Node) != 0
                 ? "the size of its nodes"
                 : NodeCheck<Node>(reinterpret_cast<const Node*>(tree.nodes.data()),
                                   tree.bytes / sizeof(Node), tree.triangles.size())
                       .defect(tree.shape);
  });
  return defect;
}

bool are_rows_of(const Mesh& mesh, const Array<TriangleRows>& rows, Aabb& bounds) {
  struct Found {
    bool same = true;
    Aabb box;
  };
  const std::size_t count = mesh.triangles.size();
  const Found found = reduce_ranges<std::size_t>(
      0, rows.size(), std::size_t{1} << 14, Found{},
      [&](std::size_t begin, std::size_t end, Found f) {
        for (std::size_t i = begin; i < end && f.same; ++i) {
          const u32 id = rows[i].row[0].id;
          if (id >= count) return Found{false, {}};
          const TriangleRows right = mesh.rows_of(id);
          f.same = std::memcmp(&right, &rows[i], sizeof right) == 0;
          f.box.include(mesh.bounds_of(id));
        }
        return f;
      },
      [](const Found& a, const Found& b) {
        Found both{a.same && b.same, a.box};
        both.box.include(b.box);
        return both;
      });
  bounds = found.box;
  return found.same;
}

}  // namespace ballotcast::detail
