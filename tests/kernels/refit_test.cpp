// Compares trees that kernels refit with trees that the host refits.
#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/error.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/builders/submeshes.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/emulated_build_machine.hpp"
#include "helpers/meshes.hpp"
#include "kernels/build/device_tree.hpp"

namespace ballotcast::detail {
namespace refit_test {

Mesh moved(Mesh mesh) {
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    vec3& p = mesh.positions[i];
    p = {p.x + 0.3f * p.y, p.y * 2.0f, p.z - 0.1f * p.x * p.y};
  }
  return mesh;
}

template <class Layout>
void expect_same(const Mesh& mesh, const BinaryTree& built, u64 seed) {
  const Mesh later = moved(mesh);
  FollowingTree tree(built, mesh);
  EncodedBvh encoded = encode(&Layout::info, tree.tree(), mesh);
  EmulatedBuildMachine machine(seed);
  DeviceTree<EmulatedBuildMachine> on_machine(machine, tree.tree());
  std::vector<NodeBytes> nodes(encoded.nodes.begin(), encoded.nodes.end());
  std::vector<TriangleRows> rows(encoded.triangles.size());
  WalkFrame frame{};
  for (const Mesh* each : {&later, &mesh, &later}) {
    on_machine.refit<Layout>(machine, each->positions.data(), each->triangles.data(),
                             reinterpret_cast<typename Layout::Node*>(nodes.data()), rows.data(),
                             &frame);
    store_triangles_again(encoded, tree.tree(), *each);
    tree.refit(encoded.triangles.data());
    encode_nodes_again(encoded, tree.tree(), each->magnitude());
    if (encoded.bytes > 0) {  // grid2 has no node if the root is a leaf
      EXPECT_EQ(std::memcmp(nodes.data(), encoded.nodes.data(), encoded.bytes), 0);
    }
    EXPECT_EQ(
        std::memcmp(rows.data(), encoded.triangles.data(), rows.size() * sizeof(TriangleRows)), 0);
    EXPECT_EQ(std::memcmp(&frame.shape, &encoded.shape, sizeof frame.shape), 0);
    EXPECT_EQ(frame.magnitude, each->magnitude());
  }
}

TEST(RefitKernels, make_the_trees_of_the_host_with_any_order_of_lanes) {
  for (const Mesh& mesh : {testing::soup(1, 1), testing::soup(2, 2), testing::soup(40, 3),
                           testing::soup(5000, 4), testing::sphere(20)})
    for (const u64 seed : {0u, 1u, 2u}) {
      SCOPED_TRACE(std::to_string(mesh.triangles.size()) + " triangles");
      expect_same<bvh2::Layout>(mesh, build_ploc(mesh), seed);
      expect_same<grid2::Layout>(mesh, build_ploc(mesh), seed);
    }
}

TEST(RefitKernels, make_the_trees_from_submeshes_of_the_host) {
  const FewerAtOnce few(100);
  const Mesh mesh = testing::soup(900, 4);
  const auto build = [](const Mesh& submesh) { return build_ploc(submesh); };
  const BinaryTree tree = build_from_submeshes(mesh, {}, build, {});
  expect_same<bvh2::Layout>(mesh, tree, 1);
  expect_same<grid2::Layout>(mesh, tree, 1);
  EmulatedBuildMachine machine(1);
  DeviceTree<EmulatedBuildMachine> on_machine(machine, tree);
  EXPECT_THROW(on_machine.reserve(machine, kDeepestLevel), InputError);
}

}  // namespace refit_test
}  // namespace ballotcast::detail
