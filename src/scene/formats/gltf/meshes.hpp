// The meshes at the nodes of a glTF file, as far as they are triangles, and how they are placed
// (placing.cpp): as copies or as instances.
//
//   nodes       car, house, car
//   copies      mesh.triangles   | car ..| house ....| car ..|
//   instances   mesh.triangles   | car ..| house ....|            and SceneData::instances
//   ids         in both cases    | 0 ....................... |
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/materials.hpp"
#include "scene/formats/gltf/nodes.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {

/// The largest number of triangles of a file, not counting instances. There are two reasons: a mesh
/// of instances has one tree, which is built at once (bvh/binary_tree.hpp), and indices of corners
/// have 31 bits.
inline constexpr u64 kMostInGltf = (u64{1} << 28) - 1;

/// Triangles with one material.
struct GltfPrimitive {
  std::vector<uvec3> triangles;  // indices into the arrays below
  // Empty if the primitive does not have this attribute
  GltfNumbers positions, normals, texcoords, colors;
  std::vector<dvec3> posed;  // if not empty: the positions in the world, computed from joints
  // Four per vertex in each set; only while the primitive is read
  std::vector<GltfNumbers> joints, weights;
  u32 material = 0;    // index in the file; the number of materials if it has none
  bool alpha = false;  // true: the alpha of `colors` is used
  u64 place = 0;       // index into GltfMeshes::place_names
};

struct GltfMesh {
  std::string name;  // "meshes[3]" if the mesh has no name in the file
  std::vector<GltfPrimitive> primitives;
  u64 triangles = 0;
};

/// A mesh at a node.
struct ShownMesh {
  u32 mesh;        // index into GltfMeshes::meshes
  u32 node;        // index in the file
  Affine to_node;  // the transform to the node; see instances_of_node
  // true: joints have placed it in the world, and the transform of its node is ignored
  bool is_skinned;
  Affine to_world;
  u32 name;  // index into GltfMeshes::names
  // Index among the instances of the node; absent if the node lists no instances
  std::optional<u32> number;
};

/// The meshes that the nodes of a file show. Each shape of a mesh is stored once, however many
/// nodes show it.
struct GltfMeshes {
  std::vector<GltfMesh> meshes;  // in the order in which they first occur at nodes
  std::vector<ShownMesh> shown;  // in the order of the nodes
  // Names of nodes with a mesh, or of the mesh if the node has no name
  std::vector<std::string> names;
  std::vector<std::string> place_names;
  bool has_lines_or_points = false;
  bool moves = false;  // true if an animation will move nodes

  /// True if joints place some mesh in the world.
  bool has_skins() const;
  /// The name of a mesh at a node: "door", or if the node lists instances, "tree[0]", "tree[1]".
  std::string name_of(const ShownMesh& at) const;
  /// Computes the transforms of the meshes from the current poses of the nodes.
  void place(GltfNodes& nodes);
  /// The number of triangles of all meshes, and the number of triangles that all nodes show
  /// together.
  u64 triangle_count() const;
  u64 shown_count() const;
};

/// Reads the meshes at the nodes. `attributes` may already have been used for the same file. Throws
/// InputError if an accessor can't be read, or if the meshes have more triangles than a mesh may
/// have. Primitives that are not supported cause warnings.
GltfMeshes meshes_of_nodes(GltfFile& file, GltfNodes& nodes,
                           const std::vector<GltfTexcoords>& texcoords, GltfAttributes& attributes);

// Morph targets and skins, which change the shape of a mesh in a glTF file (glTF 2.0 Specification,
// sections 3.7.2.2 and 3.7.3.3).

/// The shape in which a node shows its mesh. Nodes that show the same mesh in the same shape share
/// its triangles.
struct GltfShape {
  std::optional<u32> skin;
  std::vector<double> weights;  // weights of the morph targets; empty: all are 0

  auto operator<=>(const GltfShape&) const = default;
};

/// The shape of the mesh at a node, for which an animation may have set `moved_weights`. If the
/// mesh has no JOINTS_0, the skin is ignored with a warning.
GltfShape shape_of(GltfFile& file, const Section& node, const Section& mesh,
                   const std::optional<std::vector<double>>& moved_weights);

/// Applies the morph targets of a primitive to those attributes that its vertices have. `texcoords`
/// is the name of its texture coordinates. Returns false if there are fewer targets than weights.
bool add_targets(GltfAttributes& all, const Section& primitive, const std::string& texcoords,
                 const std::vector<double>& weights, GltfPrimitive& to);

/// For each joint of a skin, the transform from the coordinates of the mesh to the world.
std::vector<Affine> joints_of_skin(GltfFile& file, GltfNodes& nodes, u32 skin);

/// Reads all sets JOINTS_n and WEIGHTS_n.
void read_joints(GltfAttributes& all, const Section& attributes, GltfPrimitive& to);

/// Transforms the vertices to the world, each by the weighted mean of the transforms of its joints.
/// If joints mirror a triangle, its corners are reordered so that its front stays the front.
/// Returns the number of vertices without weights, which follow their first joint.
u64 put_by_joints(const Section& attributes, const std::vector<Affine>& joints, GltfPrimitive& to);

/// If copies would have more triangles than this, the meshes become instances, provided that this
/// saves enough memory.
inline constexpr u64 kMostCopied = u64{1} << 24;

/// True if meshes become instances instead of copies. All nodes together show `shown` triangles;
/// the meshes have `distinct` triangles. Copies are better while they are few: hits have the exact
/// bits of triangles at their positions in the file, the scene can be packed, and its vertices can
/// move. But a triangle takes about a hundred bytes including its part of the tree, so above
/// `most_copied` triangles memory is more important. Instances that save less than half of the
/// memory are not used, unless there would be more copies than a mesh may have triangles.
bool copies_cost_too_much(u64 shown, u64 distinct, u64 most_copied = kMostCopied);

/// The triangles of a scene, in the order of the file.
struct GltfTriangles {
  PolygonMesh mesh;
  std::vector<PolygonTriangle> pieces;
};

/// Stores the meshes in `scene`, except their materials. If copies would take too much memory, also
/// stores the instances. If a node can't be an instance (see scene_of_instances), all meshes are
/// copied. The material of a face is its index in the file, or the number of materials for faces
/// without a material. Throws InputError if no triangle is left, if a mesh may not have so many
/// triangles, or if there are too many ids.
GltfTriangles place_meshes(const std::string& path, GltfMeshes meshes,
                           const std::vector<GltfTexcoords>& texcoords, const LoadOptions& options,
                           SceneData& scene);

/// The meshes at their nodes, as instances of the parts of a scene. A node that scales its mesh to
/// a point is left out, because a copy would have no triangle left, either. If nodes move, it
/// becomes a hidden instance instead.
std::vector<PlacedPart> instances_of(const GltfMeshes& meshes);

/// Updates positions and normals of the copies that place_meshes has made, after their nodes or
/// shapes have changed.
void move_copies(const GltfMeshes& meshes, PolygonMesh& copies);

}  // namespace ballotcast::detail
