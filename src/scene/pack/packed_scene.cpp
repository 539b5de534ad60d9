#include "scene/pack/packed_scene.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "image/color.hpp"
#include "image/picture_checks.hpp"
#include "scene/assemble.hpp"
#include "scene/light/light.hpp"
#include "support/files/packed_file.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// Checks the properties of arrays that kernels rely on. Messages name the array.
class Checker {
 public:
  explicit Checker(const PackedFile& file) : file_(file) {}

  /// Throws InputError unless is_good(element) is true for all elements.
  template <class T, class IsGood>
  void require_all(const Array<T>& array, const std::string& what, const IsGood& is_good) const {
    require(all_below(array.size(), [&](std::size_t i) { return is_good(array[i]); }), what);
  }

  void require(bool holds, const std::string& what) const {
    if (!holds) file_.refuse("is damaged: " + what);
  }

 private:
  const PackedFile& file_;
};

/// True for a radiance from black to `most`. A NaN fails every comparison.
bool is_light(vec3 v, float most) {
  return (v.x >= 0.0f) & (v.y >= 0.0f) & (v.z >= 0.0f) & (v.x <= most) & (v.y <= most) &
         (v.z <= most);
}

bool is_usable(const Material& m, std::size_t textures) {
  for (const TextureMember texture : kTexturesOfMaterial)
    if (m.*texture != kNoTexture && m.*texture >= textures) return false;
  return is_finite(m.color) && is_light(m.emission, static_cast<float>(kBrightest)) &&
         is_finite(m.specular) && is_finite(m.transmitted) && is_finite(m.opacity) &&
         is_finite(m.roughness) && is_finite(m.metallic) && is_finite(m.bumpiness) &&
         is_finite(m.refraction) &&
         static_cast<u32>(m.transmission) <= static_cast<u32>(Transmission::solid);
}

template <class Pixel>
bool has_its_size(const Picture<Pixel>& picture) {
  return picture.pixels.size() == u64{picture.width} * picture.height &&
         picture.pixels.size() <= kMostPixelsRead;
}

void require_mesh(const SceneData& scene, const PackedFile& file, const Checker& check) {
  const Mesh& mesh = scene.mesh;
  try {
    mesh.require_valid();
  } catch (const InputError& error) {
    file.refuse(std::string("is damaged: ") + error.what());
  }
  check.require_all(mesh.corner_normals, "a normal is no number",
                    [](vec3 v) { return is_finite(v); });
  check.require_all(mesh.corner_texcoords, "a texture coordinate is no number",
                    [](vec2 v) { return is_finite(v); });
  check.require_all(mesh.vertex_colors, "a colour is no number",
                    [](vec3 v) { return is_finite(v); });
  check.require_all(mesh.vertex_opacity, "an opacity is no number",
                    [](float f) { return is_finite(f); });
  const std::size_t materials = scene.materials.size();
  check.require(materials > 0, "it has no material");
  check.require_all(mesh.material_of, "a triangle names a material that does not exist",
                    [materials](u32 id) { return id < materials; });
}

void require_surfaces(const SceneData& scene, const Checker& check) {
  const std::size_t textures = scene.textures.size();
  check.require_all(scene.materials, "a material has unusable values",
                    [&](const Material& m) { return is_usable(m, textures); });
  check.require(scene.material_names.size() == scene.materials.size() &&
                    scene.texture_names.size() == textures,
                "materials and their names differ in number");
  check.require(scene.single_sided <= scene.materials.size(), "too many materials have one side");
  const auto is_known = [](Wrap wrap) { return wrap <= Wrap::clamp; };
  for (const Texture& texture : scene.textures)
    check.require(has_its_size(texture) && !texture.pixels.empty() && is_known(texture.across) &&
                      is_known(texture.down),
                  "a texture does not have its size");
}

/// True for a single line without control characters, because messages show such texts.
bool is_line(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<u8>(c) < 0x20 || c == 0x7f;
  });
}

void require_light(const SceneData& scene, const PackedFile& file, const Checker& check) {
  SceneRequest request;
  request.sun = scene.sun;
  request.sky = scene.sky;
  request.sky.file.reset();  // scenes may have both a picture and colours
  request.up = scene.up;
  request.exposure = scene.exposure;
  try {
    require_sensible(request);
    if (scene.light) require_known("light", {*scene.light}, light_names());
    if (scene.camera) make_view(*scene.camera, scene.origin, 16, 9);
  } catch (const UsageError& error) {
    file.refuse(std::string("is damaged: ") + error.what());
  }
  check.require(!scene.white_balance || white_balance_in(*scene.white_balance),
                "its white balance is unknown");
  const Picture<vec3>& sky = scene.sky_map;
  check.require(has_its_size(sky) && (sky.pixels.empty() || (sky.width > 1 && sky.height > 1)),
                "the picture of the sky does not have its size");
  check.require_all(sky.pixels, "the picture of the sky has unusable values",
                    [](vec3 v) { return is_light(v, kBrightestSky); });
}

void require_parts(const SceneData& scene, const Checker& check) {
  const auto& [ranges, names, shifts] = scene.named_parts;
  bool good = shifts.empty() && (ranges.empty() || ranges.front().first == 0);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    good =
        good && ranges[i].part < names.size() && (i == 0 || ranges[i - 1].first < ranges[i].first);
  check.require(good, "its named parts are in no order");
}

/// Throws InputError, which names `file`, unless kernels can use every index, number and size of
/// `scene`, which was read from this file. All properties that loaders guarantee must be checked,
/// because an attacker can make a file with correct checksums.
void require_usable(const SceneData& scene, const PackedFile& file) {
  const Checker check(file);
  require_mesh(scene, file, check);
  require_surfaces(scene, check);
  require_parts(scene, check);
  check.require(is_finite(scene.origin), "its origin is no number");
  check.require(is_line(scene.name), "its name is no line of text");
  check.require(std::all_of(scene.warnings.begin(), scene.warnings.end(), is_line),
                "a warning is no line of text");
  require_light(scene, file, check);
}

constexpr std::string_view kSceneValues = "scene", kSourceValues = "sources";

struct TextureShape {
  u32 width, height;
  Wrap across, down;
};

/// Calls visit(name, array) for every array of a scene, except textures.
template <class Scene, class Visit>
void each_array(Scene& scene, Visit visit) {
  visit("positions", scene.mesh.positions);
  visit("triangles", scene.mesh.triangles);
  visit("corner normals", scene.mesh.corner_normals);
  visit("corner texcoords", scene.mesh.corner_texcoords);
  visit("vertex colors", scene.mesh.vertex_colors);
  visit("vertex opacity", scene.mesh.vertex_opacity);
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
  values(scene.single_sided);
  values(scene.texture_names);
  values(scene.named_parts.ranges);
  values(scene.named_parts.names);
  for_each_part(scene.sun, [&](auto, auto part, auto) { values(scene.sun.*part); });
  for_each_part(scene.sky, [&](auto, auto part, auto) { values(scene.sky.*part); });
  values(scene.sky_map.width);
  values(scene.sky_map.height);
  static_assert(sizeof(Camera) == 25 * sizeof(double), "no gaps, and no member is new");
  values(scene.camera);
  SceneData::for_each_picture_setting([&](const char*, auto member) { values(scene.*member); });
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
  values(sources.missed, [&](auto& missed) {
    values(missed.folder);
    values(missed.name);
  });
}

std::vector<TextureShape> texture_shapes(const SceneData& scene) {
  std::vector<TextureShape> shapes;
  for (const Texture& texture : scene.textures)
    shapes.push_back({texture.width, texture.height, texture.across, texture.down});
  return shapes;
}

}  // namespace

bool is_packed_name(const std::string& path) { return lowered(path).ends_with(kPackedSuffix); }

void add_scene(PackedWriter& writer, const SceneData& scene, const SceneSources& sources) {
  ValueWriter values, source_values;
  each_value(values, scene);
  values(texture_shapes(scene));
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
  std::vector<TextureShape> shapes;
  values(shapes);
  values.require_end();
  each_array(scene,
             [&]<class T>(const char* name, Array<T>& array) { array = file->array<T>(name); });
  for (u32 i = 0; i < shapes.size(); ++i) {
    Texture& texture = scene.textures.emplace_back(shapes[i].width, shapes[i].height,
                                                   file->array<Rgba8>("texture", i));
    texture.across = shapes[i].across;
    texture.down = shapes[i].down;
  }
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
