#include "bvh/builders/builder.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/threads.hpp"
#include "bvh/tree_checks.hpp"
#include "bvh/tree_statistics.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {

void PrintTo(const BuilderInfo& row, std::ostream* out) { *out << row.name; }

namespace builder_test {

bool same(const BinaryTree& a, const BinaryTree& b) {
  return a.order == b.order && a.nodes.size() == b.nodes.size() &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(Node2)) == 0;
}

class EveryBuilder : public ::testing::TestWithParam<BuilderInfo> {
 protected:
  static BinaryTree built(const Mesh& mesh) {
    return Builder{&GetParam(), GetParam().rounds}.build(mesh);
  }
};

TEST_P(EveryBuilder, makes_sound_trees_of_any_mesh) {
  Mesh stacked;  // all triangles are equal, so no split separates them
  stacked.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  stacked.triangles.assign(1000, {0, 1, 2});
  const Mesh meshes[] = {
      Mesh{},           testing::sphere(2),  testing::sphere(40), stacked,
      testing::chain(), testing::soup(1, 1), testing::soup(9, 2), testing::soup(20000, 3)};
  for (const Mesh& mesh : meshes) {
    const BinaryTree tree = built(mesh);
    EXPECT_EQ(defect_of(tree, mesh), "") << mesh.triangles.size() << " triangles";
    EXPECT_LE(statistics_of(tree).depth, kDeepestLevel);
  }
}

TEST_P(EveryBuilder, makes_the_same_tree_for_any_number_of_threads) {
  // So many triangles that several threads fill the bins of the root.
  const Mesh mesh = testing::soup(testing::kSanitized ? 20000 : 80000, 4);
  BinaryTree serial;
  with_threads(1, [&] { serial = built(mesh); });
  for (const u32 threads : {2u, 3u, 8u}) {
    BinaryTree parallel;
    with_threads(threads, [&] { parallel = built(mesh); });
    EXPECT_TRUE(same(serial, parallel)) << threads << " threads";
  }
}

TEST_P(EveryBuilder, refuses_meshes_that_name_missing_vertices_or_hold_nonsense) {
  Mesh mesh = testing::sphere(4);
  mesh.triangles[3].y = 100000;
  EXPECT_THROW(built(mesh), InputError);
  mesh = testing::sphere(4);
  mesh.positions[3].z = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(built(mesh), InputError);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryBuilder, ::testing::ValuesIn(builders()), [](const auto& row) {
  std::string name(row.param.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(Validator, notices_what_is_wrong) {
  const Mesh mesh = testing::sphere(10);
  const BinaryTree sound = build_binned_sah(mesh);
  ASSERT_EQ(defect_of(sound, mesh), "");
  BinaryTree tree = sound;
  tree.order[0] = tree.order[1];
  EXPECT_NE(defect_of(tree, mesh), "");
  tree = sound;
  tree.nodes[1].box.high.x -= 0.5f;
  EXPECT_NE(defect_of(tree, mesh), "");
  tree = sound;
  tree.nodes.push_back(tree.nodes.back());
  EXPECT_NE(defect_of(tree, mesh), "");
  tree = sound;
  tree.nodes[0].first = 0;
  EXPECT_NE(defect_of(tree, mesh), "");
}

/// Long thin slanted triangles, side by side, whose boxes all overlap. Spatial splits improve this
/// tree.
Mesh trellis() {
  Mesh mesh;
  for (u32 i = 0; i < 400; ++i) {
    const vec3 from(0.5f * static_cast<float>(i % 20), 0.0f, 0.5f * static_cast<float>(i / 20));
    const vec3 to = from + vec3(20.0f);
    for (const vec3 p : {from, to, to + vec3(0, 0.05f, 0)}) mesh.positions.push_back(p);
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

/// The tree of the trellis, built with enough memory for all fragments of cut triangles.
BinaryTree cut_trellis() { return build_top_down(trellis(), {}, 3.0, {}); }

TEST(Sbvh, cuts_long_triangles_within_its_room_and_for_a_cheaper_tree) {
  const Mesh mesh = trellis();
  const BinaryTree cut = cut_trellis(), whole = build_binned_sah(mesh);
  EXPECT_EQ(defect_of(cut, mesh), "");
  EXPECT_GT(cut.order.size(), mesh.triangles.size());
  EXPECT_LE(cut.order.size(), mesh.triangles.size() * 4);
  EXPECT_LT(statistics_of(cut).sah_cost, 0.5 * statistics_of(whole).sah_cost);
}

TEST(Validator, notices_a_cut_triangle_that_lost_a_part) {
  const Mesh mesh = trellis();
  const BinaryTree sound = cut_trellis();
  std::vector<u32> places(mesh.triangles.size(), 0);
  for (const u32 id : sound.order) ++places[id];
  u32 noticed = 0, tried = 0;
  for (BinaryTree tree = sound; const Node2& leaf : sound.nodes) {
    if (!leaf.is_leaf() || places[sound.order[leaf.first]] < 2) continue;
    Node2& spoilt = tree.nodes[static_cast<std::size_t>(&leaf - sound.nodes.data())];
    spoilt.box.high = leaf.box.low;
    ++tried;
    noticed += defect_of(tree, mesh).empty() ? 0 : 1;
    spoilt = leaf;
  }
  EXPECT_GT(tried, 10u);
  EXPECT_EQ(noticed, tried);
}

TEST(Builders, tell_how_far_they_are) {
  u64 last = 0, whole = 0;
  build_sbvh(testing::soup(100000, 5), {}, [&](u64 done, u64 total) {
    EXPECT_LE(done, total);
    last = std::max(last, done);
    whole = total;
  });
  EXPECT_GT(last, whole / 2);
}

TEST(Builders, make_sound_trees_of_meshes_whose_clusters_are_given_back_in_blocks) {
  const Mesh mesh = testing::torus(600);
  ASSERT_GT(mesh.triangles.size(), std::size_t{2} << 18);
  // This builder first makes a tree as ploc does.
  std::vector<const char*> names = {"ploc-reinserted/1"};
  if (!testing::kSanitized) names.push_back("ploc");
  for (const char* name : names)
    EXPECT_EQ(defect_of(builder_called(name).build(mesh), mesh), "") << name;
}

TEST(Builders, are_called_by_name_rounds_or_effort) {
  EXPECT_EQ(builder_called("balanced").name(), "ploc-presplit");
  EXPECT_EQ(builder_called("best").name(), "sbvh-reinserted");
  EXPECT_EQ(builder_called("best", BuildOn::machine).name(), "ploc-presplit/20");
  EXPECT_EQ(builder_called("sbvh").name(), "sbvh");
  EXPECT_EQ(builder_called("ploc-reinserted/12").name(), "ploc-reinserted/12");
  EXPECT_EQ(builder_called("ploc-reinserted/12").rounds, 12u);
  EXPECT_EQ(builder_called("sbvh-reinserted/6").name(), "sbvh-reinserted");
  for (const EffortInfo& effort : efforts()) {
    EXPECT_NE(builder_called(effort.on_host).info, nullptr);
    EXPECT_TRUE(builder_called(effort.on_machines).info->on_machines) << effort.name;
  }
  for (const char* unknown :
       {"quick", "sbvh/3", "ploc-reinserted/", "ploc-reinserted/0", "ploc-reinserted/-1",
        "ploc-reinserted/1001", "ploc-reinserted/2x", "ploc-reinserted/99999999999", "/6", ""})
    EXPECT_THROW(builder_called(unknown), UsageError) << unknown;
}

}  // namespace builder_test
}  // namespace ballotcast::detail
