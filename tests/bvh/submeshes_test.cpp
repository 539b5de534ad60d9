#include "bvh/builders/submeshes.hpp"

#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/tree_checks.hpp"
#include "bvh/tree_statistics.hpp"
#include "helpers/meshes.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace submeshes_test {

constexpr u64 kMost = 100;

Copies copies_of(const Mesh& mesh) {
  return find_copies(mesh, [](u32) { return true; });
}

/// Builds a tree from submeshes. Checks that no submesh is too large, and adds their number to
/// `submeshes`.
BinaryTree from_submeshes(const Mesh& mesh, const Copies& copies, std::string_view builder,
                          u32& submeshes) {
  const FewerAtOnce few(kMost);
  const Builder of_submesh = builder_called(builder);
  return build_from_submeshes(mesh, copies,
                              [&](const Mesh& submesh) {
                                ++submeshes;
                                EXPECT_LE(submesh.triangles.size(), kMost / 2 + 1);
                                EXPECT_GT(submesh.triangles.size(), 0u);
                                return of_submesh.build(submesh);
                              },
                              {});
}

Mesh with(Mesh mesh, const Mesh& other) {
  const auto first = static_cast<u32>(mesh.positions.size());
  for (const vec3& p : other.positions) mesh.positions.push_back(p);
  for (const uvec3& t : other.triangles)
    mesh.triangles.push_back({first + t.x, first + t.y, first + t.z});
  return mesh;
}

TEST(Submeshes, become_a_sound_tree_with_every_builder) {
  // The second soup consists of copies.
  const Mesh mesh = with(testing::soup(900, 3), testing::soup(300, 3));
  const Copies copies = copies_of(mesh);
  ASSERT_FALSE(copies.ids.empty());
  for (const BuilderInfo& builder : builders()) {
    SCOPED_TRACE(builder.name);
    u32 submeshes = 0;
    const BinaryTree tree = from_submeshes(mesh, copies, builder.name, submeshes);
    EXPECT_EQ(defect_of(tree, mesh, copies), "");
    EXPECT_EQ(tree.leaves.count_bits, kSmallLeaves.count_bits);
    EXPECT_EQ(statistics_of(tree).largest_leaf, kLargestSmallLeaf);
    EXPECT_GT(submeshes, 10u);
  }
}

TEST(Submeshes, of_a_crowd_in_a_wide_scene_have_a_grid_of_their_own) {
  Mesh far = testing::cube();
  for (vec3& p : far.positions) p = p * 1e6f;
  // All of `far` lies in one cell of the whole grid.
  const Mesh mesh = with(far, testing::sphere(12));
  u32 submeshes = 0;
  EXPECT_EQ(defect_of(from_submeshes(mesh, {}, "ploc", submeshes), mesh), "");
  EXPECT_LT(submeshes, 30u);
}

TEST(Submeshes, of_triangles_at_one_place_are_cut_all_the_same) {
  Mesh mesh;
  for (u32 i = 0; i < 500; ++i) {
    const float size = 1.0f + static_cast<float>(i);
    for (const vec3 p : {vec3(-size, 0, 0), vec3(size, -size, 0), vec3(size, size, 0)})
      mesh.positions.push_back(p + vec3(0.0f));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  u32 submeshes = 0;
  const BinaryTree tree = from_submeshes(mesh, {}, "ploc", submeshes);
  EXPECT_EQ(defect_of(tree, mesh), "");
  EXPECT_EQ(submeshes, 16u);
}

TEST(Submeshes, make_the_same_tree_for_any_number_of_threads) {
  const Mesh mesh = testing::torus(80);
  std::string expected;
  for (const u32 threads : {1u, 3u, 16u}) {
    EncodedBvh tree;
    with_threads(threads, [&] {
      u32 submeshes = 0;
      tree = encode(nullptr, from_submeshes(mesh, {}, "balanced", submeshes), mesh);
    });
    EXPECT_EQ(defect_of(tree), "");
    if (expected.empty()) expected = hash_of(tree);
    EXPECT_EQ(hash_of(tree), expected) << threads;
  }
}

TEST(Submeshes, are_needed_for_more_triangles_than_a_builder_takes) {
  EXPECT_NO_THROW(require_at_once(kMostAtOnce));
  EXPECT_THROW(require_at_once(kMostAtOnce + 1), InputError);
  const FewerAtOnce few(kMost);
  for (const BuilderInfo& builder : builders())
    EXPECT_EQ(
        message_of<InputError>([&] { builder_called(builder.name).build(testing::soup(101, 3)); }),
        "101 triangles for one tree; the limit is 100 for a mesh of instances, and for "
        "rebuilding on a device")
        << builder.name;
}

TEST(LeafForm, has_room_for_all_places) {
  const auto last = static_cast<u32>(kMostTriangles - 1);
  for (const u32 count : {1u, 2u}) {
    const u32 leaf = leaf_reference(last, count, kSmallLeaves);
    EXPECT_TRUE(is_leaf(leaf));
    EXPECT_EQ(leaf_first(leaf, kSmallLeaves), last);
    EXPECT_EQ(leaf_count(leaf, kSmallLeaves), count);
  }
}

}  // namespace submeshes_test
}  // namespace ballotcast::detail
