// Tests compressed meshes and pictures in glTF files. The compressed bytes come from the encoders
// of the same libraries: a square of two triangles, and two pixels.
#include <gtest/gtest.h>

#include "image/codec.hpp"
#include "scene/formats/gltf/accessors.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_compressed_test {

using testing::load;
using testing::refusal;
using testing::warnings_of;
using testing::warns;

const std::string kSequential =
    "RFJBQ08CAgEAAAACBAEAAQICAQMBAgAJAwAAAgIDAAECAQABAQADAwEwARADACiCiBEAAAAA/"
    "wcAAAABAQAIAwEQASAPARAD"
    "AJCQMTCzGQ0AAAAA/wAAAAAAAAAAAAAAAAAAAAAAgD8L";
const std::string kEdgebreaker =
    "RFJBQ08CAgEBAAAABAIBAgAAAR//ARH/AREC/"
    "wAAAAAAAQAJAwAAAgECAgMAAQEBAQEAAwMBMAEQAwAkgkoEAAAAAP8HAAAA"
    "AAAAAAAAAAAAAAAAAIA/CwEBAQAIAwEQARAPASADAFCRJM1ocwCNBgAAAAD/AAAA";

/// A glTF file with one buffer. `more`: further members.
std::string file(const std::string& base64, std::size_t bytes, const std::string& more) {
  return R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "buffers": [{"byteLength": )" +
         std::to_string(bytes) + R"(, "uri": "data:;base64,)" + base64 + "\"}]" + more + "}";
}

std::string draco_file(const std::string& base64, std::size_t bytes,
                       const std::string& attributes = R"("POSITION": 0, "COLOR_0": 1)") {
  return file(base64, bytes,
              R"(, "extensionsRequired": ["KHR_draco_mesh_compression"],
    "bufferViews": [{"buffer": 0, "byteLength": )" +
                  std::to_string(bytes) + R"(}],
    "accessors": [{"type": "VEC3", "componentType": 5126, "count": 4}, {"type": "VEC3",
      "componentType": 5121, "normalized": true, "count": 4}, {"type": "SCALAR",
      "componentType": 5123, "count": 6}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2,
      "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {)" +
                  attributes + "}}}}]}]");
}

std::string changed(std::string base64, std::size_t at, char to) {
  base64[at] = to;
  return base64;
}

TEST(GltfDraco, is_decoded) {
  if (!has_draco()) GTEST_SKIP() << "libdraco is not built in";
  for (const auto& [bytes, size] : {std::pair(kSequential, 105u), {kEdgebreaker, 120u}}) {
    const SceneData scene = load(draco_file(bytes, size));
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    ASSERT_EQ(scene.mesh.triangles.size(), 2u);
    double area = 0.0;
    for (u32 i = 0; i < 2; ++i) area += 0.5 * scene.mesh.normal_of(i).z;
    EXPECT_NEAR(area, 1.0, 1e-3);  // both triangles face up, and fill the square
    ASSERT_EQ(scene.mesh.vertex_colors.size(), 4u);
    vec3 sum(0.0f);
    for (const vec3 color : scene.mesh.vertex_colors) sum += color;
    EXPECT_NEAR(sum.x, 1.2f, 1e-5f);  // one corner is red, and one has a fifth of red
  }
}

TEST(GltfDraco, that_is_damaged_or_claims_too_much_is_refused) {
  if (!has_draco()) GTEST_SKIP() << "libdraco is not built in";
  const std::string nothing = testing::base64(std::string(24, 'x'));
  EXPECT_TRUE(contains(refusal(draco_file(nothing, 24)), "has no Draco mesh in its buffer view"));
  // The number of triangles, or of vertices, is a varint of nearly 2^31.
  for (const u8 method : {0, 1}) {
    std::string lie("DRACO\2\2\1", 8);
    lie += static_cast<char>(method);
    lie += std::string(method == 0 ? 2 : 3, '\0') + "\xff\xff\xff\xff\7\xff\xff\xff\xff\7" +
           std::string(40, '\0');
    EXPECT_TRUE(
        contains(refusal(draco_file(testing::base64(lie), lie.size())), "claims 2147483647"));
  }
  EXPECT_TRUE(contains(refusal(draco_file(kSequential, 105, R"("POSITION": 7)")),
                       "\"meshes[0].primitives[0].extensions.KHR_draco_mesh_compression"
                       ".attributes.POSITION\" is not in the compressed mesh"));
  // Whichever byte is damaged, the result must be an error or another mesh, never a crash.
  const auto survives = [](const std::string& bytes) {
    try {
      load(draco_file(bytes, bytes.size() / 4 * 3));
    } catch (const InputError&) {
    }
  };
  for (std::size_t length = 4; length < kSequential.size(); length += 4)
    survives(kSequential.substr(0, length));
  for (std::size_t i = 0; i < kEdgebreaker.size(); ++i) survives(changed(kEdgebreaker, i, 'z'));
}

std::string meshopt_file(const std::string& view = R"("count": 4, "byteStride": 12)") {
  // The bytes of vertices, triangles and a sequence of indices, one after the other.
  const std::string bytes =
      "oAAAAT8AAAD///8BPwAAAH59fgAAAQwAAAD/AQwAAAB+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      "4fAQAHaHVmd4qYZliWiYAWkAAA==";
  const auto compressed = [](const std::string& parts) {
    return R"("extensions": {"EXT_meshopt_compression": {"buffer": 0, )" + parts + "}}}";
  };
  return file(bytes, 88,
              R"(, "extensionsRequired": ["EXT_meshopt_compression"], "bufferViews": [
    {"buffer": 1, "byteLength": 48, "byteStride": 12, )" +
                  compressed(R"("byteLength": 69, "mode": "ATTRIBUTES", )" + view) +
                  R"(, {"buffer": 1, "byteOffset": 48, "byteLength": 24, )" +
                  compressed(R"("byteOffset": 69, "byteLength": 19, "mode": "TRIANGLES",
                               "count": 6, "byteStride": 4)") +
                  R"(], "accessors": [
    {"bufferView": 0, "type": "VEC3", "componentType": 5126, "count": 4},
    {"bufferView": 1, "type": "SCALAR", "componentType": 5125, "count": 6}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}])");
}

TEST(GltfMeshopt, is_decoded) {
  if (!has_meshopt()) GTEST_SKIP() << "libmeshoptimizer is not built in";
  const SceneData scene = load(meshopt_file());
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  ASSERT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_EQ(scene.mesh.positions[3], vec3(1.0f, 1.0f, 0.0f));
  EXPECT_EQ(scene.mesh.normal_of(0) + scene.mesh.normal_of(1), dvec3(0.0, 0.0, 2.0));
}

TEST(GltfMeshopt, undoes_its_filters) {
  if (!has_meshopt()) GTEST_SKIP() << "libmeshoptimizer is not built in";
  const std::vector<u8> normals = *data_of_uri(
      "data:;base64,oAE/AAAA/v3+AQwAAAD+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB/AA==");
  const Json none = Json::object();
  const std::vector<u8> out =
      decode_meshopt(Section(none, "a", "b"), {4, 4, "ATTRIBUTES", "OCTAHEDRAL"}, normals);
  const auto at = [&](u32 i) { return static_cast<int>(static_cast<std::int8_t>(out[i])); };
  EXPECT_EQ(at(2), 127);    // z of (0, 0, 1)
  EXPECT_EQ(at(4), 127);    // x of (1, 0, 0)
  EXPECT_EQ(at(9), 127);    // y of (0, 1, 0)
  EXPECT_EQ(at(14), -127);  // z of (0, 0, -1)
}

TEST(GltfMeshopt, that_is_damaged_or_claims_too_much_is_refused) {
  if (!has_meshopt()) GTEST_SKIP() << "libmeshoptimizer is not built in";
  EXPECT_TRUE(contains(refusal(meshopt_file(R"("count": 2000000000, "byteStride": 12)")),
                       "count\" claims 24000000000 bytes in 69"));
  EXPECT_TRUE(contains(refusal(meshopt_file(R"("count": 4, "byteStride": 13)")), "does not fit"));
  EXPECT_TRUE(contains(refusal(meshopt_file(R"("count": 400, "byteStride": 12)")), "is damaged"));
  EXPECT_TRUE(contains(
      refusal(meshopt_file(R"("count": 4, "byteStride": 12, "filter": "QUATERNION")")), "filter"));
}

const std::string kTwoPixels = "UklGRiAAAABXRUJQVlA4TBMAAAAvAQAAEA8wZIM8Mv8DDDxkRP8DAA==";

/// A triangle with a texture. `texture` and `images` are the JSON of its extensions and members.
SceneData textured(const std::string& texture, const std::string& images) {
  testing::Gltf gltf = testing::triangle();
  gltf.add_floats({0, 0, 1, 0, 0, 1}, 2);
  gltf.primitive = R"("attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0)";
  gltf.more = R"(, "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
    "textures": [{)" +
              texture + R"(}], "images": [)" + images + "]";
  return load(gltf);
}

TEST(GltfTextures, that_are_WebP_are_decoded) {
  if (!has_webp()) GTEST_SKIP() << "libwebp is not built in";
  const std::string image = R"({"uri": "data:image/webp;base64,)" + kTwoPixels + "\"}";
  const SceneData scene =
      textured(R"("source": 0, "extensions": {"EXT_texture_webp": {"source": 1}})",
               R"({"uri": "none.png"}, )" + image);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  ASSERT_EQ(scene.textures.size(), 1u);
  const Picture<Rgba8>& picture = scene.textures[0];
  ASSERT_EQ(picture.pixels.size(), 2u);
  EXPECT_EQ(picture.pixels[0].r, 200);
  EXPECT_EQ(picture.pixels[0].b, 50);
  EXPECT_EQ(picture.pixels[1].a, 128);
  const std::vector<u8> bytes = *data_of_uri("data:;base64," + kTwoPixels);
  for (std::size_t length = 12; length < bytes.size() - 2; ++length)
    EXPECT_FALSE(message_of<InputError>([&] {
                   decode_image({bytes.begin(), bytes.begin() + std::ptrdiff_t(length)}, "a.webp");
                 }).empty())
        << length;
}

TEST(GltfTextures, that_are_KTX_fall_back_to_the_other_picture) {
  const std::vector<u8> png = testing::one_pixel(1, 2, 3);
  const std::string image =
      R"({"uri": "data:image/png;base64,)" + testing::base64({png.begin(), png.end()}) + "\"}";
  const std::string basis = R"("extensions": {"KHR_texture_basisu": {"source": 1}})";
  const SceneData both = textured(R"("source": 0, )" + basis, image + R"(, {"uri": "a.ktx2"})");
  EXPECT_EQ(both.textures.size(), 1u);
  EXPECT_TRUE(warns(both, "\"KHR_texture_basisu\" (pictures that are KTX 2"));
  const SceneData none = textured(basis, image + R"(, {"uri": "a.ktx2"})");
  EXPECT_TRUE(none.textures.empty());
  EXPECT_TRUE(warns(none,
                    "textures[0]: texture left out: its only picture is of "
                    "KHR_texture_basisu, which is not read; save it as PNG or JPEG"))
      << warnings_of(none);
}

}  // namespace gltf_compressed_test
}  // namespace ballotcast::detail
