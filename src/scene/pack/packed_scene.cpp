#include "scene/pack/packed_scene.hpp"

#include "scene/pack/checks.hpp"
#include "support/packed_file.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kSceneValues = "scene", kSourceValues = "sources";

struct PictureSize {
  u32 width, height;
};

/// Calls visit(name, array) for every array of a scene, except textures.
template <class Scene, class Visit>
void each_array(Scene& scene, Visit visit) {
  visit("positions", scene.mesh.positions);
  visit("triangles", scene.mesh.triangles);
  visit("corner normals", scene.mesh.corner_normals);
  visit("corner texcoords", scene.mesh.corner_texcoords);
  visit("vertex colors", scene.mesh.vertex_colors);
  visit("material ids", scene.mesh.material_of);
  visit("materials", scene.materials);
  visit("sky", scene.sky_map.pixels);
}

/// Passes every value of a scene that is not in an array to `values`.
template <class Values, class Scene>
void each_value(Values& values, Scene& scene) {
  values(scene.name);
  values(scene.origin);
  values(scene.up);
  values(scene.material_names);
  values(scene.texture_names);
  values(scene.sun.direction);
  values(scene.sun.color);
  values(scene.sun.strength);
  values(scene.sky.file);
  values(scene.sky.turn);
  values(scene.sky.zenith);
  values(scene.sky.horizon);
  values(scene.sky.ground);
  values(scene.sky.strength);
  values(scene.sky_map.width);
  values(scene.sky_map.height);
  static_assert(sizeof(Camera) == 13 * sizeof(double), "no gaps, and no member is new");
  values(scene.camera);
  values(scene.shading);
  values(scene.exposure);
  values(scene.white_balance);
  values(scene.light);
  values(scene.files);
  values(scene.unread_files);
  values(scene.warnings);
}

template <class Values, class Sources>
void each_source(Values& values, Sources& sources) {
  values(sources.files, [&](auto& source) {
    values(source.path);
    values(source.beside);
    values(source.bytes);
    values(source.written_ns);
    values(source.hash);
  });
  values(sources.absent, [&](auto& absent) {
    values(absent.folder);
    values(absent.name);
  });
}

std::vector<PictureSize> texture_sizes(const SceneData& scene) {
  std::vector<PictureSize> sizes;
  for (const Picture<Rgba8>& texture : scene.textures)
    sizes.push_back({texture.width, texture.height});
  return sizes;
}

}  // namespace

bool is_packed_name(const std::string& path) { return lowered(path).ends_with(kPackedSuffix); }

void add_scene(PackedWriter& writer, const SceneData& scene, const SceneSources& sources) {
  ValueWriter values, source_values;
  each_value(values, scene);
  values(texture_sizes(scene));
  each_source(source_values, sources);
  writer.add_copy(kSceneValues, std::move(values.bytes));
  writer.add_copy(kSourceValues, std::move(source_values.bytes));
  each_array(scene, [&](const char* name, const auto& array) { writer.add(name, array); });
  for (u32 i = 0; i < scene.textures.size(); ++i)
    writer.add("texture", scene.textures[i].pixels, i);
}

SceneData scene_in(std::shared_ptr<const PackedFile> file) {
  SceneData scene;
  ValueReader values(*file, kSceneValues);
  each_value(values, scene);
  std::vector<PictureSize> sizes;
  values(sizes);
  values.require_end();
  each_array(scene,
             [&]<class T>(const char* name, Array<T>& array) { array = file->array<T>(name); });
  for (u32 i = 0; i < sizes.size(); ++i)
    scene.textures.emplace_back(sizes[i].width, sizes[i].height, file->array<Rgba8>("texture", i));
  require_usable(scene, *file);
  scene.packed = std::move(file);
  return scene;
}

SceneSources sources_in(const PackedFile& file) {
  SceneSources sources;
  ValueReader values(file, kSourceValues);
  each_source(values, sources);
  values.require_end();
  return sources;
}

SceneData load_packed_scene(const std::string& path) {
  const auto file = std::make_shared<const PackedFile>(path);
  if (const std::string why = why_out_of_date(sources_in(*file), path, Travels::yes); !why.empty())
    file->refuse("is out of date: " + why + "; pack the scene again");
  SceneData scene = scene_in(file);
  scene.unread_files = scene.all_files();
  scene.files = {path};
  return scene;
}

}  // namespace ballotcast::detail
