#include "render/framing/film.hpp"

#include "render/framing/framing.hpp"

namespace ballotcast::detail {

Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect) {
  constexpr u64 kLooks = 16;
  const dvec3 origin = scene.scene->origin;
  const Aabb first = scene.bounds;
  Aabb inside = first, all = first;
  inside.include(vec3(dvec3(camera.eye) - origin));
  if (first.empty() || first.contains(inside)) return camera;
  std::vector<u32> looks;
  for (u64 i = 1; i <= kLooks; ++i)
    looks.push_back(static_cast<u32>(i * frames.last_frame() / kLooks));
  // Frames that can't be drawn matter only if they are wanted.
  for (const PlacedBox& placed : frames.boxes_in(looks)) {
    const vec3 moved(placed.origin - origin);
    if (!placed.box.empty()) all.include(Aabb{placed.box.low + moved, placed.box.high + moved});
  }
  return first.contains(all) ? camera : seeing_box(camera, all, origin, aspect);
}

}  // namespace ballotcast::detail
