#include "scene/formats/mesh_formats.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>

#include "helpers/mesh_files.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace mesh_formats_test {

using testing::warnings_of;
using testing::warns;

std::vector<Hit> hits_of(SceneData scene, const std::vector<Ray>& rays) {
  Renderer renderer(std::make_shared<const SceneData>(std::move(scene)), {"cpu"});
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits);
  return hits;
}

/// The names and contents of the files of one mesh, in each format.
std::vector<std::pair<std::string, std::string>> files_of(const Mesh& mesh) {
  using testing::Ply;
  return {{"a.obj", testing::as_obj(mesh)},
          {"text.ply", testing::as_ply(mesh, Ply::ascii)},
          {"little.ply", testing::as_ply(mesh, Ply::little)},
          {"big.PLY", testing::as_ply(mesh, Ply::big)},
          {"text.stl", testing::as_stl_text(mesh)},
          {"binary.stl", testing::as_stl_binary(mesh)},
          {"a.off", testing::as_off(mesh)},
          {"data.gltf", testing::as_gltf(mesh)},
          {"chunk.glb", testing::as_glb(mesh)}};
}

TEST(MeshFormats, give_the_same_hits_bit_for_bit) {
  const TempDir dir;
  for (const Mesh& mesh : {testing::torus(24), testing::sphere(17, vec3(0.3f, -2.0f, 1e-3f))}) {
    const std::vector<Ray> rays = testing::rays_at(mesh, 4000, 5);
    const std::vector<Hit> wanted = hits_of(*testing::scene_of(mesh), rays);
    const auto is_hit = [](const Hit& hit) { return hit.triangle != kNoTriangle; };
    ASSERT_GT(std::count_if(wanted.begin(), wanted.end(), is_hit), 1000);
    for (const auto& [name, text] : files_of(mesh)) {
      const SceneData scene = load_mesh(dir.write(name, text));
      EXPECT_TRUE(scene.warnings.empty()) << name << ": " << warnings_of(scene);
      const std::vector<Hit> hits = hits_of(scene, rays);
      EXPECT_EQ(testing::first_difference(hits, wanted), hits.size()) << name;
    }
  }
}

/// The files of a mesh whose vertices have the sRGB colours `codes`, in each format that has vertex
/// colours.
std::vector<std::pair<std::string, std::string>> colored_files_of(const Mesh& mesh,
                                                                  const std::vector<Rgba8>& codes) {
  std::string obj, rows;
  std::string gltf = testing::gltf_json(mesh, ""), buffer = testing::gltf_buffer(mesh);
  const std::string begin = std::to_string(buffer.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const vec3 p = mesh.positions[i];
    const std::string place =
        testing::exact(p.x) + " " + testing::exact(p.y) + " " + testing::exact(p.z);
    obj += "v " + place;
    rows += place;
    for (const u8 code : {codes[i].r, codes[i].g, codes[i].b}) {
      char text[32];
      std::snprintf(text, sizeof text, " %.17g", code / 255.0);
      obj += text;
      rows += " " + std::to_string(code);
      testing::append_bytes(buffer, srgb_to_linear_table()[code]);
    }
    obj += "\n";
    rows += "\n";
  }
  for (const uvec3 t : mesh.triangles) {
    obj += "f";
    rows += "3";
    for (const u32 corner : {t.x, t.y, t.z}) {
      obj += " " + std::to_string(corner + 1);
      rows += " " + std::to_string(corner);
    }
    obj += "\n";
    rows += "\n";
  }
  const std::string count = std::to_string(codes.size());
  const auto insert = [&](const std::string& before, const std::string& what) {
    gltf.insert(gltf.find(before), what);
  };
  insert("}, \"indices\"", ", \"COLOR_0\": 2");
  insert("],\n\"bufferViews\"", R"(, {"bufferView": 2, "componentType": 5126, "type": "VEC3",
      "count": )" + count + "}");
  insert("],\n\"buffers\"", R"(, {"buffer": 0, "byteOffset": )" + begin + R"(, "byteLength": )" +
                                std::to_string(12 * codes.size()) + "}");
  return {{"a.obj", obj},
          {"a.ply", "ply\nformat ascii 1.0\nelement vertex " + count +
                        "\nproperty float x\nproperty float y\nproperty float z\n"
                        "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                        "element face " +
                        std::to_string(mesh.triangles.size()) +
                        "\nproperty list uchar int vertex_indices\nend_header\n" + rows},
          {"a.glb", testing::glb_of(gltf, buffer)}};
}

TEST(MeshFormats, give_the_same_coloured_pictures_bit_for_bit) {
  const TempDir dir;
  const Mesh mesh = testing::torus(16);
  testing::Random random(3);
  std::vector<Rgba8> codes;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    codes.push_back({u8(random.bits()), u8(random.bits()), u8(random.bits()), 255});
  RenderSettings settings;
  settings.width = settings.height = 40;
  settings.samples = 2;
  std::string wanted;
  for (const auto& [name, text] : colored_files_of(mesh, codes)) {
    SceneRequest request;
    request.file = dir.write(name, text);
    request.crease_angle = 0.0;
    const SceneData scene = assemble(request);
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    ASSERT_EQ(scene.mesh.vertex_colors.size(), codes.size()) << name;
    Renderer renderer(std::make_shared<const SceneData>(scene), {"cpu"});
    const std::string hash = hash_of(renderer.render(settings).image);
    EXPECT_EQ(hash, wanted.empty() ? hash : wanted) << name;
    wanted = hash;
  }
}

TEST(MeshFormats, may_all_be_gzipped) {
  const TempDir dir;
  for (const auto& [name, text] : files_of(testing::torus(4))) {
    const std::string path = dir / (name + ".gz");
    const gzFile file = gzopen(path.c_str(), "wb");
    ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), int(text.size()));
    gzclose(file);
    const SceneData scene = load_mesh(path);
    EXPECT_EQ(scene.mesh.triangles.size(), 64u) << path;
    EXPECT_EQ(scene.name, name.substr(0, name.find('.')));
  }
}

TEST(MeshFormats, may_be_mixed_in_a_scene_file) {
  const TempDir dir;
  std::string list;
  for (const auto& [name, text] : files_of(testing::torus(4))) {
    dir.write(name, text);
    list += (list.empty() ? "\"" : ", \"") + name + "\"";
  }
  const SceneData scene = assemble({dir.write("all.json", "{\"meshes\": [" + list + "]}")});
  EXPECT_EQ(scene.mesh.triangles.size(), 64u * files_of(testing::torus(4)).size());
}

TEST(MeshFormats, are_named_where_a_suffix_is_unknown) {
  const std::string message = message_of<InputError>([] { load_mesh("room.max"); });
  for (const MeshFormat& format : mesh_formats())
    EXPECT_TRUE(contains(message, std::string(format.suffix))) << message;
  EXPECT_TRUE(contains(message, "room.max: unknown kind of file")) << message;
}

TEST(MeshFormats, of_other_programs_get_advice_how_to_convert_them) {
  for (const auto& [name, program] : {std::pair{"a.usdz", "Blender exports .glb"},
                                      {"b.BLEND", "export_scene.gltf"},
                                      {"c.step", "FreeCAD"},
                                      {"d.igs", "gmsh"},
                                      {"e.3mf.gz", "PrusaSlicer"}}) {
    const std::string message = message_of<InputError>([&] { load_mesh(name); });
    if (!other_mesh_formats().empty() && contains(message, "no such file")) continue;
    EXPECT_TRUE(contains(message, program)) << message;
  }
}

TEST(VertexColors, come_from_obj_files_and_are_srgb) {
  const SceneData scene = testing::load_text(
      "v 0 0 0 1 0 0.5019607843137255\nv 1 0 0\nv 0 1 0 0.5\nv 1 1 0 2 -1 x\n"
      "f 1 2 3\nf 2 4 3\n");
  ASSERT_EQ(scene.mesh.vertex_colors.size(), 4u);
  EXPECT_EQ(scene.mesh.vertex_colors[0], vec3(1.0f, 0.0f, srgb_to_linear_table()[128]));
  EXPECT_EQ(scene.mesh.vertex_colors[1], vec3(1.0f));
  EXPECT_EQ(scene.mesh.vertex_colors[2], vec3(1.0f));
  EXPECT_EQ(scene.mesh.vertex_colors[3], vec3(1.0f, 0.0f, 1.0f));
  EXPECT_TRUE(warns(scene, "brought into that range: 1 (first: line 4)")) << warnings_of(scene);
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f));
}

TEST(VertexColors, are_interpolated_and_multiplied_with_the_material) {
  SceneData scene = testing::load_text("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
  scene.materials[0].color = vec3(0.5f);
  const Renderer renderer(std::make_shared<const SceneData>(std::move(scene)), {"cpu"});
  EXPECT_EQ(color_at(prepared_of(renderer).view, {0u, 0u}, 0.25f, 0.5f),
            vec3(0.125f, 0.125f, 0.25f));
}

TEST(VertexColors, stay_with_their_vertices_when_meshes_are_merged) {
  const TempDir dir;
  dir.write("plain.obj", "v 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n");
  dir.write("red.obj", "v 5 5 5\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 2 3 4\n");
  const SceneData scene = assemble({dir.write(
      "all.json", R"({"meshes": ["plain.obj", {"file": "red.obj", "translate": [0, 0, 3]}]})")});
  scene.mesh.require_valid();
  const vec3 white(1.0f), red(1.0f, 0.0f, 0.0f);
  EXPECT_EQ(scene.mesh.vertex_colors, (std::vector<vec3>{white, white, white, red, red, red}));
}

}  // namespace mesh_formats_test
}  // namespace ballotcast::detail
