#include "scene/json/scene_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "ballotcast/error.hpp"
#include "image/color.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/instances/heightfields.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/instances/shapes.hpp"
#include "scene/json/json_section.hpp"
#include "scene/light/light.hpp"
#include "scene/motion/frames.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

constexpr const char* kMeshes = "meshes";
constexpr const char* kInstances = "instances";

void read(const Section& in, const char* key, std::optional<Vec3d>& to) { to = in.direction(key); }
void read(const Section& in, const char* key, std::optional<Vec3f>& to) { to = in.color(key); }
void read(const Section& in, const char* key, std::optional<double>& to) { to = in.number(key); }
void read(const Section& in, const char* key, std::optional<std::string>& to) { to = in.text(key); }
void read(const Section& in, const char* key, std::optional<float>& to) {
  to = in.amount(key, kMostLight);
}

/// Parses a sun or a sky. It counts as given even without members: {"sun": {}} adds a sun to a
/// scene with lamps.
template <class Whole, class Settings>
void read_parts(const Json& json, const std::string& file, const std::string& name, Settings& to) {
  std::vector<const char*> keys;
  for_each_part(to, [&](const char* key, auto, auto) { keys.push_back(key); });
  const Section in(json, file, name, keys);
  for_each_part(to, [&](const char* key, auto part, auto) {
    if (in.has(key)) read(in, key, to.*part);
  });
  if (!to.strength) to.strength = Whole{}.strength;
}

Placement read_placement(const Section& in) {
  Placement placement;
  if (in.has("translate")) placement.translate = in.vector("translate");
  if (in.has("rotate_y")) placement.rotate_y = in.number("rotate_y");
  if (in.has("scale")) placement.scale = in.number("scale");
  if (!(placement.scale > 0.0)) in.fail("scale", "must be above 0");
  return placement;
}

/// Parses the key "animation": a text or a number.
std::string read_animation(const Section& in) {
  constexpr const char* kKey = "animation";
  if (!in.has(kKey)) return "";
  if (in.at(kKey).is_number()) return std::to_string(in.count(kKey, 0, 0x7fffffff));
  return in.text(kKey);
}

void read_mesh_entry(const Json& json, const std::string& file, const std::string& name,
                     SceneDescription& to) {
  if (json.is_string()) {
    to.meshes.push_back({json.get<std::string>(), {}});
    to.animations.emplace_back();
    return;
  }
  const Section in(json, file, name, {"file", "translate", "scale", "rotate_y", "animation"});
  to.meshes.push_back({in.text("file"), read_placement(in)});
  to.animations.push_back(read_animation(in));
}

Material read_material(const Section& in) {
  Material material;
  if (in.has("color")) material.color = in.color("color");
  if (in.has("emission")) material.emission = in.color("emission");
  if (in.has("metallic")) material.metallic = in.amount("metallic", 1);
  if (in.has("roughness")) material.roughness = in.amount("roughness", 1);
  return material;
}

/// The numbers of a transform, row by row: 3 rows of 4 numbers, or all 12 numbers in one list. A
/// fourth row is allowed and must be 0, 0, 0, 1.
std::vector<double> read_transform(const Section& in) {
  constexpr const char* kKey = "transform";
  const Json& matrix = in.at(kKey);
  const auto is_row = [](const Json& element) { return element.is_array() && element.size() == 4; };
  Json flat = matrix;
  if (matrix.is_array() && std::all_of(matrix.begin(), matrix.end(), is_row)) {
    flat = Json::array();
    for (const Json& row : matrix) flat.insert(flat.end(), row.begin(), row.end());
  }
  const auto is_number = [](const Json& element) { return element.is_number(); };
  const bool has_numbers = flat.is_array() && std::all_of(flat.begin(), flat.end(), is_number);
  if (!has_numbers || (flat.size() != 12 && flat.size() != 16))
    in.fail(kKey, "must be 3 or 4 rows of 4 numbers, or these 12 or 16 numbers in one list");
  std::vector<double> numbers = flat.get<std::vector<double>>();
  if (!std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::isfinite(n); }))
    in.fail(kKey, "has a number that is not finite");
  if (numbers.size() == 16) {
    const std::vector<double> last(numbers.begin() + 12, numbers.end());
    if (last != std::vector<double>{0, 0, 0, 1})
      in.fail(kKey, "has a fourth row other than 0, 0, 0, 1: only affine transforms can be drawn");
    numbers.resize(12);
  }
  return numbers;
}

/// Throws InputError if the mask of an instance has keyframes.
void require_one_mask(const Json& entry, const std::string& file, const std::string& name) {
  for (const Section& keyframe : Section(entry, file, name).objects("keyframes"))
    if (keyframe.has("mask")) keyframe.fail("mask", "can't change from frame to frame");
}

/// The heights of a heightfield, as a list of rows.
void read_own_heights(const Section& in, OwnHeightfield& to) {
  constexpr const char* kKey = "heights";
  const Json& rows = in.at(kKey);
  if (!rows.is_array() || rows.empty() || !rows[0].is_array())
    in.fail(kKey, "must be the name of a picture, or a list of rows");
  to.of.rows = static_cast<u32>(rows.size());
  to.of.columns = static_cast<u32>(rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row = "its row " + std::to_string(i);
    if (!rows[i].is_array() || rows[i].size() != rows[0].size())
      in.fail(kKey, "must have rows of the same length; " + row + " is " +
                        Section::kind_of(rows[i]) + ", the first is " + Section::kind_of(rows[0]));
    for (const Json& height : rows[i]) {
      if (!height.is_number())
        in.fail(kKey, "must be numbers; in " + row + " is " + Section::kind_of(height));
      to.heights.push_back(static_cast<float>(height.get<double>()));
    }
  }
}

HeightsEntry read_heights_entry(const Section& in) {
  HeightsEntry out;
  const std::vector<double> size = in.numbers("size", 2);
  for (int i = 0; i < 2; ++i) out.field.of.size[i] = static_cast<float>(size[i]);
  try {
    if (in.has("diagonal")) out.field.of.diagonal = diagonal_called(in.text("diagonal"));
  } catch (const UsageError& error) {
    in.fail("diagonal", std::string("is wrong: ") + error.what());
  }
  if (in.has("range")) {
    const std::vector<double> range = in.numbers("range", 2);
    out.range = {range[0], range[1]};
  }
  if (in.at("heights").is_string()) {
    out.file = in.text("heights");
    return out;
  }
  if (out.range) in.fail("range", "is for the heights of a picture");
  read_own_heights(in, out.field);
  return out;
}

/// Makes the scene of a heightfield. Throws InputError if it can't be used.
SceneData scene_of(const HeightsEntry& entry, const std::string& name) {
  OwnHeightfield field = entry.field;
  if (!entry.file.empty()) {
    field = read_heights(entry.file, entry.range);
    std::copy_n(entry.field.of.size, 2, field.of.size);
    field.of.diagonal = entry.field.of.diagonal;
  }
  try {
    SceneData scene = scene_of_heightfield(field.view());
    if (!entry.file.empty()) scene.files.push_back(entry.file);
    return scene;
  } catch (const UsageError& error) {
    throw InputError(name + ": " + (entry.file.empty() ? "" : entry.file + ": ") + error.what());
  }
}

/// The shape of an instance. Its size is a number, or a list of numbers.
Shape read_shape(const Section& in) {
  const Json& size = in.at("size");
  std::vector<double> sizes(1);
  if (size.is_array())
    sizes = in.numbers("size", size.size());
  else
    sizes[0] = in.number("size");
  try {
    const Shape shape = shape_called(in.text("shape"), sizes);
    require_usable_shape(shape);
    return shape;
  } catch (const UsageError& error) {
    in.fail("shape", std::string("is wrong: ") + error.what());
  }
}

InstanceEntry read_instance(const Json& json, const std::string& file, const std::string& name) {
  const Section in(json, file, name,
                   {"mesh", "shape", "size", "heights", "range", "diagonal", "name", "transform",
                    "translate", "scale", "rotate_y", "material", "mask"});
  InstanceEntry out;
  out.name = name;
  const std::string shape = in.has("shape") ? in.text("shape") : "";
  if (in.has("shape") && in.has("mesh")) in.fail("mesh", "and \"shape\" exclude each other");
  if (shape == "heightfield")
    out.heights = read_heights_entry(in);
  else if (in.has("shape"))
    out.shape = read_shape(in);
  else
    out.file = in.text("mesh");
  if (in.has("size") && !in.has("shape")) in.fail("size", "is for shapes; a mesh has \"scale\"");
  for (const char* key : {"heights", "range", "diagonal"})
    if (in.has(key) && !out.heights) in.fail(key, "is for the shape \"heightfield\"");
  if (out.shape) out.key.assign(reinterpret_cast<const char*>(&*out.shape), sizeof *out.shape);
  for (const char* key : {"mesh", "heights", "range", "diagonal", "size"})
    if (in.has(key) && !out.shape) out.key += key + in.at(key).dump();
  if (in.has("name")) out.part = in.text("name");
  if (in.has("mask")) out.mask = in.count("mask", 0, 0xffffffffu);
  if (in.has("material") && in.at("material").is_object())
    out.own_material = read_material(Section(in.at("material"), file, in.path_of("material"),
                                             {"color", "emission", "metallic", "roughness"}));
  else if (in.has("material"))
    out.material = in.text("material");
  if (!in.has("transform")) {
    out.to_world = affine_of(read_placement(in));
    return out;
  }
  for (const char* other : {"translate", "scale", "rotate_y"})
    if (in.has(other)) in.fail(other, "and \"transform\" exclude each other");
  const std::vector<double> m = read_transform(in);
  out.to_world = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
  return out;
}

/// Parses a text or a number. Returns it in the form of RenderSettings.
std::string read_white_balance(const Section& in) {
  const Json& value = in.at("white_balance");
  const std::string text = value.is_string()   ? value.get<std::string>()
                           : value.is_number() ? value.dump()
                                               : "";
  if (!white_balance_in(text))
    in.fail("white_balance",
            "must be " + std::string(kWhiteBalances) + ", not " + Section::kind_of(value));
  return text;
}

std::string read_light(const Section& in) {
  const std::string name = in.text("light");
  try {
    require_known("light", {name}, light_names());
  } catch (const UsageError& error) {
    in.fail("light", error.what());
  }
  return name;
}

/// The instances of a scene file, as parts of `meshes`, which are the files that instances name.
/// The first of them is the mesh `still`, if there is one, which has no placement.
class InstanceFiles {
 public:
  InstanceFiles(const SceneDescription& description, std::optional<SceneData> still,
                const LoadOptions& options) {
    if (still) {
      add(std::move(*still));
      placed.push_back({0, {}});
    }
    std::map<std::string, u32> loaded;
    for (const InstanceEntry& instance : description.instances) {
      const auto [at, is_new] = loaded.try_emplace(instance.key, static_cast<u32>(meshes.size()));
      if (is_new)
        add(instance.heights ? scene_of(*instance.heights, instance.name)
            : instance.shape ? scene_of_shape(*instance.shape)
                             : load_mesh(instance.file, options));
      placed.push_back({at->second, instance.to_world, material_of(instance, at->second),
                        instance.own_material, instance.name, 0, instance.part, instance.mask});
    }
  }

  std::vector<SceneData> meshes;
  std::vector<PlacedPart> placed;

 private:
  void add(SceneData mesh) {
    first_material_.push_back(static_cast<u32>(names_.size()));
    names_.insert(names_.end(), mesh.material_names.begin(), mesh.material_names.end());
    meshes.push_back(std::move(mesh));
  }

  /// The index of the material that the instance names. It is looked up in the instance's mesh,
  /// then in earlier meshes.
  u32 material_of(const InstanceEntry& instance, u32 mesh) const {
    if (instance.material.empty()) return kOwnMaterials;
    const auto found = [&](u32 begin) {
      return std::find(names_.begin() + begin, names_.end(), instance.material);
    };
    auto name = found(first_material_[mesh]);
    if (name == names_.end()) name = found(0);
    if (name == names_.end())
      throw InputError(instance.name +
                       ": no material of this mesh, or of one before it, is called '" +
                       one_line(instance.material) + "'");
    return static_cast<u32>(name - names_.begin());
  }

  std::vector<u32> first_material_;
  std::vector<std::string> names_;
};

}  // namespace

Json read_scene_json(const std::string& path) {
  const std::vector<u8> bytes = read_maybe_gzip(path);
  return parse_json({bytes.begin(), bytes.end()}, path, /*comments=*/true);
}

SceneDescription description_of_scene(const Json& json, const std::string& path, double frame) {
  const Section in(json, path, "",
                   {kMeshes, kInstances, "camera", "sun", "sky", "up", "shading", "exposure",
                    "white_balance", "light", "crease_angle"});
  SceneDescription out;
  if (in.has("crease_angle")) {
    const double angle = in.number("crease_angle");
    if (!(angle >= 0.0 && angle <= 180.0))
      in.fail("crease_angle", "must be between 0 and 180 degrees");
    out.crease_angle = angle;
  }
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  SceneData& settings = out.settings;
  if (in.has("up")) settings.up = in.direction("up");
  if (in.has("camera")) {
    const Json camera = in_frame(in.at("camera"), path, "camera", frame);
    settings.camera = read_camera(Section(camera, path, "camera", kCameraKeys), up_of(settings));
  }
  if (in.has("sun"))
    read_parts<Sun>(in_frame(in.at("sun"), path, "sun", frame), path, "sun", settings.sun);
  if (in.has("sky")) read_parts<Sky>(in.at("sky"), path, "sky", settings.sky);
  if (auto& file = settings.sky.file) file = (directory / *file).string();
  if (in.has("shading")) settings.shading = in.text("shading");
  if (in.has("exposure")) settings.exposure = in.amount("exposure", kMostLight);
  if (in.has("white_balance")) settings.white_balance = read_white_balance(in);
  if (in.has("light")) settings.light = read_light(in);

  const auto each = [&](const char* key, auto read) {
    const Json& list = in.at(key);
    if (!list.is_array() || list.empty())
      in.fail(key, "must be a list of at least one " +
                       std::string(key == kMeshes ? "mesh file" : "instance"));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string name = std::string(key) + "[" + std::to_string(i) + "]";
      read(in_frame(list[i], path, name, frame), name, has_keyframes(list[i]));
    }
  };
  const bool has_instances = in.has(kInstances);
  if (!has_instances || in.has(kMeshes))
    each(kMeshes, [&](const Json& entry, const std::string& name, bool moves) {
      read_mesh_entry(entry, path, name, out);
      out.meshes.back().file = (directory / out.meshes.back().file).string();
      out.moves.push_back(moves);
    });
  if (has_instances)
    each(kInstances, [&](const Json& entry, const std::string& name, bool moves) {
      if (moves) require_one_mask(in.at(kInstances)[out.instances.size()], path, name);
      InstanceEntry instance = read_instance(entry, path, name);
      std::string* const file = instance.heights ? &instance.heights->file
                                : instance.shape ? nullptr
                                                 : &instance.file;
      if (file && !file->empty()) *file = (directory / *file).string();
      instance.moves = moves;
      out.instances.push_back(std::move(instance));
    });
  return out;
}

namespace {

/// The options for the meshes of a scene file. Values in `options` have priority over those of the
/// file. In a scene file with instances meshes are not animated, because there only the transforms
/// of instances can change.
LoadOptions of_file(const SceneDescription& description, LoadOptions options) {
  if (!options.crease_angle) options.crease_angle = description.crease_angle;
  if (!description.instances.empty()) options.moment.seconds.reset();
  return options;
}

/// Adds warnings about animations that of_file leaves out.
void warn_if_animated(SceneData& mesh, const SceneDescription& description,
                      const LoadOptions& options) {
  if (!mesh.animations.empty() && !description.instances.empty() && options.moment.seconds)
    mesh.warnings.push_back(mesh.place() +
                            ": animations left out: beside instances, meshes can't be animated");
}

}  // namespace

std::vector<PlacedScene> load_meshes(const SceneDescription& description, const std::string& path,
                                     const LoadOptions& caller_options) {
  LoadOptions options = of_file(description, caller_options);
  const bool one_stays = description.instances.empty() && description.meshes.size() == 1 &&
                         !description.moves[0] && is_identity(description.meshes[0].placement);
  if (!one_stays) options = options.without_instances();
  std::vector<PlacedScene> meshes;
  for (std::size_t i = 0; i < description.meshes.size(); ++i) {
    const PlacedFile& mesh = description.meshes[i];
    options.animation =
        caller_options.animation.empty() ? description.animations[i] : caller_options.animation;
    try {
      meshes.push_back({load_mesh(mesh.file, options), mesh.placement, description.moves[i]});
      warn_if_animated(meshes.back().scene, description, caller_options);
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
  return meshes;
}

SceneData joined_scene(const SceneDescription& description, std::vector<PlacedScene> meshes,
                       const std::string& path, const LoadOptions& options) {
  const auto has_view = [](const SceneData& mesh) { return mesh.camera || is_given(mesh.sun); };
  bool has_views = std::any_of(meshes.begin(), meshes.end(),
                               [&](const PlacedScene& mesh) { return has_view(mesh.scene); });
  SceneData scene;
  try {
    if (!meshes.empty()) scene = merged(std::move(meshes));
    scene.mesh.require_valid();
    if (!description.instances.empty()) {
      std::optional<SceneData> still;
      if (!description.meshes.empty()) still = std::move(scene);
      InstanceFiles files(description, std::move(still),
                          of_file(description, options).without_instances());
      has_views = has_views || std::any_of(files.meshes.begin(), files.meshes.end(), has_view);
      for (std::size_t i = description.meshes.empty() ? 0 : 1; i < files.meshes.size(); ++i)
        warn_if_animated(files.meshes[i], description, options);
      scene = scene_of_instances(std::move(files.meshes), files.placed);
    }
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  const SceneData& settings = description.settings;
  scene.files.insert(scene.files.begin(), path);
  scene.name = one_line(std::filesystem::path(path).stem().string());
  scene.up = settings.up;
  // A single mesh without a placement keeps the camera and the sun of its file.
  if (settings.camera) scene.camera = settings.camera;
  if (is_given(settings.sun)) scene.sun = settings.sun;
  if (has_views && !scene.camera && !is_given(scene.sun))
    scene.warnings.push_back(
        path +
        ": cameras and suns of meshes are used only if one mesh stays in its place; ignored");
  scene.sky = settings.sky;
  SceneData::for_each_picture_setting(
      [&](const char*, auto member) { scene.*member = settings.*member; });
  return scene;
}

SceneData load_scene_file(const std::string& path, const LoadOptions& options) {
  // Everything that is fast to check is checked before the meshes are loaded.
  const SceneDescription description =
      description_of_scene(read_scene_json(path), path, options.moment.frame);
  return joined_scene(description, load_meshes(description, path, options), path, options);
}

}  // namespace ballotcast::detail
