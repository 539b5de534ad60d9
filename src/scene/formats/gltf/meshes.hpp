// The meshes at the nodes of a glTF file, as far as they are triangles, and how they are put there
// (placing.cpp): as copies or as instances.
//
//   nodes       car, house, car
//   copies      mesh.triangles   | car ..| house ....| car ..|
//   instances   mesh.triangles   | car ..| house ....|            and SceneData::instances
//   ids         the same         | 0 ....................... |
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

/// The most triangles of a file, not counting instances. There are two reasons: a mesh of instances
/// has one tree, which is built as a whole (bvh/binary_tree.hpp), and indices of corners have 31
/// bits.
inline constexpr u64 kMostInGltf = (u64{1} << 28) - 1;

/// Triangles with one material.
struct GltfPrimitive {
  std::vector<uvec3> triangles;                       // indices into the arrays below
  GltfNumbers positions, normals, texcoords, colors;  // empty if the primitive has none
  std::vector<dvec3> posed;  // if not empty: the positions, put in the world by joints
  std::vector<GltfNumbers> joints, weights;  // only while it is read: four per vertex in each set
  u32 material = 0;                          // index in the file; the number of its materials: none
  bool alpha = false;                        // true: the alpha of `colors` counts
  u64 place = 0;                             // index into GltfMeshes::place_names
};

struct GltfMesh {
  std::string name;  // "meshes[3]" if the file gives none
  std::vector<GltfPrimitive> primitives;
  u64 triangles = 0;
};

/// A mesh at a node.
struct ShownMesh {
  u32 mesh;         // index into GltfMeshes::meshes
  u32 node;         // index in the file
  Affine to_node;   // see instances_of_node
  bool is_skinned;  // true: joints have put it in the world; its node does not count
  Affine to_world;
  u32 name;                   // index into GltfMeshes::names
  std::optional<u32> number;  // among the instances of the node; absent: it lists none
};

/// What the nodes of a file show. Each shape of a mesh is here once, however many nodes show it.
struct GltfMeshes {
  std::vector<GltfMesh> meshes;    // in the order in which nodes show them first
  std::vector<ShownMesh> shown;    // in the order of the nodes
  std::vector<std::string> names;  // of nodes with a mesh; of the mesh if the node has none
  std::vector<std::string> place_names;
  bool has_lines_or_points = false;
  bool moves = false;  // true: an animation will move nodes

  /// True if some mesh is put in the world by joints.
  bool has_skins() const;
  /// What a mesh at a node is called: "door", or if the node lists instances, "tree[0]", "tree[1]".
  std::string name_of(const ShownMesh& at) const;
  /// Puts the meshes where the nodes are now.
  void place(GltfNodes& nodes);
  /// The triangles of all meshes, and those of all nodes together.
  u64 triangle_count() const;
  u64 shown_count() const;
};

/// Reads the meshes at the nodes; `attributes` may have been used for the same file before. Throws
/// InputError if an accessor can't be read, or if the meshes have more triangles than a mesh may
/// have. Primitives that are not drawn give warnings.
GltfMeshes meshes_of_nodes(GltfFile& file, GltfNodes& nodes,
                           const std::vector<GltfTexcoords>& texcoords, GltfAttributes& attributes);

// What changes the shape of a mesh in a glTF file: morph targets and skins (glTF 2.0 Specification,
// sections 3.7.2.2 and 3.7.3.3).

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

/// For each joint of a skin, the map from the coordinates of the mesh to the world.
std::vector<Affine> joints_of_skin(GltfFile& file, GltfNodes& nodes, u32 skin);

/// Reads all sets of JOINTS_n and WEIGHTS_n.
void read_joints(GltfAttributes& all, const Section& attributes, GltfPrimitive& to);

/// Puts the vertices in the world, each by the weighted mean of the maps of its joints. Triangles
/// that joints mirror are turned, so that their front stays. Returns the number of vertices without
/// weights, which follow their first joint.
u64 put_by_joints(const Section& attributes, const std::vector<Affine>& joints, GltfPrimitive& to);

/// If copies would have more triangles than this, instances replace them, provided that they save
/// enough.
inline constexpr u64 kMostCopied = u64{1} << 24;

/// True if meshes become instances instead of copies. All nodes together show `shown` triangles;
/// the meshes have `distinct` ones. Copies are better while they are cheap: hits have the exact
/// bits of triangles that are where the file puts them, the scene can be packed, and its vertices
/// can move. But a triangle takes about a hundred bytes with its part of the tree, so above
/// `most_copied` memory decides. Instances that save less than half of it are not worth it, unless
/// copies would be more triangles than a mesh may have.
bool copies_cost_too_much(u64 shown, u64 distinct, u64 most_copied = kMostCopied);

/// The triangles of a scene, as they stand in the file.
struct GltfTriangles {
  PolygonMesh mesh;
  std::vector<PolygonTriangle> pieces;
};

/// Fills in the mesh of `scene`, except its materials. If copies cost too much, also fills in the
/// instances. If a node can't be an instance (see scene_of_instances), all are copied. The material
/// of a face is the index in the file, or the number of its materials for faces without one. Throws
/// InputError if no triangle is left, if a mesh may not have so many triangles, or if there are too
/// many ids.
GltfTriangles place_meshes(const std::string& path, GltfMeshes meshes,
                           const std::vector<GltfTexcoords>& texcoords, const LoadOptions& options,
                           SceneData& scene);

/// The meshes at their nodes, as instances of the parts of a scene. A node that shrinks its mesh to
/// a point is left out, because a copy would have no triangle left, either. If nodes move, it is a
/// hidden instance instead.
std::vector<PlacedPart> instances_of(const GltfMeshes& meshes);

/// Replaces positions and normals of the copies that place_meshes has made, after their nodes or
/// shapes have changed.
void move_copies(const GltfMeshes& meshes, PolygonMesh& copies);

}  // namespace ballotcast::detail
