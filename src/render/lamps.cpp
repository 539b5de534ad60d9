#include "render/lamps.hpp"

#include "backends/device/rows.hpp"
#include "render/framing.hpp"
#include "render/interior.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

bool may_be_lamplit(const SceneData& scene) {
  return scene.has_emitters() && !(is_stated(scene.sun) && is_stated(scene.sky));
}

bool is_lamplit_room(const PreparedScene& scene) {
  if (!scene.scene->has_emitters() || scene.bounds.empty()) return false;
  try {
    return share_of_sky(scene, *cpu_upload(scene), frame_scene(scene, 16.0 / 9.0)) < kLeastSky;
  } catch (const InputError&) {  // it is too large to be seen as a whole
    return false;
  }
}

void put_out_daylight(const SceneData& scene, FrameSettings& frame) {
  frame.no_sun = !is_stated(scene.sun);
  frame.no_sky = !is_stated(scene.sky);
}

}  // namespace ballotcast::detail
