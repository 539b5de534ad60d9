#include <algorithm>
#include <utility>

#include "backends/scene/prepare.hpp"
#include "bvh/layouts/encode.hpp"
#include "bvh/layouts/layouts.hpp"
#include "bvh/ploc/keys.hpp"

namespace ballotcast::detail {
namespace {

/// The builder of the trees over instances. It is the builder of the meshes, unless that one cuts
/// triangles, because instances can't be cut.
Builder upper_builder(const Builder& lower) {
  if (!lower.info->cuts) return lower;
  return builder_called(lower.info->on_machines ? "ploc-reinserted" : "binned-sah");
}

/// The boxes of a world's instances, one for each entry (WorldEntries). Trees need a leaf for every
/// entry. So a hidden instance also has a box: a point among the other boxes. Empty if all
/// instances are hidden.
std::vector<Aabb> boxes_of_world(const SceneData& scene, const std::vector<Aabb>& parts,
                                 const WorldEntries& entries, u32 world, const HasInstance& has) {
  std::vector<Aabb> boxes;
  Aabb centers;
  for (u32 entry = entries.firsts[world]; entry < entries.firsts[world + 1]; ++entry) {
    const u32 instance = entries.instances[entry];
    boxes.push_back(!has || has(instance) ? box_of(scene.instances[instance], parts) : Aabb{});
    if (!boxes.back().empty()) centers.include(ploc::center_of(boxes.back()));
  }
  if (centers.empty()) return {};
  for (Aabb& box : boxes)
    if (box.empty()) box = {centers.low, centers.low};
  return boxes;
}

/// Converts each box to a degenerate triangle that extends from its lowest to its highest corner.
/// So builders of trees over triangles can build a tree over boxes.
Mesh mesh_of_boxes(const std::vector<Aabb>& boxes) {
  Mesh mesh;
  for (const Aabb& box : boxes) {
    const u32 low = static_cast<u32>(mesh.positions.size());
    mesh.positions.push_back(box.low);
    mesh.positions.push_back(box.high);
    mesh.triangles.emplace_back(low, low + 1u, low);
  }
  return mesh;
}

/// Several trees that are stored one after the other.
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

/// Adds the statistics of a tree below the upper tree.
void add(TreeStatistics& all, const TreeStatistics& tree, u64 triangles) {
  const double held =
      all.triangles_per_leaf * static_cast<double>(all.leaves) + static_cast<double>(triangles);
  all.nodes += tree.nodes;
  all.leaves += tree.leaves;
  all.depth = std::max(all.depth, tree.depth);
  all.largest_leaf = std::max(all.largest_leaf, tree.largest_leaf);
  all.triangles_per_leaf = all.leaves > 0 ? held / static_cast<double>(all.leaves) : 0.0;
}

/// The tree over the instances of a world, before it is encoded.
struct UpperTree {
  Mesh boxes;
  BinaryTree tree;
};

/// The trees over the instances of all worlds.
class UpperTrees {
 public:
  UpperTrees(const SceneData& scene, const std::vector<Aabb>& parts, const WorldEntries& entries,
             const Builder& builder, const BuildMesh& build, const HasInstance& has)
      : scene_(scene),
        entries_(entries),
        has_(has),
        bounds_(bounds_of_worlds(scene, parts)),
        trees_(entries_.world_count()) {
    const Builder upper = upper_builder(builder);
    // If there are many trees, they are small, and a GPU is slow at building them
    const bool many = trees_.size() > 1;
    for_each_index(static_cast<u32>(trees_.size()), [&](u32 w) {
      UpperTree& to = trees_[w];
      to.boxes = mesh_of_boxes(boxes_of_world(scene, parts, entries_, w, has));
      if (to.boxes.triangles.empty()) return;
      to.tree = many ? upper.build(to.boxes, {}) : build(upper, to.boxes);
    });
  }

  bool suit(const LayoutInfo& layout) const {
    return std::all_of(trees_.begin(), trees_.end(), [&](const UpperTree& of) {
      return layout_for(of.tree, of.boxes.magnitude()) == &layout;
    });
  }

  TreeStatistics statistics() const {
    TreeStatistics all;
    for (std::size_t w = 0; w < trees_.size(); ++w) {
      const TreeStatistics of = statistics_of(trees_[w].tree);
      if (w == 0) all.sah_cost = of.sah_cost;
      all.nodes += of.nodes;
      all.depth = std::max(all.depth, of.depth);
    }
    return all;
  }

  /// Stores the trees in `levels`, and their common shape in `encoded`. They have the layout of
  /// `encoded`.
  void encode_into(EncodedBvh& encoded, TwoLevels& levels) && {
    dispatch_row(Layouts{}, encoded.layout, [&](auto tag) {
      using Layout = typename decltype(tag)::type;
      using Node = typename Layout::Node;
      EncodedNodes all = room_for<Node>(entries_.instances.size(), {});
      std::fill(all.nodes.begin(), all.nodes.end(), NodeBytes{});
      levels.instances.assign(entries_.instances.size(), {});
      levels.to_scene.assign(entries_.instances.size(), kHidden);
      levels.worlds.assign(trees_.size() + 1, empty_world());
      for_each_index(static_cast<u32>(trees_.size()), [&](u32 w) {
        if (trees_[w].tree.nodes.empty()) return;
        encode_world<Layout>(w, nodes_in<Node>(all), levels);
      });
      for (const WorldTree& world : levels.worlds)
        all.shape.depth = std::max(all.shape.depth, world.frame.shape.depth);
      levels.upper = std::move(all);
    });
    encoded.shape = levels.upper.shape;
  }

 private:
  template <class Layout>
  void encode_world(u32 world, typename Layout::Node* nodes, TwoLevels& levels) const {
    const BinaryTree& tree = trees_[world].tree;
    const u32 first = entries_.firsts[world];
    EncodedNodes own = Layout::encode(tree, trees_[world].boxes.magnitude());
    const auto* from = nodes_in<typename Layout::Node>(own);
    for (std::size_t i = 0; i < own.bytes / sizeof *from; ++i) {
      nodes[first + i] = from[i];
      move_references(nodes[first + i], first, first);
    }
    const InstanceBounds& bounds = bounds_[world];
    levels.worlds[world] = {{own.shape, bounds.magnitude}, bounds.slack, bounds.least_slope};
    u32& root = levels.worlds[world].frame.shape.root;
    root = moved_reference(root, first, first);
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
      const u32 index = entries_.instances[first + tree.order[i]];
      SceneInstance instance = scene_.instances[index];
      if (has_ && !has_(index)) instance.to_scene = kHidden;
      levels.instances[first + i] = walk_instance(instance, index);
      levels.to_scene[first + i] = instance.to_scene;
    }
  }

  const SceneData& scene_;
  const WorldEntries& entries_;
  const HasInstance has_;
  const std::vector<InstanceBounds> bounds_;
  std::vector<UpperTree> trees_;
};

}  // namespace

TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build,
                              const HasInstance& has) {
  TwoLevelTree out;
  out.levels.boxes = boxes_of_parts(scene);
  out.levels.entries = entries_of_worlds(scene);
  UpperTrees upper(scene, out.levels.boxes, out.levels.entries, builder, build, has);
  std::vector<bool> needed(scene.parts.size(), !has);
  for (u32 i = 0; i < scene.instances.size(); ++i)
    if (has && has(i)) needed[scene.instances[i].mesh] = true;
  bool suits = upper.suit(AutoLayout::info);
  std::vector<Mesh> meshes;
  std::vector<BinaryTree> trees;
  for (u32 i = 0; i < scene.parts.size(); ++i) {
    meshes.push_back(needed[i] ? mesh_of_part(scene, i) : Mesh{});
    trees.push_back(meshes[i].triangles.empty() ? BinaryTree{} : build(builder, meshes[i]));
    suits = suits && layout_for(trees[i], meshes[i].magnitude()) == &AutoLayout::info;
  }
  if (!layout) layout = suits ? &AutoLayout::info : &bvh2::Layout::info;

  TreeRow row(layout);
  for (u32 i = 0; i < trees.size(); ++i) {
    const u64 triangles = trees[i].order.size();
    add(out.statistics, statistics_of(trees[i]), triangles);
    const EncodedBvh tree = encode(layout, std::move(trees[i]), meshes[i]);
    out.levels.meshes.push_back({row.next_node(),
                                 row.next_row(),
                                 scene.parts[i].first,
                                 scene.parts[i].count,
                                 {tree.shape, meshes[i].magnitude()}});
    row.append(tree);
    meshes[i] = {};
  }
  out.encoded = row.take();
  const TreeStatistics above = upper.statistics();
  out.statistics.nodes += above.nodes;
  out.statistics.depth += above.depth;
  out.statistics.sah_cost = above.sah_cost;
  std::move(upper).encode_into(out.encoded, out.levels);
  return out;
}

void rebuild_upper_trees(const SceneData& scene, const Builder& builder, const BuildMesh& build,
                         EncodedBvh& encoded, TwoLevels& levels) {
  UpperTrees(scene, levels.boxes, levels.entries, builder, build, {}).encode_into(encoded, levels);
}

}  // namespace ballotcast::detail
