#include "scene/sky_map.hpp"

namespace ballotcast::detail {

void load_sky_map(SceneData& scene) {
  if (!scene.sky.file) return;
}

}  // namespace ballotcast::detail
