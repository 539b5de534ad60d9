#include "bvh/validate.hpp"

namespace ballotcast {

namespace {

struct Visit {
  u32 node;
  u32 depth;
};

}  // namespace

std::string defect_of(const Bvh2& tree, const Mesh& mesh) {
  const std::size_t triangles = mesh.triangles.size();
  if (tree.nodes.empty()) return triangles == 0 ? "" : "no nodes, but triangles";
  if (tree.order.size() != triangles) return "order holds another number of triangles";
  std::vector<bool> node_seen(tree.nodes.size()), triangle_seen(triangles);
  std::vector<Visit> open{{0, 0}};
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const std::string here = "node " + std::to_string(index) + ": ";
    if (index >= tree.nodes.size()) return here + "does not exist";
    if (node_seen[index]) return here + "reached twice";
    node_seen[index] = true;
    if (depth > kDeepestLevel) return here + "too deep";
    const Node2& node = tree.nodes[index];
    if (!node.is_leaf()) {
      for (const u32 child : {node.first, node.first + 1}) {
        if (child >= tree.nodes.size()) return here + "child does not exist";
        if (child <= index) return here + "a child comes before it";
        if (!node.box.contains(tree.nodes[child].box)) return here + "a child leaves its box";
        open.push_back({child, depth + 1});
      }
      continue;
    }
    if (node.count > kLargestLeaf) return here + "too many triangles";
    for (u32 i = 0; i < node.count; ++i) {
      if (node.first + i >= tree.order.size()) return here + "leaf leaves the order";
      const u32 triangle = tree.order[node.first + i];
      if (triangle >= triangles) return here + "triangle does not exist";
      if (triangle_seen[triangle]) return here + "triangle met twice";
      triangle_seen[triangle] = true;
      if (!node.box.contains(mesh.bounds_of(triangle))) return here + "a triangle leaves its box";
    }
  }
  for (std::size_t i = 0; i < triangles; ++i)
    if (!triangle_seen[i]) return "triangle " + std::to_string(i) + " is in no leaf";
  for (std::size_t i = 0; i < node_seen.size(); ++i)
    if (!node_seen[i]) return "node " + std::to_string(i) + " is never reached";
  return "";
}

}  // namespace ballotcast
