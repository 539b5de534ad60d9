// Loads glTF files as scenes, with their camera and sun.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ballotcast/error.hpp"
#include "math/trig.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/formats/gltf/animation.hpp"
#include "scene/formats/gltf/meshes.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "scene/motion/frames.hpp"
#include "support/float_environment.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char* kLights = "KHR_lights_punctual";

/// Scales `v` to length about 1. Returns nothing if `v` has no direction.
std::optional<dvec3> direction_of(dvec3 v) {
  const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(size > 0.0 && size < 1e30)) return std::nullopt;
  const dvec3 scaled = v / size;
  return scaled / std::sqrt(dot(scaled, scaled));
}

/// Makes a camera of the file the camera of the scene, unless the scene has one. Cameras and lights
/// look along -z of their node, with y upwards.
void use_camera(GltfFile& file, const Section& in, const Affine& to_world) {
  SceneData& scene = file.scene();
  if (scene.camera) return;
  const auto sight = direction_of(-to_world.z), up = direction_of(to_world.y);
  try {
    if (!sight || !up) throw UsageError("camera: its node has no direction");
    Camera camera;
    camera.eye = to_world.at;
    camera.look_at = to_world.at + *sight;
    camera.up = *up;
    if (in.text("type") == "orthographic") {
      camera.ortho_height = 2.0 * in.object("orthographic").number("ymag");
      if (!(camera.ortho_height > 0.0)) throw UsageError("camera: ymag must be above 0");
    } else {
      camera.fov = in.object("perspective").number("yfov") * (180.0 / kPi);
    }
    make_view(camera, dvec3(0.0), 16, 9);
    scene.camera = camera;
  } catch (const UsageError& error) {
    file.warn(in, std::string("left out: ") + error.what());
  } catch (const InputError& error) {
    scene.warnings.push_back(std::string(error.what()) + "; this camera is left out");
  }
}

/// Makes a light of the file the sun of the scene, unless the scene has one. Returns false if this
/// kind of light is not supported.
bool use_light(GltfFile& file, const Section& in, const Affine& to_world) {
  SceneData& scene = file.scene();
  if (in.text("type") != "directional" || scene.sun.direction) return false;
  const auto to_light = direction_of(to_world.z);
  if (!to_light) return false;
  scene.sun.direction = *to_light;
  scene.sun.color = in.has("color") ? Vec3f(in.color("color")) : Vec3f(1.0f, 1.0f, 1.0f);
  // The intensity is in lux. Pictures choose their own exposure, so only ratios matter.
  scene.sun.strength = static_cast<float>(
      std::clamp(number_or(in, "intensity", 1.0), 0.0, static_cast<double>(kMostLight)));
  return true;
}

/// Uses the first camera of the nodes as the camera of the scene, and the first directional light
/// as its sun. Other lights cause a warning.
void load_gltf_view(GltfFile& file, const GltfNodes& nodes) {
  u64 left_out = 0;
  const std::optional<Section> lights = extension(file.root(), kLights);
  const std::vector<Section> all = lights ? lights->objects("lights") : std::vector<Section>();
  for (const PlacedNode& placed : nodes.placed()) {
    const Section node = file.item("nodes", placed.node);
    if (const auto camera = file.index_if(node, "camera", "cameras"))
      use_camera(file, file.item("cameras", *camera), placed.to_world);
    if (const auto light = extension(node, kLights)) {
      if (all.empty()) light->fail("light", "names a light, but the file has none");
      const u32 index = light->count("light", 0, static_cast<u32>(all.size() - 1));
      if (!use_light(file, all[index], placed.to_world)) ++left_out;
    }
  }
  if (left_out != 0)
    file.scene().warnings.push_back(
        file.path() + ": lights left out (only the first directional light is used): " +
        std::to_string(left_out));
}

/// A glTF file that stays open, and that gives the state of its scene at any time.
class GltfScene : public FileMotion {
 public:
  GltfScene(const std::string& path, const LoadOptions& options)
      : options_(options), file_(path, scene_), vertices_(file_), keys_(file_) {
    scene_.name = scene_name_of(path);
    scene_.files.insert(scene_.files.begin(), path);
    scene_.animations = names_of_animations(file_);
    if (options.moment.seconds) animation_ = GltfAnimation(file_, keys_, options.animation);
  }

  bool moves() const { return animation_.moves(); }

  /// The scene at rest. Must be called once, before `at`.
  SceneData load() {
    const std::string path = file_.path();
    GltfNodes nodes(file_);
    texcoords_ = texcoords_of_materials(file_);
    GltfMeshes meshes = meshes_of_nodes(file_, nodes, texcoords_, vertices_);
    meshes.moves = moves();
    changes_shapes_ = moves() && (animation_.moves_weights() || meshes.has_skins());
    if (changes_shapes_) options_ = options_.without_instances();
    if (!changes_shapes_) vertices_.clear();
    if (moves())
      meshes_ = meshes;
    else
      file_.free_buffers();
    triangles_ = place_meshes(path, std::move(meshes), texcoords_, options_, scene_);
    has_instances_ = !scene_.instances.empty();
    const auto& [mesh, pieces] = triangles_;
    const FileMaterials materials = load_gltf_materials(file_, texcoords_, mesh, pieces);
    use_materials(path, mesh, pieces, materials, scene_);
    load_gltf_view(file_, nodes);
    file_.report_warnings();
    return std::exchange(scene_, SceneData{});
  }

  MovedFile at(double seconds) override {
    const DefaultFloats floats;
    GltfNodes nodes(file_, animation_.at(seconds));
    if (changes_shapes_) {
      meshes_ = meshes_of_nodes(file_, nodes, texcoords_, vertices_);
      meshes_.moves = true;
    } else {
      meshes_.place(nodes);
    }
    MovedFile moved;
    if (has_instances_) {
      moved.instances = instances_of(meshes_);
    } else {
      move_copies(meshes_, triangles_.mesh);
      moved.pose = pose_of(triangles_.mesh, triangles_.pieces, options_.crease_angle.value_or(0.0));
      if (!moved.pose)
        throw InputError(animation_.name() + " moves vertices beyond 2^40 (1.1e12) at " +
                         fixed(seconds, 3) + " s");
    }
    load_gltf_view(file_, nodes);
    moved.camera = scene_.camera;
    moved.sun = scene_.sun;
    scene_ = SceneData{};  // discards the warnings, because load() has already returned them
    return moved;
  }

  double end() const override { return animation_.end(); }

 private:
  LoadOptions options_;
  SceneData scene_;  // receives what is read: first the scene, then the camera and the sun again
  GltfFile file_;
  GltfAttributes vertices_, keys_;
  GltfAnimation animation_;
  std::vector<GltfTexcoords> texcoords_;
  bool changes_shapes_ = false;  // true: the meshes must be read again for each time
  bool has_instances_ = false;   // true: instances move; false: vertices move
  GltfMeshes meshes_;            // empty if nothing moves
  GltfTriangles triangles_;      // the triangles of the copies that place_meshes has made
};

/// Replaces what moves in a scene, and its camera and sun, by their state at another time, which
/// GltfScene::at has returned.
void set_moved(SceneData& scene, MovedFile moved) {
  if (moved.pose) {
    set_pose(scene, std::move(*moved.pose));
  } else {
    const PlacedTransforms at = transforms_of(scene, moved.instances);
    set_transforms(scene, at.transforms, boxes_of_parts(scene));
    scene.origin = at.origin;
  }
  scene.camera = moved.camera;
  scene.sun = moved.sun;
}

}  // namespace

SceneData load_gltf(const std::string& path, const LoadOptions& options) {
  const auto file = std::make_shared<GltfScene>(path, options);
  SceneData scene = file->load();
  if (!file->moves()) return scene;
  try {
    set_moved(scene, file->at(*options.moment.seconds));
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with(path) ? what : path + ": " + what);
  }
  scene.motion = file;
  return scene;
}

}  // namespace ballotcast::detail
