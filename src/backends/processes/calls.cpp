#include "backends/processes/calls.hpp"

#include <cstring>
#include <vector>

#include "ballotcast/error.hpp"
#include "support/hash.hpp"

namespace ballotcast::detail {

void Calls::begin(CallKind kind, const std::vector<u64>& what) {
  std::vector<u64> words{number_, static_cast<u64>(kind)};
  words.insert(words.end(), what.begin(), what.end());
  id_ = content_hash(words.data(), words.size() * sizeof(u64));
}

u64 hash_of(const FrameSettings& settings) {
  const CameraView& camera = settings.camera;
  const float numbers[] = {
      camera.eye.x,     camera.eye.y,     camera.eye.z,         camera.corner.x,   camera.corner.y,
      camera.corner.z,  camera.step_x.x,  camera.step_x.y,      camera.step_x.z,   camera.step_y.x,
      camera.step_y.y,  camera.step_y.z,  camera.sharpness,     settings.exposure, settings.white.x,
      settings.white.y, settings.white.z, settings.camera_light};
  const u32 counts[] = {settings.width,     settings.height,    settings.samples,
                        settings.keep_hits, settings.keep_film, settings.leader_has_all,
                        settings.no_sun,    settings.no_sky};
  const CurvilinearPicture& picture = camera.curvilinear;
  const double picture_numbers[] = {static_cast<double>(picture.kind),
                                    picture.left,
                                    picture.top,
                                    picture.step_x,
                                    picture.step_y,
                                    picture.right.x,
                                    picture.right.y,
                                    picture.right.z,
                                    picture.down.x,
                                    picture.down.y,
                                    picture.down.z,
                                    picture.ahead.x,
                                    picture.ahead.y,
                                    picture.ahead.z,
                                    picture.radial.up[0],
                                    picture.radial.up[1],
                                    picture.radial.up[2],
                                    picture.radial.up[3],
                                    picture.radial.down[0],
                                    picture.radial.down[1],
                                    picture.radial.down[2],
                                    picture.p1,
                                    picture.p2};
  const u64 hashes[] = {content_hash(numbers, sizeof numbers),
                        content_hash(picture_numbers, sizeof picture_numbers),
                        content_hash(counts, sizeof counts),
                        content_hash(settings.all_settings.data(), settings.all_settings.size())};
  return content_hash(hashes, sizeof hashes);
}

std::vector<char> packed(const std::vector<StageTime>& times) {
  std::vector<char> bytes;
  for (const StageTime& time : times) {
    const char* const number = reinterpret_cast<const char*>(&time.milliseconds);
    bytes.insert(bytes.end(), number, number + sizeof time.milliseconds);
    bytes.insert(bytes.end(), time.name.c_str(), time.name.c_str() + time.name.size() + 1);
  }
  return bytes;
}

std::vector<StageTime> unpacked(const std::vector<char>& bytes) {
  std::vector<StageTime> times;
  for (std::size_t at = 0; at < bytes.size();) {
    StageTime& time = times.emplace_back();
    std::memcpy(&time.milliseconds, bytes.data() + at, sizeof time.milliseconds);
    time.name = bytes.data() + at + sizeof time.milliseconds;
    at += sizeof time.milliseconds + time.name.size() + 1;
  }
  return times;
}

namespace {

/// A hash of all data on which results depend: the files of the scene, its trees, its light.
u64 hash_of_scene(const PreparedScene& prepared) {
  std::vector<u64> hashes;
  const auto add = [&](const void* bytes, std::size_t count) {
    hashes.push_back(content_hash(bytes, count));
  };
  SceneArrays arrays = prepared.arrays;
  for_each_array(prepared, arrays, [&]<class Array>(const char*, const Array& array, auto&) {
    // The list of textures contains pointers, so it is left out. The texels are separate arrays.
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
  return content_hash(hashes.data(), hashes.size() * sizeof(u64));
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
