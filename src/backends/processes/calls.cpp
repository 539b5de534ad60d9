#include "backends/processes/calls.hpp"

#include <cstring>

#include "support/content_hash.hpp"

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
  const u32 counts[] = {settings.width,         settings.height,    settings.samples,
                        settings.keep_hits,     settings.keep_film, settings.keep_alpha,
                        settings.leader_has_all};
  const u64 parts[] = {content_hash(numbers, sizeof numbers), content_hash(counts, sizeof counts),
                       content_hash(settings.stated.data(), settings.stated.size())};
  return content_hash(parts, sizeof parts);
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

}  // namespace ballotcast::detail
