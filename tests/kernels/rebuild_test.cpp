// Compares trees that kernels rebuild for moved vertices with trees that the host builds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/emulated_build_machine.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "kernels/build/device_tree.hpp"

namespace ballotcast::detail {
namespace rebuild_test {

/// A tree on the emulated machine, with the memory that a cast needs.
template <class Layout>
class Caster {
 public:
  Caster(const Mesh& mesh, u64 seed, u32 deepest = kDeepestLevel)
      : mesh_(mesh),
        machine_(seed),
        tree_(machine_, build_ploc(mesh)),
        nodes_(mesh.triangles.size() * sizeof(typename Layout::Node) / sizeof(NodeBytes) + 1),
        rows_(mesh.triangles.size()) {
    tree_.reserve(machine_, deepest);
  }

  void refit(const Mesh& mesh) {
    tree_.template refit<Layout>(machine_, mesh.positions.data(), mesh.triangles.data(), nodes(),
                                 rows_.data(), &frame_);
  }
  void rebuild(const Mesh& mesh) {
    tree_.template rebuild<Layout>(machine_, mesh.positions.data(), mesh.triangles.data(), nodes(),
                                   rows_.data(), &frame_);
  }
  u32 refused() const { return tree_.state()->refused; }

  /// Expects the nodes and triangles that the host encodes for `tree`.
  void expect_same(const BinaryTree& tree, const Mesh& mesh) const {
    const EncodedBvh expected = encode(&Layout::info, tree, mesh);
    if (expected.bytes > 0) {  // grid2 has no node if the root is a leaf
      EXPECT_EQ(std::memcmp(nodes_.data(), expected.nodes.data(), expected.bytes), 0);
    }
    ASSERT_EQ(rows_.size(), expected.triangles.size());
    EXPECT_EQ(
        std::memcmp(rows_.data(), expected.triangles.data(), rows_.size() * sizeof(TriangleRows)),
        0);
    EXPECT_EQ(std::memcmp(&frame_.shape, &expected.shape, sizeof frame_.shape), 0);
    EXPECT_EQ(frame_.magnitude, mesh.magnitude());
  }

 private:
  auto* nodes() { return reinterpret_cast<typename Layout::Node*>(nodes_.data()); }

  const Mesh& mesh_;
  EmulatedBuildMachine machine_;
  DeviceTree<EmulatedBuildMachine> tree_;
  std::vector<NodeBytes> nodes_;
  std::vector<TriangleRows> rows_;
  WalkFrame frame_{};
};

/// The tree of mesh `built`, refitted to the vertices of mesh `later`.
BinaryTree refitted(const Mesh& built, const Mesh& later) {
  FollowingTree tree(build_ploc(built), built);
  EncodedBvh encoded = encode(&grid2::Layout::info, tree.tree(), built);
  store_triangles_again(encoded, tree.tree(), later);
  tree.refit(encoded.triangles.data());
  return tree.tree();
}

/// The same triangles at other places, so that keys, leaves and the depth of the tree differ.
Mesh scattered(Mesh mesh, u32 seed) {
  u32 state = seed;
  const auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) * 0x1p-22f - 2.0f;
  };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const vec3 at = {next(), next() * 3.0f, next()};
    const uvec3 t = mesh.triangles[i];
    for (const u32 corner : {t.x, t.y, t.z})
      mesh.positions[corner] = mesh.positions[corner] * 0.2f + at;
  }
  return mesh;
}

/// The same triangles, all in the same place.
Mesh stacked(Mesh mesh) {
  for (const uvec3& t : mesh.triangles) {
    mesh.positions[t.x] = {0, 0, 0};
    mesh.positions[t.y] = {1, 0, 0};
    mesh.positions[t.z] = {0, 1, 0};
  }
  return mesh;
}

/// The same triangles, each twice as far away and twice as large as the previous one. Their tree
/// has one leaf per level.
Mesh chained(Mesh mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const float far = std::ldexp(1.0f, static_cast<int>(i) - 75);
    const uvec3 t = mesh.triangles[i];
    mesh.positions[t.x] = {far, 0, 0};
    mesh.positions[t.y] = {far, far, 0};
    mesh.positions[t.z] = {far, 0, far};
  }
  return mesh;
}

template <class Layout>
void expect_host_trees(const Mesh& mesh, u64 seed) {
  Caster<Layout> caster(mesh, seed);
  const Mesh there = scattered(mesh, 5), again = scattered(mesh, 9), stack = stacked(mesh);
  for (const Mesh* each : {&there, &mesh, &stack, &again, &again}) {
    caster.rebuild(*each);
    caster.expect_same(build_ploc(*each), *each);
    const Mesh later = scattered(*each, 7);
    caster.refit(later);
    caster.expect_same(refitted(*each, later), later);
  }
  EXPECT_EQ(caster.refused(), 0u);
}

TEST(RebuildKernels, make_the_trees_of_the_host_with_any_order_of_lanes) {
  constexpr u32 kMost = testing::kSanitized ? 300 : 3000;
  for (const Mesh& mesh : {testing::soup(1, 1), testing::soup(2, 2), testing::soup(8, 2),
                           testing::soup(9, 2), testing::soup(40, 3), testing::soup(kMost, 4)})
    for (const u64 seed : {0u, 1u, 2u}) {
      SCOPED_TRACE(std::to_string(mesh.triangles.size()) + " triangles, seed " +
                   std::to_string(seed));
      expect_host_trees<bvh2::Layout>(mesh, seed);
      expect_host_trees<grid2::Layout>(mesh, seed);
    }
}

TEST(RebuildKernels, rebuild_meshes_that_share_vertices) {
  const Mesh mesh = testing::sphere(20);
  const Mesh flat = [](Mesh sphere) {
    for (vec3& p : sphere.positions) p.y = 0.25f;
    return sphere;
  }(mesh);
  Caster<grid2::Layout> caster(mesh, 1);
  for (const Mesh* each : {&flat, &mesh}) {
    caster.rebuild(*each);
    caster.expect_same(build_ploc(*each), *each);
  }
}

template <class Layout>
void expect_refit_of_too_deep(u64 seed) {
  const Mesh mesh = testing::soup(110, 3), chain = chained(mesh), there = scattered(mesh, 5);
  Caster<Layout> caster(mesh, seed);
  caster.rebuild(chain);
  caster.expect_same(refitted(mesh, chain), chain);
  EXPECT_EQ(caster.refused(), 1u);
  caster.rebuild(there);
  caster.expect_same(build_ploc(there), there);
  caster.rebuild(chain);
  caster.rebuild(chain);
  caster.expect_same(refitted(there, chain), chain);
  EXPECT_EQ(caster.refused(), 3u);
  caster.refit(mesh);
  caster.expect_same(refitted(there, mesh), mesh);
}

TEST(RebuildKernels, refit_if_the_new_tree_is_too_deep) {
  for (const u64 seed : {0u, 1u}) {
    expect_refit_of_too_deep<bvh2::Layout>(seed);
    expect_refit_of_too_deep<grid2::Layout>(seed);
  }
}

TEST(RebuildKernels, refuse_trees_that_are_deeper_than_said) {
  const Mesh mesh = testing::soup(500, 3), there = scattered(mesh, 5);
  const u32 depth = build_ploc(there).depth;
  Caster<grid2::Layout> shallow(mesh, 1, depth - 1), deep(mesh, 1, depth);
  shallow.rebuild(there);
  shallow.expect_same(refitted(mesh, there), there);
  EXPECT_EQ(shallow.refused(), 1u);
  deep.rebuild(there);
  deep.expect_same(build_ploc(there), there);
  EXPECT_EQ(deep.refused(), 0u);
}

TEST(RebuildKernels, survive_vertices_that_no_mesh_may_have) {
  const Mesh mesh = testing::soup(300, 3), there = scattered(mesh, 5);
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), kInfinite, 1e30f, -3e38f}) {
    Caster<grid2::Layout> caster(mesh, 1);
    Mesh broken = mesh;
    for (std::size_t i = 0; i < broken.positions.size(); ++i)
      if (i % 7 < 3) broken.positions[i] = vec3(bad, i % 2 ? bad : -bad, 0.0f);
    caster.rebuild(broken);
    EXPECT_EQ(caster.refused(), 1u);
    caster.rebuild(there);
    caster.expect_same(build_ploc(there), there);
  }
}

}  // namespace rebuild_test
}  // namespace ballotcast::detail
