// The trees of a scene with instances.
#pragma once

#include <functional>
#include <vector>

#include "bvh/builders/builder.hpp"
#include "bvh/checks.hpp"
#include "bvh/layouts/layout.hpp"
#include "kernels/instances.hpp"
#include "scene/instances.hpp"

namespace ballotcast::detail {

/// What a scene with instances has besides the lower trees; see kernels/instances.hpp. Empty for
/// other scenes.
struct TwoLevels {
  // The upper trees. The nodes of a world begin at its first seat, and there are at most as many as
  // seats; the rest is 0.
  EncodedNodes upper;
  std::vector<WalkInstance> instances;  // in each world in the order of the tree's leaves
  std::vector<Transform> to_scene;      // of each of these
  std::vector<MeshTree> meshes;         // one per part of the scene
  std::vector<WorldTree> worlds;        // one more than there are worlds; the last is empty
  Seats seats;
  std::vector<Aabb> boxes;  // of the parts
};

/// Builds the tree of a mesh with a builder.
using BuildMesh = std::function<BinaryTree(const Builder& builder, const Mesh& mesh)>;

/// All trees of a scene with instances. `encoded` holds the lower ones, one behind the other, and
/// the shape of the upper one.
struct TwoLevelTree {
  EncodedBvh encoded;
  TwoLevels levels;
  // Of all trees together. The depth is that of the deepest upper tree plus that of the deepest
  // below it; the cost is that of the upper tree of world 0 alone.
  TreeStatistics statistics;
};

/// True for the instances that a part of a scene has. Null: it has all.
using HasInstance = std::function<bool(u32 instance)>;

/// Builds all trees. `layout`: null for the one that suits all of them. Triangles at the same place
/// are all in the trees. Instances for which `has` is false are as if they were hidden, and meshes
/// without instances have no tree; the bounds of worlds are those of all instances.
TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build,
                              const HasInstance& has = {});

/// Builds the upper trees anew, after instances have moved.
void rebuild_upper_trees(const SceneData& scene, const Builder& builder, const BuildMesh& build,
                         EncodedBvh& encoded, TwoLevels& levels);

}  // namespace ballotcast::detail
