// The scene graph of glTF files.
#pragma once

#include <optional>
#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/placement.hpp"

namespace ballotcast::detail {

/// A node that is part of the scene.
struct PlacedNode {
  u32 node;
  Affine to_world;
};

/// The nodes of a file.
class GltfNodes {
 public:
  /// `file` must outlive this object. Throws InputError if a node has two parents, or if one of the
  /// scene is below itself.
  explicit GltfNodes(GltfFile& file);

  /// The nodes of the file's scene, parents before their children and children in the order of the
  /// file.
  const std::vector<PlacedNode>& placed() const { return placed_; }

  /// Where any node is, whether it is part of the scene or not. Throws InputError if it is below
  /// itself.
  const Affine& to_world(u32 node);

 private:
  std::vector<u32> roots() const;
  std::vector<u32> roots_of(const Section& scene) const;
  void place(const std::vector<u32>& top);

  GltfFile& file_;
  std::vector<std::vector<u32>> children_;
  std::vector<std::optional<u32>> parents_;
  std::vector<std::optional<Affine>> to_world_;  // as far as it was asked for
  std::vector<PlacedNode> placed_;
};

/// Where the mesh of a node is drawn, relative to the node: once, or as often as
/// EXT_mesh_gpu_instancing says (Khronos Group, extension EXT_mesh_gpu_instancing).
std::vector<Affine> instances_of_node(GltfFile& file, const Section& node);

}  // namespace ballotcast::detail
