#include "scene/motion.hpp"

#include <utility>

namespace ballotcast::detail {

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

}  // namespace ballotcast::detail
