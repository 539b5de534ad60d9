#include "backends/cpu/wide_scene.hpp"

#include "bvh/layouts/table.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// From this number of rays per triangle on, a wide tree saves more time than building it takes.
constexpr double kRaysPerTriangle = 0.5;

}  // namespace

bool WideScene::is_worth_it(u64 rays) {
  if (!trees_.empty()) return true;
  rays_ += rays;
  const auto triangles = static_cast<double>(scene_.encoded.triangles.size());
  if (static_cast<double>(rays_) < kRaysPerTriangle * triangles) return false;
  make();
  return true;
}

void WideScene::follow(Moved moved) {
  if (moved != Moved::vertices) return;
  trees_.clear();
  rays_ = 0;
}

void WideScene::make() {
  const EncodedBvh& encoded = scene_.encoded;
  const std::vector<MeshTree>& meshes = scene_.levels.meshes;
  const TriangleRows* const triangles = encoded.triangles.data();
  // Keep all of the new trees or none, because building may be stopped early.
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
}

}  // namespace ballotcast::detail
