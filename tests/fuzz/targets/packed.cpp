#include <cstring>

#include "backends/pack/packed_tree.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "helpers/materials_scene.hpp"
#include "scene/assemble.hpp"
#include "support/files/files.hpp"
#include "support/files/packed_file.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail::fuzz {

namespace {

/// Corrects the version, the size and all checksums in `input`, if its header and table can be
/// read. Without this, the checks of these values would refuse almost every input.
std::vector<u8> with_right_checksums(std::span<const u8> input) {
  std::vector<u8> bytes(input.begin(), input.end());
  PackedHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.byte_order = kByteOrder;
  header.version = kPackedVersion;
  header.file_bytes = bytes.size();
  header.hash = 0;
  const std::size_t table_end = sizeof header + u64{header.sections} * sizeof(PackedSection);
  if (table_end > bytes.size()) return bytes;
  for (std::size_t at = sizeof header; at < table_end; at += sizeof(PackedSection)) {
    PackedSection section;
    std::memcpy(&section, bytes.data() + at, sizeof section);
    if (section.offset > bytes.size() || section.bytes > bytes.size() - section.offset) continue;
    section.hash = content_hash(bytes.data() + section.offset, section.bytes);
    std::memcpy(bytes.data() + at, &section, sizeof section);
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  header.hash = content_hash(bytes.data(), table_end);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

/// A small scene that uses every section of the format: a cube whose last triangle is a copy of the
/// first, with lamps, textures, colours, opacities and a picture of the sky.
SceneData small_scene() {
  SceneData scene = testing::materials_scene();
  scene.mesh = testing::cube();
  Mesh& mesh = scene.mesh;
  mesh.triangles.push_back(uvec3(mesh.triangles.front()));
  for (u32 i = 0; i < mesh.triangles.size(); ++i) {
    mesh.material_of.push_back(i % static_cast<u32>(scene.materials.size()));
    for (u32 corner = 0; corner < 3; ++corner) {
      mesh.corner_normals.push_back({0.0f, 0.6f, 0.8f});
      mesh.corner_texcoords.push_back({0.3f * static_cast<float>(corner), 0.7f});
    }
  }
  for (u32 i = 0; i < mesh.positions.size(); ++i) {
    mesh.vertex_colors.push_back({0.1f * static_cast<float>(i), 0.5f, 1.0f});
    mesh.vertex_opacity.push_back(0.2f * static_cast<float>(i));
  }
  scene.named_parts = {{{0, 0}, {6, 1}}, {"bottom", "top"}};
  scene.camera = Camera{};
  scene.warnings = {"a.obj: something was left out"};
  scene.sky_map = {4, 2, std::vector<vec3>(8, vec3(0.5f, 0.6f, 0.8f))};
  return scene;
}

SceneData plain_scene(u32 triangles) {
  SceneData scene = *testing::scene_of(testing::cube());
  scene.mesh.triangles.resize(triangles);
  return scene;
}

}  // namespace

std::vector<std::vector<u8>> packed_seeds() {
  std::vector<std::vector<u8>> seeds;
  const std::string path = folder().write("seed.bcast", {});
  const auto add = [&](SceneData scene, std::string_view builder) {
    const auto shared = std::make_shared<const SceneData>(std::move(scene));
    for (const LayoutInfo& layout : layouts()) {
      write_packed(path, *prepare(shared, builder, layout.name), {}, false);
      seeds.push_back(read_file(path));
    }
  };
  add(small_scene(), "best");
  add(plain_scene(1), "fast");
  add(plain_scene(0), "fast");
  return seeds;
}

void run_packed(std::span<const u8> input) {
  const std::string path = folder().write("a.bcast", input);
  read_or_refused([&] { require_sound(assemble({path})); });
  folder().write("a.bcast", with_right_checksums(input));
  read_or_refused([&] { require_sound(assemble({path})); });
}

}  // namespace ballotcast::detail::fuzz
