#include "backends/two_levels.hpp"

#include <algorithm>
#include <cstring>

#include "bvh/layouts/table.hpp"

namespace ballotcast::detail {
namespace {

/// Builds the upper tree, too. It must not cut what it is built over.
Builder upper_builder(const Builder& lower) {
  if (!lower.info->cuts) return lower;
  return builder_called(lower.info->on_machines ? "ploc-reinserted" : "binned-sah");
}

/// The boxes of instances as triangles that go from the lowest corner to the highest and back, so
/// that builders of trees over triangles can build one over them. `instances`: which box is whose.
struct BoxMesh {
  Mesh mesh;
  std::vector<u32> instances;

  explicit BoxMesh(const std::vector<Aabb>& boxes) {
    for (u32 i = 0; i < boxes.size(); ++i) {
      if (boxes[i].empty()) continue;
      const u32 low = static_cast<u32>(mesh.positions.size());
      mesh.positions.push_back(boxes[i].low);
      mesh.positions.push_back(boxes[i].high);
      mesh.triangles.emplace_back(low, low + 1u, low);
      instances.push_back(i);
    }
  }
};

/// Several trees behind one another.
class TreeRow {
 public:
  explicit TreeRow(const LayoutInfo* layout) {
    encoded_.layout = layout;
    dispatch_row(Layouts{}, layout,
                 [&](auto tag) { node_bytes_ = sizeof(typename decltype(tag)::type::Node); });
  }

  u32 next_node() const {
    return static_cast<u32>(nodes_.size() * sizeof(NodeBytes) / node_bytes_);
  }
  u32 next_row() const { return static_cast<u32>(rows_.size()); }

  void append(const EncodedBvh& tree) {
    nodes_.insert(nodes_.end(), tree.nodes.begin(), tree.nodes.end());
    rows_.insert(rows_.end(), tree.triangles.begin(), tree.triangles.end());
  }

  EncodedBvh take() {
    encoded_.bytes = nodes_.size() * sizeof(NodeBytes);
    encoded_.nodes = std::move(nodes_);
    encoded_.triangles = std::move(rows_);
    return std::move(encoded_);
  }

 private:
  EncodedBvh encoded_;
  std::size_t node_bytes_ = 1;
  std::vector<NodeBytes> nodes_;
  std::vector<TriangleRows> rows_;
};

/// Adds the statistics of a tree below the upper one.
void add(TreeStatistics& all, const TreeStatistics& tree, u64 triangles) {
  const double held =
      all.triangles_per_leaf * static_cast<double>(all.leaves) + static_cast<double>(triangles);
  all.nodes += tree.nodes;
  all.leaves += tree.leaves;
  all.depth = std::max(all.depth, tree.depth);
  all.largest_leaf = std::max(all.largest_leaf, tree.largest_leaf);
  all.triangles_per_leaf = all.leaves > 0 ? held / static_cast<double>(all.leaves) : 0.0;
}

/// The instances in the order of the upper tree's leaves.
std::vector<WalkInstance> walk_instances(const SceneData& scene, const std::vector<u32>& order,
                                         const std::vector<u32>& instances) {
  std::vector<WalkInstance> out;
  out.reserve(order.size());
  for (const u32 box : order) {
    const SceneInstance& instance = scene.instances[instances[box]];
    out.push_back(
        {inverse_of(instance.to_scene), instance.mesh, instance.first_id, instances[box]});
  }
  return out;
}

/// The tree over the instances, before it is encoded.
struct UpperTree {
  BoxMesh boxes;
  BinaryTree tree;

  UpperTree(const SceneData& scene, const std::vector<Aabb>& parts, const Builder& builder,
            const BuildMesh& build)
      : boxes(boxes_of_instances(scene, parts)) {
    if (!boxes.mesh.triangles.empty()) tree = build(upper_builder(builder), boxes.mesh);
  }

  bool suits(const LayoutInfo& layout) const {
    return layout_for(tree, boxes.mesh.magnitude()) == &layout;
  }

  /// Stores it in `levels`, and its shape in `encoded`, whose layout it takes.
  void encode_into(EncodedBvh& encoded, TwoLevels& levels, const SceneData& scene) && {
    levels.instances = walk_instances(scene, tree.order, boxes.instances);
    levels.upper = encode(encoded.layout, std::move(tree), boxes.mesh);
    encoded.shape = levels.upper.shape;
  }
};

}  // namespace

TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build) {
  const std::vector<Aabb> parts = boxes_of_parts(scene);
  UpperTree upper(scene, parts, builder, build);
  bool suits = upper.suits(AutoLayout::info);
  std::vector<Mesh> meshes;
  std::vector<BinaryTree> trees;
  for (u32 i = 0; i < scene.parts.size(); ++i) {
    meshes.push_back(mesh_of_part(scene, i));
    trees.push_back(meshes[i].triangles.empty() ? BinaryTree{} : build(builder, meshes[i]));
    suits = suits && layout_for(trees[i], meshes[i].magnitude()) == &AutoLayout::info;
  }
  if (!layout) layout = suits ? &AutoLayout::info : &bvh2::Layout::info;

  TwoLevelTree out;
  out.levels.bounds = bounds_of_instances(scene, parts);
  out.levels.boxes = parts;
  TreeRow row(layout);
  for (u32 i = 0; i < trees.size(); ++i) {
    const u64 triangles = trees[i].order.size();
    add(out.statistics, statistics_of(trees[i]), triangles);
    const EncodedBvh tree = encode(layout, std::move(trees[i]), meshes[i]);
    out.levels.meshes.push_back({row.next_node(),
                                 row.next_row(),
                                 scene.parts[i].first,
                                 {tree.shape, meshes[i].magnitude()}});
    row.append(tree);
    meshes[i] = {};
  }
  out.encoded = row.take();
  const TreeStatistics above = statistics_of(upper.tree);
  out.statistics.nodes += above.nodes;
  out.statistics.depth += above.depth;
  out.statistics.sah_cost = above.sah_cost;
  std::move(upper).encode_into(out.encoded, out.levels, scene);
  return out;
}

void rebuild_upper_tree(const SceneData& scene, const Builder& builder, const BuildMesh& build,
                        EncodedBvh& encoded, TwoLevels& levels) {
  levels.bounds = bounds_of_instances(scene, levels.boxes);
  UpperTree(scene, levels.boxes, builder, build).encode_into(encoded, levels, scene);
}

}  // namespace ballotcast::detail
