#include "scene/formats/textures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "support/profile.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Decodes the bytes that `read` returns. `file` is the name of the file.
template <class Read>
DecodedPicture decoded(Read read, const std::string& file) {
  const ProfileSpan span("texture", file);
  DecodedPicture picture;
  try {
    const std::vector<u8>& bytes = read();
    picture.image = decode_image(bytes, file);
    picture.not_shown = not_shown_of(bytes);
  } catch (const InputError& error) {
    picture.failure = error.what();
  }
  return picture;
}

u32 add(DecodedPicture picture, const std::string& name, const std::string& called,
        const std::string& place, SceneData& scene) {
  if (!picture.failure.empty()) {
    scene.warnings.push_back(place + "texture left out: " + picture.failure);
    return kNoTexture;
  }
  if (!picture.not_shown.empty())
    scene.warnings.push_back(place + "texture " + quoted_name(called) + " drawn without " +
                             picture.not_shown);
  scene.textures.push_back(std::move(picture.image));
  scene.texture_names.push_back(name);
  return static_cast<u32>(scene.textures.size() - 1);
}

}  // namespace

DecodedPicture decode_picture_file(const std::string& path) {
  return decoded([&] { return read_picture_file(path); }, path);
}

u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene) {
  return add(decoded([&]() -> const std::vector<u8>& { return bytes; }, called), name, called,
             place, scene);
}

u32 add_texture_file(const std::filesystem::path& path, DecodedPicture picture,
                     const std::string& called, const std::string& place, SceneData& scene) {
  scene.files.push_back(path.string());
  return add(std::move(picture), path.filename().string(), called, place, scene);
}

u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene) {
  return add_texture_file(path, decode_picture_file(path.string()), called, place, scene);
}

namespace {

/// True if most pixels have clearly different red, green and blue.
bool has_colors(const Picture<Rgba8>& image) {
  constexpr int kClearly = 24;  // grey pictures stored as JPEG have slight colours
  std::size_t colored = 0;
  for (const Rgba8 c : image.pixels)
    if (std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}) > kClearly) ++colored;
  return 2 * colored > image.pixels.size();
}

/// Encodes a component of a unit vector as a byte.
u8 coded(double component) { return static_cast<u8>(std::floor(component * 127.5 + 128.0)); }

}  // namespace

void make_opacity(Picture<Rgba8>& image) {
  for (const Rgba8& pixel : image.pixels)
    if (pixel.a != 255) return;
  for (Rgba8& pixel : image.pixels) pixel.a = pixel.r;
}

void make_normals(Picture<Rgba8>& image) {
  if (has_colors(image)) return;
  constexpr double kSlope = 4.0;  // slope for a step from black to white over one pixel
  const u32 width = image.width, height = image.height;
  const Array<Rgba8> heights = std::move(image.pixels);
  image.pixels.resize(heights.size());
  for_each_index(height, [&](u32 y) {
    const u64 row = u64{y} * width, above = u64{y == 0 ? height - 1 : y - 1} * width,
              below = u64{y + 1 == height ? 0 : y + 1} * width;
    for (u32 x = 0; x < width; ++x) {
      const u32 left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
      const double scale = kSlope / (2.0 * 255.0);
      const double slope_x = (heights[row + right].g - heights[row + left].g) * scale,
                   slope_y = (heights[above + x].g - heights[below + x].g) * scale;
      const double length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1.0);
      image.pixels[row + x] = {coded(-slope_x / length), coded(-slope_y / length),
                               coded(std::min(1.0 / length, 0.996)), 255};
    }
  });
}

double roughness_of(double exponent) { return std::sqrt(std::sqrt(2.0 / (exponent + 2.0))); }

void make_roughness(Picture<Rgba8>& image, double exponent) {
  for (Rgba8& pixel : image.pixels)
    pixel.g = static_cast<u8>(std::floor(roughness_of(exponent * pixel.g / 255.0) * 255.0 + 0.5));
}

namespace {

/// Applies the placements of textures to the texture coordinates.
void place_textures(const PolygonMesh& mesh, const std::vector<PolygonTriangle>& pieces,
                    const std::vector<TexturePlacement>& placement_of, SceneData& scene) {
  const auto is_special = [](const TexturePlacement& placement) { return placement.is_special(); };
  if (std::none_of(placement_of.begin(), placement_of.end(), is_special)) return;
  Array<vec2>& coordinates = scene.mesh.corner_texcoords;
  for_each_range<std::size_t>(coordinates.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TexturePlacement& placement = placement_of[mesh.faces[pieces[i / 3].face].material];
      if (!placement.is_special()) continue;
      const vec2 uv = coordinates[i] * placement.scale + placement.offset;
      coordinates[i] = is_finite(uv) ? uv : vec2(0.0f);
    }
  });
}

/// Warns about triangles with a texture but without texture coordinates.
void report_missing_texcoords(const std::string& path, const PolygonMesh& mesh,
                              const std::vector<PolygonTriangle>& pieces, SceneData& scene) {
  if (std::none_of(scene.materials.begin(), scene.materials.end(), has_texture)) return;
  tally_all(
      "triangles with a texture but without texture coordinates, set to (0, 0)", pieces.size(),
      [&](std::size_t i, FaceTally& missing) {
        const PolygonTriangle& piece = pieces[i];
        const auto lacks = [&](u32 corner) { return mesh.corners.texcoord(corner) == kAbsent; };
        if (has_texture(scene.materials[scene.mesh.material_index(static_cast<u32>(i))]) &&
            std::any_of(std::begin(piece.corner), std::end(piece.corner), lacks))
          missing.note(piece.face);
      })
      .report(path, mesh, scene);
}

}  // namespace

std::vector<u64> triangles_of_materials(const PolygonMesh& mesh,
                                        const std::vector<PolygonTriangle>& pieces,
                                        std::size_t count) {
  // Triangles per task. There are few tasks, because each needs its own counters.
  constexpr std::size_t kGrain = 1 << 20;
  const auto add = [&](std::size_t begin, std::size_t end, std::vector<u64> triangles) {
    for (std::size_t i = begin; i < end; ++i) ++triangles[mesh.faces[pieces[i].face].material];
    return triangles;
  };
  const auto join = [](std::vector<u64> a, const std::vector<u64>& b) {
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
    return a;
  };
  return reduce_ranges<std::size_t>(0, pieces.size(), kGrain, std::vector<u64>(count), add, join);
}

void use_materials(const std::string& path, const PolygonMesh& mesh,
                   const std::vector<PolygonTriangle>& pieces, const FileMaterials& materials,
                   SceneData& scene) {
  place_textures(mesh, pieces, materials.placement_of, scene);
  if (scene.materials.size() != 1) {
    scene.mesh.material_of.resize(pieces.size());
    for_each_range<std::size_t>(pieces.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        scene.mesh.material_of[i] = materials.index_of[mesh.faces[pieces[i].face].material];
    });
  }
  report_missing_texcoords(path, mesh, pieces, scene);
}

Material default_material(const Mesh& mesh) {
  Material material;
  if (!mesh.vertex_colors.empty()) material.color = vec3(1.0f);
  return material;
}

bool is_hidden(const Material& material, const SceneData& scene) {
  float most = material.opacity;
  if (material.opacity_texture != kNoTexture) {
    u8 alpha = 0;
    for (const Rgba8& texel : scene.textures[material.opacity_texture].pixels)
      alpha = std::max(alpha, texel.a);
    most *= static_cast<float>(alpha) / 255.0f;
  }
  return most < kCutoutThreshold;
}

namespace {

/// The name of a material with this colour: "#ff8000".
std::string name_of(dvec3 srgb) {
  const auto code = [](double c) { return static_cast<unsigned>(std::floor(c * 255.0 + 0.5)); };
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", code(srgb.x), code(srgb.y), code(srgb.z));
  return text;
}

}  // namespace

u32 FaceColors::material_of(dvec3 srgb) {
  bool fits = true;
  for (int i = 0; i < 3; ++i) srgb[i] = unit_number(srgb[i], fits);
  if (!fits) ++out_of_range_;
  const auto [entry, is_new] =
      index_of_.try_emplace({srgb.x, srgb.y, srgb.z}, static_cast<u32>(linear_.size() + 1));
  if (is_new) {
    linear_.push_back(linear_vertex_color(srgb, fits));
    srgb_.push_back(srgb);
  }
  return entry->second;
}

void FaceColors::use(const std::string& path, const PolygonMesh& mesh,
                     const std::vector<PolygonTriangle>& pieces, const Material& plain,
                     SceneData& scene) const {
  const std::size_t count = linear_.size() + 1;
  const std::vector<u64> triangles = triangles_of_materials(mesh, pieces, count);
  FileMaterials materials{std::vector<u32>(count, 0), std::vector<TexturePlacement>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    if (triangles[i] == 0) continue;
    materials.index_of[i] = static_cast<u32>(scene.materials.size());
    Material material = plain;
    if (i != 0) material.color = linear_[i - 1];
    scene.materials.push_back(material);
    scene.material_names.push_back(i == 0 ? "default" : name_of(srgb_[i - 1]));
  }
  use_materials(path, mesh, pieces, materials, scene);
}

void report_colors(const std::string& path, const ColorDefects& defects,
                   std::vector<std::string>& warnings) {
  const auto warn = [&](const char* what, u64 count) {
    if (count != 0) warnings.push_back(path + ": " + what + ": " + std::to_string(count));
  };
  warn(kColorsOutOfRange, defects.bad_of_vertices);
  warn("colours of faces that are not numbers from 0 to 1, brought into that range",
       defects.bad_of_faces);
  warn("colours of faces left out, because vertices have colours, too", defects.unused);
  warn("alpha of vertices and faces left out: all are drawn opaque", defects.see_through);
}

}  // namespace ballotcast::detail
