// The wide trees of a scene, with which the CPU casts many rays.
#pragma once

#include <utility>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "bvh/layouts/layouts.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "support/give_back.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// The wide trees of a prepared scene, which must outlive them. They are built as soon as so many
/// rays have been cast that building pays off, and again after vertices have moved. Hits do not
/// depend on the trees that are used.
class WideScene {
 public:
  explicit WideScene(const PreparedScene& scene) : scene_(scene) {}

  /// Call this function before `rays` rays are cast. Returns false if the rays should still be cast
  /// through the trees of the layout.
  bool is_worth_it(u64 rays);

  /// Call this function when something has moved, because the trees are then outdated.
  void follow(Moved moved);

  /// The tree of a scene without instances. Call this function only after is_worth_it() returned
  /// true.
  const WideTree& tree() const { return trees_.front(); }
  /// The tree of a mesh of a scene with instances.
  const WideTree& tree_of_mesh(std::size_t mesh) const { return trees_[mesh]; }

 private:
  void make();

  const PreparedScene& scene_;
  std::vector<WideTree> trees_;
  u64 rays_ = 0;            // number of rays that were cast since the trees were made or dropped
  bool has_moved_ = false;  // true if vertices have moved
};

/// From this number of rays per triangle on, a wide tree saves more time than building it takes.
inline constexpr double kRaysPerTriangle = 0.5;

inline bool WideScene::is_worth_it(u64 rays) {
  if (!trees_.empty()) return true;
  rays_ += rays;
  const auto triangles = static_cast<double>(scene_.encoded.triangles.size());
  if (static_cast<double>(rays_) < kRaysPerTriangle * triangles) return false;
  make();
  return true;
}

inline void WideScene::follow(Moved moved) {
  if (moved != Moved::vertices) return;
  trees_.clear();
  rays_ = 0;
  has_moved_ = true;
}

inline void WideScene::make() {
  const EncodedBvh& encoded = scene_.encoded;
  const std::vector<MeshTree>& meshes = scene_.levels.meshes;
  const TriangleRows* const triangles = encoded.triangles.data();
  // The new trees replace the old ones only when all are finished, because building may be stopped
  // early.
  std::vector<WideTree> made(meshes.empty() ? 1 : meshes.size());
  dispatch_row(Layouts{}, encoded.layout, [&](auto tag) {
    using Node = typename decltype(tag)::type::Node;
    const auto* nodes = reinterpret_cast<const Node*>(encoded.nodes.data());
    const auto all = static_cast<u32>(encoded.bytes / sizeof(Node));
    if (meshes.empty())
      made[0] = widened({encoded.layout, nodes, all, encoded.shape, encoded.leaves, triangles});
    for_each_index<std::size_t>(meshes.size(), [&](std::size_t i) {
      const MeshTree& mesh = meshes[i];
      const u32 end = i + 1 < meshes.size() ? meshes[i + 1].first_node : all;
      made[i] = widened({encoded.layout,
                         nodes + mesh.first_node,
                         end - mesh.first_node,
                         mesh.frame.shape,
                         {},
                         triangles + mesh.first_row});
    });
  });
  trees_ = std::move(made);
  // The C library would keep the memory that building has freed. If vertices move, the next build
  // soon needs this memory again.
  constexpr std::size_t kLargeScene = 1u << 17;  // in triangles; in smaller scenes it is little
  if (!has_moved_ && encoded.triangles.size() >= kLargeScene) give_back_freed();
}

}  // namespace ballotcast::detail
