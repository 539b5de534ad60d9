#include "scene/formats/gltf/nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/formats/gltf/accessors.hpp"

namespace ballotcast::detail {

namespace {

dvec3 vector_or(const Section& in, const char* key, double otherwise) {
  return in.has(key) ? in.vector(key) : dvec3(otherwise);
}

/// The transform that applies scale, rotation and translation, in this order. `rotation` is a
/// quaternion x, y, z, w.
Affine map_of(const Section& in, dvec3 translation, std::array<double, 4> rotation, dvec3 scale) {
  const auto [qx, qy, qz, qw] = rotation;
  const double squared = qx * qx + qy * qy + qz * qz + qw * qw;
  if (!(squared > 1e-30 && squared < 1e30)) in.fail("rotation", "must have length 1");
  const double length = std::sqrt(squared);
  const double x = qx / length, y = qy / length, z = qz / length, w = qw / length;
  Affine map;
  map.x = dvec3(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w));
  map.y = dvec3(2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w));
  map.z = dvec3(2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y));
  map.x *= scale.x;
  map.y *= scale.y;
  map.z *= scale.z;
  map.at = translation;
  return map;
}

/// The transform from the coordinates of a node to those of its parent.
Affine local_map(const Section& node, const NodePose& pose) {
  if (node.has("matrix")) {
    const std::vector<double> m = node.numbers("matrix", 16);
    // Some programs round these numbers.
    if (!(std::max({std::abs(m[3]), std::abs(m[7]), std::abs(m[11]), std::abs(m[15] - 1.0)}) <
          1e-5))
      node.fail("matrix", "must have the last row 0 0 0 1");
    return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
  }
  std::array<double, 4> rotation{0.0, 0.0, 0.0, 1.0};
  if (node.has("rotation")) {
    const std::vector<double> q = node.numbers("rotation", 4);
    rotation = {q[0], q[1], q[2], q[3]};
  }
  return map_of(node, pose.translation.value_or(vector_or(node, "translation", 0.0)),
                pose.rotation.value_or(rotation),
                pose.scale.value_or(vector_or(node, "scale", 1.0)));
}

}  // namespace

GltfNodes::GltfNodes(GltfFile& file, NodePoses poses) : file_(file), poses_(std::move(poses)) {
  const u32 count = file.size_of("nodes");
  children_.resize(count);
  parents_.resize(count);
  for (u32 i = 0; i < count; ++i) {
    const Section in = file.item("nodes", i);
    for (const u32 child : file.indices(in, "children", "nodes")) {
      if (parents_[child] == i) {
        file.warn(in, "names a child twice, drawn once");
        continue;
      }
      if (parents_[child]) file.item("nodes", child).fail("has two parents");
      parents_[child] = i;
      children_[i].push_back(child);
    }
  }
  to_world_.resize(count);
  const std::vector<u32> top = roots();
  if (top.empty() && count != 0) file.root().fail("has no node that is drawn");
  place(top);
}

std::vector<u32> GltfNodes::roots() const {
  const u32 scenes = file_.size_of("scenes");
  if (scenes == 0) {
    std::vector<u32> all;
    for (u32 i = 0; i < parents_.size(); ++i)
      if (!parents_[i]) all.push_back(i);
    return all;
  }
  u32 chosen = file_.index_if(file_.root(), "scene", "scenes").value_or(0);
  if (!file_.root().has("scene"))
    while (chosen + 1 < scenes && !file_.item("scenes", chosen).has("nodes")) ++chosen;
  if (scenes > 1)
    file_.warn(file_.item("scenes", chosen),
               "only this one of " + std::to_string(scenes) + " scenes is drawn");
  return roots_of(file_.item("scenes", chosen));
}

std::vector<u32> GltfNodes::roots_of(const Section& scene) const {
  std::vector<u32> all;
  std::vector<bool> seen(parents_.size());
  u64 twice = 0, inner = 0;
  for (const u32 node : file_.indices(scene, "nodes", "nodes")) {
    if (seen[node])
      ++twice;
    else
      all.push_back(node);
    if (!seen[node] && parents_[node]) ++inner;
    seen[node] = true;
  }
  if (twice != 0)
    file_.warn(scene, "nodes that it names twice, drawn once: " + std::to_string(twice));
  if (inner == 0) return all;
  file_.warn(scene, "roots that have a parent, placed as its children: " + std::to_string(inner));
  // A root that is below another root is drawn with that root.
  const u32 first = all.front();
  std::vector<u32> open = all;
  std::vector<bool> below(parents_.size());
  while (!open.empty()) {
    const u32 node = open.back();
    open.pop_back();
    for (const u32 child : children_[node]) {
      if (below[child]) continue;
      below[child] = true;
      open.push_back(child);
    }
  }
  all.erase(std::remove_if(all.begin(), all.end(), [&](u32 node) { return below[node]; }),
            all.end());
  if (all.empty()) file_.item("nodes", first).fail("is below itself");
  return all;
}

void GltfNodes::place(const std::vector<u32>& top) {
  // Nodes have at most one parent, and no root is below another root or itself. So each node is
  // visited once.
  std::vector<u32> open(top.rbegin(), top.rend());
  while (!open.empty()) {
    const u32 node = open.back();
    open.pop_back();
    const auto shown = extension(file_.item("nodes", node), "KHR_node_visibility");
    if (shown && shown->has("visible") && !shown->flag("visible")) continue;
    placed_.push_back({node, to_world(node)});
    open.insert(open.end(), children_[node].rbegin(), children_[node].rend());
  }
}

const Affine& GltfNodes::to_world(u32 node) {
  std::vector<u32> way;
  for (std::optional<u32> at = node; at && !to_world_[*at]; at = parents_[*at]) {
    if (way.size() > parents_.size()) file_.item("nodes", node).fail("is below itself");
    way.push_back(*at);
  }
  for (; !way.empty(); way.pop_back()) {
    const u32 at = way.back();
    const Affine own = local_map(file_.item("nodes", at), pose(at));
    to_world_[at] = parents_[at] ? composed(*to_world_[*parents_[at]], own) : own;
  }
  return *to_world_[node];
}

namespace {

constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";

}  // namespace

bool lists_instances(const Section& node) { return extension(node, kInstancing).has_value(); }

std::vector<Affine> instances_of_node(GltfFile& file, const Section& node) {
  const std::optional<Section> in = extension(node, kInstancing);
  if (!in) return {Affine{}};
  const Section attributes = in->object("attributes");
  GltfAttributes all(file);
  GltfNumbers translations, rotations, scales;
  std::optional<u32> count;
  const auto read = [&](const char* name, u32 width, GltfNumbers& to) {
    if (!attributes.has(name)) return;
    to = all.get(attributes, name, width, width);
    if (count && to.count() != *count)
      attributes.fail(name, "has " + std::to_string(to.count()) + " elements, and another has " +
                                std::to_string(*count));
    count = to.count();
  };
  read("TRANSLATION", 3, translations);
  read("ROTATION", 4, rotations);
  read("SCALE", 3, scales);
  const auto vector = [](const GltfNumbers& numbers, u32 i, double otherwise) {
    if (numbers.width == 0) return dvec3(otherwise);
    return dvec3(vec3(numbers.at(i)[0], numbers.at(i)[1], numbers.at(i)[2]));
  };
  std::vector<Affine> maps(count.value_or(1));
  for (u32 i = 0; i < count.value_or(0); ++i) {
    std::array<double, 4> rotation{0.0, 0.0, 0.0, 1.0};
    if (rotations.width != 0) std::copy_n(rotations.at(i), 4, rotation.begin());
    maps[i] = map_of(attributes, vector(translations, i, 0.0), rotation, vector(scales, i, 1.0));
  }
  return maps;
}

}  // namespace ballotcast::detail
