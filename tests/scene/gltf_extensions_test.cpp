// Tests extensions of glTF files: each is used, or named in a warning or an error.
#include <gtest/gtest.h>

#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_extensions_test {

using testing::Gltf;
using testing::load;
using testing::refusal;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

TEST(GltfExtensions, are_named_once_with_what_the_picture_lacks) {
  Gltf gltf = triangle();
  gltf.primitive += R"(, "material": 0, "extensions": {"EXT_here": {}})";
  gltf.more = R"(, "extensionsUsed": ["KHR_materials_sheen", "KHR_materials_unlit", "EXT_listed"],
    "materials": [{"extensions": {"KHR_materials_clearcoat": {}, "KHR_materials_unlit": {}},
                   "extras": {"extensions": {"EXT_in_extras": {}}}}])";
  const SceneData scene = load(gltf);
  ASSERT_EQ(scene.warnings.size(), 1u) << warnings_of(scene);
  EXPECT_TRUE(warns(scene, R"(: drawn without the extensions "EXT_here" (unknown; first at )"
                           R"(meshes[0].primitives[0]), "EXT_listed" (unknown; nothing has it), )"
                           R"("KHR_materials_clearcoat" (clear coats over materials), )"
                           R"("KHR_materials_sheen" (the sheen of cloth))"))
      << warnings_of(scene);
}

TEST(GltfExtensions, nobody_knows_are_named_with_the_first_object_that_has_them) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "extensions": {"ACME_node": {}}})";
  gltf.primitive += R"(, "material": 0)";
  gltf.more = R"(, "extensions": {"ACME_file": {"part": {"extensions": {"ACME_inner": {}}}}},
    "materials": [{"normalTexture": {"index": 0, "extensions": {"ACME_map": {}}}},
                  {"extensions": {"ACME_paint": {}}}, {"extensions": {"ACME_paint": {}}}],
    "textures": [{"extensions": {"ACME_pixels": {"source": 0}}}])";
  const SceneData scene = load(gltf);
  for (const char* named : {R"("ACME_node" (unknown; first at nodes[0]))",
                            R"("ACME_file" (unknown; first at the file))",
                            R"("ACME_inner" (unknown; first at extensions.ACME_file.part))",
                            R"("ACME_map" (unknown; first at materials[0].normalTexture))",
                            R"("ACME_paint" (unknown; first at materials[1]))",
                            R"("ACME_pixels" (unknown; first at textures[0]))"})
    EXPECT_TRUE(warns(scene, named)) << named << "\n" << warnings_of(scene);
}

TEST(GltfExtensions, that_a_file_needs_and_that_are_not_used_are_errors) {
  const auto needing = [](const std::string& name) {
    Gltf gltf = triangle();
    gltf.more = R"(, "extensionsRequired": [")" + name + R"("])";
    return gltf;
  };
  EXPECT_TRUE(
      contains(refusal(needing("EXT_new")), "the file needs the extension \"EXT_new\" (unk"));
  EXPECT_TRUE(contains(refusal(needing("KHR_materials_sheen")),
                       "\"KHR_materials_sheen\" (the sheen of cloth), which is not supported"));
  EXPECT_TRUE(load(needing("KHR_mesh_quantization")).warnings.empty());
  EXPECT_TRUE(load(needing("KHR_xmp_json_ld")).warnings.empty());
}

TEST(GltfExtensions, are_sorted_and_listed_in_the_documentation) {
  const std::string path = std::string(BALLOTCAST_SOURCE_DIR) + "/docs/scenes.md";
  const std::vector<u8> bytes = read_file(path);
  const std::string page(bytes.begin(), bytes.end());
  const std::string head = "| extension | in the picture |\n|---|---|\n";
  const std::size_t begin = page.find(head);
  ASSERT_NE(begin, page.npos);
  std::string table, last;
  for (const GltfExtension& extension : gltf_extensions()) {
    EXPECT_LT(last, extension.name);
    last = extension.name;
    table += "| `" + last + "` | " + (extension.used ? "" : "left out: ") +
             std::string(extension.what) +
             (extension.package.empty() ? "" : "; needs `" + std::string(extension.package) + "`") +
             " |\n";
  }
  EXPECT_EQ(page.substr(begin + head.size(), table.size() + 1), table + "\n")
      << "the table of docs/scenes.md must be:\n"
      << table;
}

TEST(GltfExtensions, hide_nodes) {
  Gltf gltf = triangle();
  gltf.nodes = R"({"mesh": 0, "children": [1]}, {"extensions": {"KHR_node_visibility":
    {"visible": false}}, "children": [2]}, {"mesh": 0})";
  EXPECT_EQ(load(gltf).mesh.triangles.size(), 1u);
}

}  // namespace gltf_extensions_test
}  // namespace ballotcast::detail
