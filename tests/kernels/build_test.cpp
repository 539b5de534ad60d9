// Compares the kernels that build trees with the builders on the host.
#include "kernels/build/build.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "bvh/builders/builder.hpp"
#include "bvh/host_build_machine.hpp"
#include "bvh/layouts/layouts.hpp"
#include "bvh/ploc/host_join.hpp"
#include "bvh/tree_checks.hpp"
#include "helpers/emulated_build_machine.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {
namespace build_test {

using ploc::TriangleView;

TriangleView view_of(const Mesh& mesh, const std::vector<u32>& ids = {}) {
  return {mesh.positions.data(), mesh.triangles.data(), ids.empty() ? nullptr : ids.data(),
          static_cast<u32>(ids.empty() ? mesh.triangles.size() : ids.size())};
}

/// A mesh of long thin triangles in all directions, near small triangles.
Mesh needles(u32 count) {
  Mesh mesh = testing::soup(count, 5);
  for (u32 i = 0; i < count; i += 10) {
    const u32 corner = mesh.triangles[i].x;
    mesh.positions[corner] = mesh.positions[corner] * 20.0f;
  }
  return mesh;
}

/// A mesh whose corners lie on a coarse grid, so that many moves of reinsertion gain the same.
Mesh coarse(u32 count) {
  Mesh mesh = testing::soup(count, 6);
  for (vec3& p : mesh.positions) p = glm::round(p * 2.0f);
  return mesh;
}

/// The tree that the host builds by PLOC, which may be deep.
BinaryTree host_tree(const Mesh& mesh, const std::vector<u32>& ids = {}) {
  const TriangleView view = view_of(mesh, ids);
  return ploc::tree_of(ploc::join_on_host(view, ploc::grid_of(view), {}));
}

BinaryTree emulated_tree(const Mesh& mesh, u64 seed, const std::vector<u32>& ids = {},
                         u32 rounds = 0, bool presplit = false) {
  EmulatedBuildMachine machine(seed);
  ploc::Build<EmulatedBuildMachine> build(machine, view_of(mesh, ids));
  build.build({presplit, rounds});
  return build.tree();
}

void expect_same(const BinaryTree& a, const BinaryTree& b) {
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.order, b.order);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  EXPECT_EQ(std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(Node2)), 0);
}

TEST(BuildKernels, make_the_tree_of_their_twin_with_any_order_of_lanes) {
  Mesh equal;  // all keys and all boxes are equal
  equal.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  equal.triangles.assign(700, {0, 1, 2});
  Mesh flat = testing::soup(900, 8);
  for (vec3& p : flat.positions) p.z = 0.25f;
  const Mesh meshes[] = {testing::soup(1, 1),
                         testing::soup(2, 2),
                         testing::soup(16, 3),
                         testing::soup(17, 4),
                         testing::soup(33, 5),
                         testing::soup(3000, 6),
                         testing::soup(4096, 7),
                         testing::sphere(30),
                         equal,
                         flat};
  for (const Mesh& mesh : meshes) {
    const BinaryTree twin = host_tree(mesh);
    for (const u64 seed : {0u, 1u, 2u, 3u}) {
      SCOPED_TRACE(std::to_string(mesh.triangles.size()) + " triangles, seed " +
                   std::to_string(seed));
      expect_same(emulated_tree(mesh, seed), twin);
    }
  }
}

TEST(BuildKernels, copy_trees_to_the_host_in_parts) {
  for (const Mesh& mesh : {testing::soup(1, 1), testing::soup(300, 2)})
    for (const u32 rounds : {0u, 2u})
      for (const u32 at_once : {1u, 7u, 64u}) {
        EmulatedBuildMachine machine(1);
        ploc::Build<EmulatedBuildMachine> build(machine, view_of(mesh));
        build.build({false, rounds});
        expect_same(build.tree(at_once), reinserted(build_ploc(mesh), rounds));
      }
}

TEST(BuildKernels, reinsert_as_their_twin_with_any_order_of_lanes) {
  constexpr u32 kMost = testing::kSanitized ? 1500 : 9000;
  for (const Mesh& mesh : {testing::soup(3, 1), testing::soup(40, 2), testing::soup(kMost / 3, 3),
                           testing::sphere(30), testing::soup(kMost, 4), coarse(kMost)})
    for (const u32 rounds : {1u, 4u}) {
      const BinaryTree twin = reinserted(build_ploc(mesh), rounds);
      for (const u64 seed : {0u, 1u, 2u}) {
        SCOPED_TRACE(std::to_string(mesh.triangles.size()) + " triangles, seed " +
                     std::to_string(seed));
        expect_same(emulated_tree(mesh, seed, {}, rounds), twin);
      }
    }
}

TEST(BuildKernels, leave_a_tree_without_rounds_as_it_is) {
  const BinaryTree tree = build_ploc(testing::soup(3000, 3));
  expect_same(reinserted(tree, 0), tree);  // the input may also come from a machine
}

TEST(BuildKernels, cut_triangles_as_their_twin_with_any_order_of_lanes) {
  constexpr u32 kMost = testing::kSanitized ? 2000 : 12000;
  for (const Mesh& mesh : {needles(300), needles(kMost), testing::soup(3000, 3), coarse(kMost)})
    for (const u64 seed : {0u, 1u, 2u})
      expect_same(emulated_tree(mesh, seed, {}, 2, true), reinserted(build_ploc_presplit(mesh), 2));
}

TEST(BuildKernels, cut_long_triangles_where_cells_are_halved) {
  const Mesh mesh = needles(12000);
  HostBuildMachine machine;
  const ploc::Fragments fragments(machine, view_of(mesh));
  const TriangleView& view = fragments.view();
  EXPECT_GT(view.count, 12000u);
  EXPECT_LE(view.count, 15600u);
  std::vector<Aabb> boxes(12000);  // by triangle: the box of all its fragments
  std::map<u32, u32> in_cell;      // by cell: the number of elements
  for (u32 i = 0; i < view.count; ++i) {
    EXPECT_TRUE(view_of(mesh).box(view.id(i)).contains(view.box(i)));
    boxes[view.id(i)].include(view.box(i));
    ++in_cell[view.ways[i]];
  }
  for (u32 id = 0; id < 12000; ++id) EXPECT_TRUE(boxes[id].contains(view_of(mesh).box(id))) << id;
  EXPECT_GT(in_cell.size(), 8u);
  for (const auto& [way, count] : in_cell) EXPECT_LT(count, 2 * ploc::kMostInCell) << way;
}

TEST(BuildKernels, cut_only_the_longest_triangles_where_room_is_short) {
  Mesh mesh = testing::soup(3000, 5);  // all triangles extend across the whole scene
  for (vec3& p : mesh.positions) p.x = p.x > 0.0f ? 50.0f : -50.0f;
  HostBuildMachine machine;
  EXPECT_LE(ploc::Fragments(machine, view_of(mesh)).view().count, 3900u);
  EXPECT_EQ(defect_of(build_ploc_presplit(mesh), mesh), "");
}

TEST(BuildKernels, leave_no_tree_unfinished) {
  const Mesh meshes[] = {testing::soup(1, 1), testing::soup(40, 2), testing::chain(),
                         // Also a tree that is only a leaf, and one that is too deep.
                         needles(300)};
  EXPECT_GT(host_tree(testing::chain()).depth, kDeepestLevel);
  for (const char* name : {"ploc", "ploc-reinserted", "ploc-reinserted/1", "ploc-presplit"})
    for (const Mesh& mesh : meshes) {
      SCOPED_TRACE(name + (", " + std::to_string(mesh.triangles.size()) + " triangles"));
      const Builder builder = builder_called(name);
      EmulatedBuildMachine machine(1);
      ploc::Build<EmulatedBuildMachine> build(machine, view_of(mesh));
      build.build(ploc::settings_of(builder));
      expect_same(ploc::finished(build, builder), builder.build(mesh));
    }
}

TEST(BuildKernels, make_no_more_fragments_than_a_tree_may_have) {
  using Fragments = ploc::Fragments<EmulatedBuildMachine>;
  EXPECT_EQ(Fragments::most_fragments(1000), 1300u);
  EXPECT_EQ(Fragments::most_fragments(kMostAtOnce - 1000), kMostAtOnce);
}

TEST(BuildKernels, build_trees_of_some_triangles) {
  const Mesh mesh = testing::soup(500, 9);
  std::vector<u32> ids;
  for (u32 id = 3; id < 500; id += 1 + id % 5) ids.push_back(id);
  expect_same(emulated_tree(mesh, 1, ids), host_tree(mesh, ids));
}

template <class Layout>
void expect_same_nodes(const Mesh& mesh, bool presplit, u32 rounds) {
  const EncodedBvh host =
      encode(&Layout::info,
             reinserted(presplit ? build_ploc_presplit(mesh) : build_ploc(mesh), rounds), mesh);
  EmulatedBuildMachine machine(1);
  ploc::Build<EmulatedBuildMachine> build(machine, view_of(mesh));
  build.build({presplit, rounds});
  ASSERT_TRUE(build.plain());
  build.encode<Layout>();
  const EncodedBvh got = build.encoded<Layout>();
  ASSERT_EQ(got.bytes, host.bytes);
  EXPECT_EQ(std::memcmp(got.nodes.data(), host.nodes.data(), host.bytes), 0);
  ASSERT_EQ(got.triangles.size(), host.triangles.size());
  EXPECT_EQ(std::memcmp(got.triangles.data(), host.triangles.data(),
                        host.triangles.size() * sizeof(TriangleRows)),
            0);
  EXPECT_EQ(std::memcmp(&got.shape, &host.shape, sizeof host.shape), 0);
}

TEST(BuildKernels, encode_trees_as_the_host_does) {
  for (const Mesh& mesh : {testing::soup(3000, 10), testing::sphere(25), testing::soup(40, 11)}) {
    for (const u32 rounds : {0u, 2u})
      for (const bool presplit : {false, true}) {
        expect_same_nodes<bvh2::Layout>(mesh, presplit, rounds);
        expect_same_nodes<grid2::Layout>(mesh, presplit, rounds);
      }
  }
}

}  // namespace build_test
}  // namespace ballotcast::detail
