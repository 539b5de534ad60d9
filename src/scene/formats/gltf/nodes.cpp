#include "scene/formats/gltf/nodes.hpp"

#include <algorithm>
#include <cmath>

namespace ballotcast::detail {
namespace {

dvec3 vector_or(const Section& in, const char* key, double otherwise) {
  return in.has(key) ? in.vector(key) : dvec3(otherwise);
}

/// The map of a node from its own coordinates to those of its parent.
Affine local_map(const Section& node) {
  Affine map;
  if (node.has("matrix")) {
    const std::vector<double> m = node.numbers("matrix", 16);
    // Some writers round.
    if (!(std::max({std::abs(m[3]), std::abs(m[7]), std::abs(m[11]), std::abs(m[15] - 1.0)}) <
          1e-5))
      node.fail("matrix", "must have the last row 0 0 0 1");
    map.x = {m[0], m[1], m[2]};
    map.y = {m[4], m[5], m[6]};
    map.z = {m[8], m[9], m[10]};
    map.at = {m[12], m[13], m[14]};
    return map;
  }
  if (node.has("rotation")) {
    const std::vector<double> q = node.numbers("rotation", 4);
    const double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(squared > 1e-30 && squared < 1e30)) node.fail("rotation", "must have length 1");
    const double length = std::sqrt(squared);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    map.x = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)};
    map.y = {2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)};
    map.z = {2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)};
  }
  const dvec3 scale = vector_or(node, "scale", 1.0);
  map.x *= scale.x;
  map.y *= scale.y;
  map.z *= scale.z;
  map.at = vector_or(node, "translation", 0.0);
  return map;
}

/// The nodes at the top of the scene that is drawn.
std::vector<u32> roots(GltfFile& file, const std::vector<u32>& parents) {
  const u32 scenes = file.size_of("scenes");
  if (scenes == 0) {
    std::vector<u32> all;
    for (u32 i = 0; i < parents.size(); ++i)
      if (parents[i] == 0) all.push_back(i);
    return all;
  }
  const u32 chosen = file.index_if(file.root(), "scene", "scenes").value_or(0);
  if (scenes > 1)
    file.warn(file.item("scenes", chosen),
              "only this one of " + std::to_string(scenes) + " scenes is drawn");
  const Section in = file.item("scenes", chosen);
  std::vector<u32> all = file.indices(in, "nodes", "nodes");
  std::vector<bool> seen(parents.size());
  for (const u32 node : all) {
    if (parents[node] != 0)
      file.item("nodes", node).fail("is a root of the scene and has a parent");
    if (seen[node]) in.fail("nodes", "names node " + std::to_string(node) + " twice");
    seen[node] = true;
  }
  return all;
}

}  // namespace

std::vector<PlacedNode> placed_nodes(GltfFile& file) {
  const u32 count = file.size_of("nodes");
  std::vector<std::vector<u32>> children(count);
  std::vector<u32> parents(count, 0);
  for (u32 i = 0; i < count; ++i) {
    children[i] = file.indices(file.item("nodes", i), "children", "nodes");
    for (const u32 child : children[i])
      if (++parents[child] > 1) file.item("nodes", child).fail("has two parents");
  }
  // With at most one parent each, and none at the roots, nothing below a root is below itself.
  std::vector<PlacedNode> placed, open;
  const std::vector<u32> top = roots(file, parents);
  for (auto node = top.rbegin(); node != top.rend(); ++node) open.push_back({*node, {}});
  if (top.empty() && count != 0) file.root().fail("has no node that is drawn");
  while (!open.empty()) {
    PlacedNode next = open.back();
    open.pop_back();
    next.to_world = composed(next.to_world, local_map(file.item("nodes", next.node)));
    const std::vector<u32>& below = children[next.node];
    for (auto child = below.rbegin(); child != below.rend(); ++child)
      open.push_back({*child, next.to_world});
    placed.push_back(next);
  }
  return placed;
}

}  // namespace ballotcast::detail
