#include "bvh/tree_checks.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/layouts.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

struct Visit {
  u32 node;
  u32 depth;
};

/// One occurrence of a triangle in a leaf.
struct LeafEntry {
  u32 triangle;
  u32 leaf;
};

bool holds(const Aabb& box, dvec3 p, double tolerance) {
  const dvec3 low = dvec3(box.low) - tolerance, high = dvec3(box.high) + tolerance;
  return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
         p.z <= high.z;
}

/// True if each point of a lattice on the triangle (corners and edges included) is in the box of
/// one of its leaves. `tolerance` allows for the rounding of the points.
bool covered(const BinaryTree& tree, const Mesh& mesh, const LeafEntry* from, const LeafEntry* to,
             double tolerance) {
  constexpr u32 kSteps = 16;
  const uvec3 corners = mesh.triangles[from->triangle];
  const dvec3 a(mesh.positions[corners.x]), b(mesh.positions[corners.y]),
      c(mesh.positions[corners.z]);
  for (u32 i = 0; i <= kSteps; ++i)
    for (u32 j = 0; i + j <= kSteps; ++j) {
      const double u = double(i) / kSteps, v = double(j) / kSteps;
      const dvec3 point = a * (1.0 - u - v) + b * u + c * v;
      if (std::none_of(from, to, [&](const LeafEntry& entry) {
            return holds(tree.nodes[entry.leaf].box, point, tolerance);
          }))
        return false;
    }
  return true;
}

/// Returns the first defect of a tree's nodes and of the order of its triangles, or "". Appends an
/// entry to `entries` for each triangle of each leaf.
std::string defect_of_nodes(const BinaryTree& tree, std::size_t triangles,
                            std::vector<LeafEntry>& entries) {
  std::vector<bool> node_seen(tree.nodes.size()), position_seen(tree.order.size());
  u32 deepest = 0;
  std::vector<Visit> open{{0, 0}};
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const std::string here = "node " + std::to_string(index) + ": ";
    if (index >= tree.nodes.size()) return here + "does not exist";
    if (node_seen[index]) return here + "reached twice";
    node_seen[index] = true;
    if (depth > kDeepestLevel) return here + "too deep";
    deepest = std::max(deepest, depth);
    const Node2& node = tree.nodes[index];
    if (!node.is_leaf()) {
      if (node.first % 2 == 0) return here + "its children are no pair";
      if (index == 0 && node.number() != 0) return here + "the root has another number than 0";
      for (const u32 child : {node.first, node.first + 1}) {
        if (child >= tree.nodes.size()) return here + "child does not exist";
        if (!node.box.contains(tree.nodes[child].box)) return here + "a child leaves its box";
        open.push_back({child, depth + 1});
      }
      continue;
    }
    if (node.count > tree.leaves.count_mask + 1u) return here + "too many triangles";
    for (u32 i = 0; i < node.count; ++i) {
      if (node.first + i >= tree.order.size()) return here + "leaf leaves the order";
      if (position_seen[node.first + i]) return here + "a position of the order is in two leaves";
      position_seen[node.first + i] = true;
      const u32 triangle = tree.order[node.first + i];
      if (triangle >= triangles) return here + "triangle does not exist";
      entries.push_back({triangle, index});
    }
  }
  if (deepest != tree.depth) return "the depth is " + std::to_string(deepest) + ", not as given";
  for (std::size_t i = 0; i < node_seen.size(); ++i)
    if (!node_seen[i]) return "node " + std::to_string(i) + " is never reached";
  for (std::size_t i = 0; i < position_seen.size(); ++i)
    if (!position_seen[i]) return "position " + std::to_string(i) + " of the order is in no leaf";
  return "";
}

/// Returns the first defect of the leaves in which the triangles are, or "".
std::string defect_of_entries(const BinaryTree& tree, const Mesh& mesh, const Copies& copies,
                              std::vector<LeafEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const LeafEntry& a, const LeafEntry& b) {
    return a.triangle < b.triangle || (a.triangle == b.triangle && a.leaf < b.leaf);
  });
  const std::vector<bool> is_copy = marked(copies, mesh.triangles.size());
  const double tolerance = double{mesh.magnitude()} * 0x1p-30;
  const LeafEntry* entry = entries.data();
  const LeafEntry* const end = entry + entries.size();
  for (u32 i = 0; i < mesh.triangles.size(); ++i) {
    const std::string triangle = "triangle " + std::to_string(i);
    const LeafEntry* first = entry;
    while (entry != end && entry->triangle == i) ++entry;
    if (!is_copy.empty() && is_copy[i]) {
      if (first != entry) return triangle + " is a copy, and in a leaf";
      continue;
    }
    if (first == entry) return triangle + " is in no leaf";
    for (const LeafEntry* p = first; p + 1 < entry; ++p)
      if (p->leaf == p[1].leaf) return triangle + " is in a leaf twice";
    const bool whole = entry - first == 1;
    if (whole && !tree.nodes[first->leaf].box.contains(mesh.bounds_of(i)))
      return triangle + " leaves its leaf's box";
    if (!whole && !covered(tree, mesh, first, entry, tolerance))
      return triangle + " has points in no box of its leaves";
  }
  return "";
}

}  // namespace

std::string defect_of(const BinaryTree& tree, const Mesh& mesh, const Copies& copies) {
  if (tree.nodes.empty()) return mesh.triangles.empty() ? "" : "no nodes, but triangles";
  std::vector<LeafEntry> entries;
  const std::string defect = defect_of_nodes(tree, mesh.triangles.size(), entries);
  return defect.empty() ? defect_of_entries(tree, mesh, copies, entries) : defect;
}

namespace {

using Children = std::array<u32, 2>;

Children children_of(const bvh2::Node& node) { return {node.to.child0, node.to.child1}; }
Children children_of(const grid2::Node& node) {
  return {node.child[0].reference, node.child[1].reference};
}

/// True if the node has no second child. The box of a missing child is empty, so no ray enters it.
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

/// True if the node's link to its parent is right. Layouts without parent links have nothing to
/// check.
bool has_parent(const bvh2::Node& node, u32 parent) { return node.to.parent == parent; }
bool has_parent(const grid2::Node&, u32) { return true; }

/// Checks the nodes of an encoded tree from the root down, for defect_of(EncodedBvh). `defect`
/// returns what is wrong, such as the first bad node, or "".
template <class Node>
class NodeCheck {
 public:
  NodeCheck(const Node* nodes, std::size_t count, std::size_t triangles, LeafForm leaves)
      : nodes_(nodes), triangles_(triangles), leaves_(leaves), level_(count, 0) {}

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
    return is_leaf(leaf) &&
           u64{leaf_first(leaf, leaves_)} + leaf_count(leaf, leaves_) <= triangles_;
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
  const LeafForm leaves_;
  // Per node: number of inner nodes on the path from the root; 0: not reached yet
  std::vector<u8> level_;
  std::vector<u32> open_;  // nodes that were reached but not checked yet
};

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
                                   tree.bytes / sizeof(Node), tree.triangles.size(), tree.leaves)
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
