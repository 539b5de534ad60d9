#include "backends/processes/same_scene.hpp"

#include <vector>

#include "support/content_hash.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// A hash of all that results depend on: the files of the scene, its trees, its light.
u64 hash_of_scene(const PreparedScene& prepared) {
  std::vector<u64> parts;
  const auto add = [&](const void* bytes, std::size_t count) {
    parts.push_back(content_hash(bytes, count));
  };
  SceneArrays arrays = prepared.arrays;
  for_each_array(prepared, arrays, [&]<class Array>(const char*, const Array& array, auto&) {
    // Lists of textures have pointers; their texels are arrays of their own.
    if constexpr (!std::is_same_v<typename Array::value_type, TextureView>)
      add(array.data(), array.size() * sizeof(typename Array::value_type));
  });
  const SceneView& view = prepared.view;
  const vec3 lights[] = {view.sun.direction, view.sun.irradiance, view.sky.up,
                         view.sky.zenith,    view.sky.horizon,    view.sky.ground};
  add(lights, sizeof lights);
  const double origin[] = {prepared.scene->origin.x, prepared.scene->origin.y,
                           prepared.scene->origin.z};
  add(origin, sizeof origin);
  return content_hash(parts.data(), parts.size() * sizeof(u64));
}

}  // namespace

void require_same_scene(Processes& processes, const PreparedScene& scene) {
  require_same(processes, "a tree",
               scene.builder.name() + ", " + std::string(scene.encoded.layout->name));
  const u64 own = hash_of_scene(scene);
  u64 leaders = own;
  processes.broadcast(&leaders, sizeof leaders);
  if (own != leaders)
    throw InputError(scene.scene->place() + ": not the same scene as that of rank 0");
}

}  // namespace ballotcast::detail
