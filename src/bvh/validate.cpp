#include "bvh/validate.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

struct Visit {
  u32 node;
  u32 depth;
};

/// One occurrence of a triangle in a leaf.
struct Place {
  u32 triangle;
  u32 leaf;
};

bool holds(const Aabb& box, dvec3 p, double tolerance) {
  const dvec3 low = dvec3(box.low) - tolerance, high = dvec3(box.high) + tolerance;
  return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
         p.z <= high.z;
}

/// True if every point of a lattice on the triangle, corners and edges included, lies in the box of
/// one of its leaves. `tolerance` allows for the rounding of the lattice points.
bool covered(const BinaryTree& tree, const Mesh& mesh, const Place* from, const Place* to,
             double tolerance) {
  constexpr u32 kSteps = 16;
  const uvec3 corners = mesh.triangles[from->triangle];
  const dvec3 a(mesh.positions[corners.x]), b(mesh.positions[corners.y]),
      c(mesh.positions[corners.z]);
  for (u32 i = 0; i <= kSteps; ++i)
    for (u32 j = 0; i + j <= kSteps; ++j) {
      const double u = double(i) / kSteps, v = double(j) / kSteps;
      const dvec3 point = a * (1.0 - u - v) + b * u + c * v;
      if (std::none_of(from, to, [&](const Place& place) {
            return holds(tree.nodes[place.leaf].box, point, tolerance);
          }))
        return false;
    }
  return true;
}

}  // namespace

std::string defect_of(const BinaryTree& tree, const Mesh& mesh, const Copies& copies) {
  const std::size_t triangles = mesh.triangles.size();
  if (tree.nodes.empty()) return triangles == 0 ? "" : "no nodes, but triangles";
  std::vector<bool> node_seen(tree.nodes.size()), place_seen(tree.order.size());
  std::vector<Place> places;
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
    if (node.count > kLargestLeaf) return here + "too many triangles";
    for (u32 i = 0; i < node.count; ++i) {
      if (node.first + i >= tree.order.size()) return here + "leaf leaves the order";
      if (place_seen[node.first + i]) return here + "a place of the order is in two leaves";
      place_seen[node.first + i] = true;
      const u32 triangle = tree.order[node.first + i];
      if (triangle >= triangles) return here + "triangle does not exist";
      places.push_back({triangle, index});
    }
  }
  if (deepest != tree.depth) return "the depth is " + std::to_string(deepest) + ", not as stated";
  for (std::size_t i = 0; i < node_seen.size(); ++i)
    if (!node_seen[i]) return "node " + std::to_string(i) + " is never reached";
  for (std::size_t i = 0; i < place_seen.size(); ++i)
    if (!place_seen[i]) return "place " + std::to_string(i) + " of the order is in no leaf";

  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.triangle < b.triangle || (a.triangle == b.triangle && a.leaf < b.leaf);
  });
  const std::vector<bool> is_copy = marked(copies, triangles);
  const double tolerance = double{mesh.magnitude()} * 0x1p-30;
  const Place* place = places.data();
  const Place* const end = place + places.size();
  for (u32 i = 0; i < triangles; ++i) {
    const std::string triangle = "triangle " + std::to_string(i);
    const Place* first = place;
    while (place != end && place->triangle == i) ++place;
    if (!is_copy.empty() && is_copy[i]) {
      if (first != place) return triangle + " is a copy, and in a leaf";
      continue;
    }
    if (first == place) return triangle + " is in no leaf";
    for (const Place* p = first; p + 1 < place; ++p)
      if (p->leaf == p[1].leaf) return triangle + " is in a leaf twice";
    const bool whole = place - first == 1;
    if (whole && !tree.nodes[first->leaf].box.contains(mesh.bounds_of(i)))
      return triangle + " leaves its leaf's box";
    if (!whole && !covered(tree, mesh, first, place, tolerance))
      return triangle + " has points in no box of its leaves";
  }
  return "";
}

}  // namespace ballotcast::detail
