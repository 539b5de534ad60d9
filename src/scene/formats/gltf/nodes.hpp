// The scene graph of glTF files.
#pragma once

#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// A linear map and a translation: p becomes x * p.x + y * p.y + z * p.z + at.
struct Affine {
  dvec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  dvec3 at{0.0};

  dvec3 direction(dvec3 v) const { return x * v.x + y * v.y + z * v.z; }
  dvec3 point(dvec3 p) const { return direction(p) + at; }
  /// True if it turns triangles over, as a mirror does.
  bool mirrors() const { return dot(cross(x, y), z) < 0.0; }
  /// The normal of a surface after the map; of any length.
  dvec3 normal(dvec3 n) const;
};

/// A node that is part of the scene.
struct PlacedNode {
  u32 node;
  Affine to_world;
};

/// The nodes of the file's scene, parents before their children and children in the order of the
/// file. Throws InputError if a node has two parents or is below itself.
std::vector<PlacedNode> placed_nodes(GltfFile& file);

}  // namespace ballotcast::detail
