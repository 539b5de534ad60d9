// The trees of a scene with instances.
#pragma once

#include <functional>
#include <vector>

#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "bvh/statistics.hpp"
#include "kernels/instances.hpp"
#include "scene/instances.hpp"

namespace ballotcast::detail {

/// What a scene with instances has besides the nodes and triangles of its trees; see
/// kernels/instances.hpp. Empty for other scenes.
struct TwoLevels {
  std::vector<WalkInstance> instances;  // in the order of the upper tree's leaves
  std::vector<MeshTree> meshes;         // one per part of the scene
  InstanceBounds bounds;
};

/// The trees in one EncodedBvh, and how they belong together. The shape is that of the upper tree.
///
///   nodes       | upper tree | part 0 | part 1 | ...
///   triangles                | part 0 | part 1 | ...
struct TwoLevelTree {
  EncodedBvh encoded;
  TwoLevels levels;
  // Of all trees together. The depth is that of the upper tree plus that of the deepest below it;
  // the cost is that of the upper tree alone.
  TreeStatistics statistics;
};

/// Builds the tree of a mesh with a builder.
using BuildMesh = std::function<BinaryTree(const Builder& builder, const Mesh& mesh)>;

/// Builds all trees. `layout`: null for the one that suits all of them. Triangles at the same place
/// are all in the trees.
TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build);

}  // namespace ballotcast::detail
