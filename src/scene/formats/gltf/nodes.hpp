// The scene graph of glTF files.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/instances/mesh_placement.hpp"

namespace ballotcast::detail {

/// A node that is part of the scene.
struct PlacedNode {
  u32 node;
  Affine to_world;
};

/// What an animation has changed of a node.
struct NodePose {
  std::optional<dvec3> translation, scale;
  std::optional<std::array<double, 4>> rotation;  // a quaternion x, y, z, w
  std::optional<std::vector<double>> weights;     // of morph targets
};

/// The nodes that an animation has changed, by their index.
using NodePoses = std::map<u32, NodePose>;

/// The nodes of a file.
class GltfNodes {
 public:
  /// `file` must outlive this object. Throws InputError if a node has two parents, or if one of the
  /// scene is below itself.
  explicit GltfNodes(GltfFile& file, NodePoses poses = {});

  /// The nodes of the file's scene, parents before their children and children in the order of the
  /// file.
  const std::vector<PlacedNode>& placed() const { return placed_; }

  /// Where any node is, whether it is part of the scene or not. Throws InputError if it is below
  /// itself.
  const Affine& to_world(u32 node);

  /// What an animation has changed of a node.
  NodePose pose(u32 node) const {
    const auto entry = poses_.find(node);
    return entry == poses_.end() ? NodePose{} : entry->second;
  }

 private:
  std::vector<u32> roots() const;
  std::vector<u32> roots_of(const Section& scene) const;
  void place(const std::vector<u32>& top);

  GltfFile& file_;
  NodePoses poses_;
  std::vector<std::vector<u32>> children_;
  std::vector<std::optional<u32>> parents_;
  std::vector<std::optional<Affine>> to_world_;  // computed when first asked for
  std::vector<PlacedNode> placed_;
};

/// Where the mesh of a node is drawn, relative to the node: once, or as often as
/// EXT_mesh_gpu_instancing says (Khronos Group, extension EXT_mesh_gpu_instancing).
std::vector<Affine> instances_of_node(GltfFile& file, const Section& node);

/// True if the node has that extension.
bool lists_instances(const Section& node);

}  // namespace ballotcast::detail
