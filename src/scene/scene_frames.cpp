#include "scene/scene_frames.hpp"

#include <algorithm>
#include <utility>

#include "scene/light.hpp"
#include "scene/mesh_formats.hpp"
#include "support/error.hpp"
#include "support/float_environment.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

SceneFrames::SceneFrames(const SceneRequest& request, const OnWarnings& on_warnings)
    : request_(request) {
  const DefaultFloats floats;
  if (!lowered(request.file).ends_with(kSceneFileSuffix))
    throw UsageError("frames: '" + request.file + "' has none; only .json scene files have");
  if (!request.meshes.empty())
    throw UsageError("frames: meshes can't be added; name them in the scene file");
  json_ = std::make_shared<const Json>(read_scene_json(request.file));
  const StatedScene stated = stated_scene(*json_, request.file, request.frame);
  std::vector<PlacedScene> loaded =
      load_parts(stated, request.file, {request.crease_angle, request.frame});
  for (const StatedInstance& instance : stated.instances)
    instances_move_ = instances_move_ || instance.moves;
  const bool meshes_move =
      std::find(stated.moves.begin(), stated.moves.end(), true) != stated.moves.end();
  if (meshes_move && !stated.instances.empty())
    throw UsageError("frames: '" + request.file +
                     "' has keyframes for meshes beside instances; make these meshes instances");
  if (meshes_move)
    for (const PlacedScene& part : loaded) {
      Mesh mesh;
      mesh.positions = part.scene.mesh.positions;
      mesh.triangles = part.scene.mesh.triangles;
      mesh.corner_normals = part.scene.mesh.corner_normals;
      parts_.push_back({std::move(mesh), part.scene.origin, part.scene.name});
    }
  SceneData scene =
      joined_scene(stated, std::move(loaded), request.file, {request.crease_angle, request.frame});
  warn_of_size(scene);
  apply_settings(request_, scene, on_warnings);
  scene_ = std::make_shared<const SceneData>(std::move(scene));
}

SceneChange SceneFrames::in(u32 frame) const {
  const DefaultFloats floats;
  const StatedScene stated = stated_scene(*json_, request_.file, frame);
  SceneChange change;
  change.camera = stated.settings.camera ? stated.settings.camera : scene_->camera;
  change.sun = is_stated(stated.settings.sun) ? stated.settings.sun : scene_->sun;
  state_over(change.sun, request_.sun);
  if (instances_move_) change.transforms = transforms_in(stated);
  if (parts_.empty()) return change;
  std::vector<PlacedMesh> meshes;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    meshes.push_back(
        {parts_[i].mesh, parts_[i].origin, stated.meshes[i].placement, parts_[i].name});
  try {
    change.pose = pose_of(meshes);
  } catch (const InputError& error) {
    throw InputError(request_.file + ": frame " + std::to_string(frame) + ": " + error.what());
  }
  return change;
}

PlacedTransforms SceneFrames::transforms_in(const StatedScene& stated) const {
  std::vector<PlacedPart> placed;
  // The meshes that are no instances are the first one.
  if (!stated.meshes.empty()) placed.push_back({0, {}});
  for (const StatedInstance& instance : stated.instances)
    placed.push_back({scene_->instances[placed.size()].mesh, instance.to_world});
  return transforms_of(*scene_, placed);
}

}  // namespace ballotcast::detail
