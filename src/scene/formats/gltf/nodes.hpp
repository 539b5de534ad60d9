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

/// The properties of a node that an animation has changed.
struct NodePose {
  std::optional<dvec3> translation, scale;
  std::optional<std::array<double, 4>> rotation;  // a quaternion x, y, z, w
  std::optional<std::vector<double>> weights;     // weights of morph targets
};

/// The nodes that an animation has changed, by index.
using NodePoses = std::map<u32, NodePose>;

/// The nodes of a file.
class GltfNodes {
 public:
  /// `file` must outlive this object. Throws InputError if a node has two parents, or if a node of
  /// the scene is below itself.
  explicit GltfNodes(GltfFile& file, NodePoses poses = {});

  /// The nodes of the file's scene. Parents come before their children, and children are in the
  /// order of the file.
  const std::vector<PlacedNode>& placed() const { return placed_; }

  /// The transform of any node to the world, even if it is not part of the scene. Throws InputError
  /// if the node is below itself.
  const Affine& to_world(u32 node);

  /// The properties of a node that an animation has changed; empty if there are none.
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
  std::vector<std::optional<Affine>> to_world_;  // computed when it is first needed
  std::vector<PlacedNode> placed_;
};

/// The transforms of the mesh of a node relative to the node: the identity, or one for each
/// instance of EXT_mesh_gpu_instancing (Khronos Group, extension EXT_mesh_gpu_instancing).
std::vector<Affine> instances_of_node(GltfFile& file, const Section& node);

/// True if the node has the extension EXT_mesh_gpu_instancing.
bool lists_instances(const Section& node);

}  // namespace ballotcast::detail
