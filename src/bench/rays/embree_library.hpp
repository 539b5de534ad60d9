// The library of Embree, 3 or 4, which is loaded when it is asked for: programs are built without
// it, and any release can be measured. Here is what its interface looks like in memory (Embree's
// manual, https://github.com/RenderKit/embree).
#pragma once

#include <algorithm>
#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail::embree {

/// The environment variable that names the library to load, else one of the system.
inline constexpr const char* kVariable = "BALLOTCAST_EMBREE";

enum class Quality : i32 { low, medium, high };

/// kRays rays and their hits, a row per number: RTCRayHit, RTCRayHit8, RTCRayHit16.
template <u32 kRays>
struct alignas(std::max(16u, 4u * kRays)) RayHits {
  float origin[3][kRays];
  float t_min[kRays];
  float direction[3][kRays];
  float time[kRays];
  float t[kRays];  // t_max; then that of the hit, or below 0 if an any-hit ray has one
  u32 mask[kRays], ray[kRays], flags[kRays];
  alignas(std::max(16u, 4u * kRays)) float normal[3][kRays];
  float u[kRays], v[kRays];
  u32 triangle[kRays], geometry[kRays];
  u32 instances[8][kRays];  // as many as the library may have been built for
};

/// The functions of the library.
struct Library {
  using Handle = void*;

  std::string path;
  std::string version;  // "4.4.0"
  std::string absent;   // why it can't be used, or ""

  Handle (*new_device)(const char*) = nullptr;
  void (*release_device)(Handle) = nullptr;
  i64 (*property)(Handle, i32) = nullptr;
  i32 (*error)(Handle) = nullptr;
  Handle (*new_scene)(Handle) = nullptr;
  void (*release_scene)(Handle) = nullptr;
  void (*set_scene_flags)(Handle, i32) = nullptr;
  void (*set_scene_quality)(Handle, Quality) = nullptr;
  void (*commit_scene)(Handle) = nullptr;
  Handle (*new_geometry)(Handle, i32) = nullptr;
  void (*release_geometry)(Handle) = nullptr;
  void (*set_geometry_quality)(Handle, Quality) = nullptr;
  void* (*new_buffer)(Handle, i32, u32, i32, std::size_t, std::size_t) = nullptr;
  void (*commit_geometry)(Handle) = nullptr;
  u32 (*attach)(Handle, Handle) = nullptr;

  /// Casts as rtcIntersect1, 8 and 16, or as rtcOccluded1, 8 and 16. `valid`: -1 for each ray that
  /// is to be cast, else 0; all are if there is but one.
  template <u32 kRays>
  void cast(Handle scene, bool any, bool coherent, const i32* valid, RayHits<kRays>& rays) const {
    // The first number of the arguments says whether rays are coherent, the second (of Embree 4)
    // that all features may be used. All others are 0.
    alignas(16) u32 arguments[32] = {};
    void* const function = casts_[kRays == 1u ? 0 : kRays == 8u ? 1 : 2][any ? 1 : 0];
    void *first = arguments, *second = &rays;
    arguments[0] = coherent ? 1u : 0u;
    if (is_4_) {
      std::swap(first, second);
      arguments[0] <<= 16u;
      arguments[1] = 0xffffffffu;
    }
    if constexpr (kRays == 1u)
      reinterpret_cast<void (*)(Handle, void*, void*)>(function)(scene, first, second);
    else
      reinterpret_cast<void (*)(const i32*, Handle, void*, void*)>(function)(valid, scene, first,
                                                                             second);
  }

 private:
  friend const Library& library();
  void load();
  bool open(const char* file, std::string& why);

  void* module_ = nullptr;
  void* casts_[3][2] = {};  // of 1, 8 and 16 rays: closest, any
  bool is_4_ = true;
};

/// The library of this process. Loaded at the first call, and never unloaded.
const Library& library();

}  // namespace ballotcast::detail::embree
