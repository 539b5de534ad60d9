#include <gtest/gtest.h>

#include "helpers/mesh_files.hpp"
#include "helpers/meshes.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace stl_loader_test {

using testing::warnings_of;
using testing::warns;

SceneData load(const std::string& bytes, const LoadOptions& options = {}) {
  return testing::load_as("a.stl", bytes, options);
}

std::string refusal(const std::string& bytes) {
  return message_of<InputError>([&] { load(bytes); });
}

const std::string kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

TEST(StlLoader, welds_equal_positions) {
  const Mesh sphere = testing::sphere(6);
  for (const std::string& file : {testing::as_stl_text(sphere), testing::as_stl_binary(sphere)}) {
    const SceneData scene = load(file);
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    EXPECT_EQ(scene.mesh.triangles.size(), sphere.triangles.size());
    EXPECT_EQ(scene.mesh.positions.size(), sphere.positions.size());
  }
}

TEST(StlLoader, smooths_as_an_obj_without_normals) {
  const Mesh sphere = testing::sphere(12);
  const SceneData stl = load(testing::as_stl_binary(sphere));
  const SceneData obj = testing::load_text(testing::as_obj(sphere));
  EXPECT_EQ(stl.mesh.corner_normals, obj.mesh.corner_normals);
  EXPECT_TRUE(load(testing::as_stl_binary(sphere), {0.0}).mesh.corner_normals.empty());
}

TEST(StlLoader, welds_0_and_minus_0_but_not_neighbours) {
  const SceneData scene = load("solid\n" + kFacet +
                               "facet\nvertex -0 0 0\nvertex 0 1 0\nvertex -1 1e-300 0\nendfacet\n"
                               "facet\nvertex 1e-300 0 0\nvertex 0 1 0\nvertex -1 0 0\nendfacet\n"
                               "endsolid\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 3u);
  EXPECT_EQ(scene.mesh.positions.size(), 6u);
}

TEST(StlLoader, reads_text_of_any_case_with_several_solids) {
  const SceneData scene = load("SOLID a b\n" + kFacet +
                               "endsolid a\nSolid c\nFACET\nVertex 0 0 1\nVertex 1 0 1\n"
                               "Vertex 1 1 1\nVertex 0 1 1\nEndFacet\nEndSolid\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 3u);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
}

TEST(StlLoader, takes_no_binary_file_for_text) {
  std::string file = testing::as_stl_binary(testing::sphere(4));
  EXPECT_EQ(load(file).mesh.triangles.size(), testing::sphere(4).triangles.size());
  EXPECT_TRUE(warns(load(file + "x"), "1 byte behind the last triangle"));
}

TEST(StlLoader, leaves_out_what_cant_be_drawn) {
  const SceneData scene = load("solid\n" + kFacet +
                               "facet\nvertex 0 0 x\nvertex 1 0 0\nvertex 0 1 0\nendfacet\n"
                               "facet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n"
                               "facet\nvertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0\nendfacet\nwhat\n"
                               "endsolid\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "not finite or beyond 2^40: 1 (first: face 2, line 9)"))
      << warnings_of(scene);
  EXPECT_TRUE(warns(scene, "fewer than three corners: 1"));
  EXPECT_TRUE(warns(scene, "no area: 1"));
  EXPECT_TRUE(warns(scene, "unknown lines, ignored: 1 (first: line 23)"));
  Mesh mesh = testing::sphere(4);
  mesh.positions[0].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(warns(load(testing::as_stl_binary(mesh)), "face 1, byte 84"));
}

TEST(StlLoader, refuses_files_that_are_cut_off_or_lie_about_their_size) {
  EXPECT_TRUE(contains(refusal(""), "empty file"));
  EXPECT_TRUE(contains(refusal("solid\nvertex 0 0 0\n"), "line 2: a vertex outside"));
  EXPECT_TRUE(contains(refusal("solid\nfacet\nvertex 0 0\n"), "line 3: a vertex needs three"));
  EXPECT_TRUE(contains(refusal("solid\nfacet\nfacet\n"), "line 3: a facet begins before"));
  EXPECT_TRUE(contains(refusal("solid\nendfacet\n"), "without a facet"));
  EXPECT_TRUE(contains(refusal("solid\nendsolid\n"), "no triangles"));
  EXPECT_TRUE(contains(refusal(std::string("a\0b", 3)), "byte 0: the file is cut off"));
  const std::string binary = testing::as_stl_binary(testing::sphere(4));
  EXPECT_TRUE(
      contains(refusal(binary.substr(0, binary.size() - 1)), "byte 84: the file is cut off"));
  std::string lie = binary;
  lie.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_TRUE(contains(refusal(lie), "4294967295 triangles of at least 50 bytes don't fit"));
  EXPECT_TRUE(contains(refusal(std::string("s\0o\0l\0i\0d\0 \0a\0\n\0", 16)), "UTF-16"));
}

}  // namespace stl_loader_test
}  // namespace ballotcast::detail
