// What changes the shape of a mesh in a glTF file: morph targets and skins (glTF 2.0 Specification,
// sections 3.7.2.2 and 3.7.3.3).
#pragma once

#include <optional>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/meshes.hpp"

namespace ballotcast::detail {

/// The shape in which a node shows its mesh. Nodes that show one mesh in one shape share its
/// triangles.
struct GltfShape {
  std::optional<u32> skin;
  std::vector<double> weights;  // of the morph targets; empty: all are 0

  auto operator<=>(const GltfShape&) const = default;
};

/// The shape at a node, which an animation may have given `moved_weights`. A skin without JOINTS_0
/// in the mesh is left out, with a warning.
GltfShape shape_of(GltfFile& file, const Section& node, const Section& mesh,
                   const std::optional<std::vector<double>>& moved_weights);

/// Adds the morph targets of a primitive to its vertices, as far as these have the attribute.
/// `texcoords` is the name of its texture coordinates. Returns false if there are fewer targets
/// than weights.
bool add_targets(GltfAttributes& all, const Section& primitive, const std::string& texcoords,
                 const std::vector<double>& weights, GltfPrimitive& to);

/// The joints of a skin: maps from the coordinates of its mesh to the world.
std::vector<Affine> joints_of_skin(GltfFile& file, GltfNodes& nodes, u32 skin);

/// Reads all sets of JOINTS_n and WEIGHTS_n.
void read_joints(GltfAttributes& all, const Section& attributes, GltfPrimitive& to);

/// Puts the vertices in the world: each by the mean of its joints. Triangles that joints mirror are
/// turned, so that their front stays. Returns the number of vertices without weights, which follow
/// their first joint.
u64 put_by_joints(const Section& attributes, const std::vector<Affine>& joints, GltfPrimitive& to);

}  // namespace ballotcast::detail
