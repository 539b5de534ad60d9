// The library of Embree 3 or 4, which is loaded at run time. So this program is built without
// Embree, and any release can be measured. The structures here have the layout in memory that
// Embree's interface has (Embree's manual, https://github.com/RenderKit/embree).
#pragma once

#include <algorithm>
#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail::embree {

/// The environment variable with the path of the library. If it is not set, the system's library is
/// loaded.
inline constexpr const char* kVariable = "BALLOTCAST_EMBREE";

enum class Quality : i32 { low, medium, high };

/// kRays rays and their hits, with one array per number, like Embree's RTCRayHit, RTCRayHit8 and
/// RTCRayHit16.
template <u32 kRays>
struct alignas(std::max(16u, 4u * kRays)) RayHits {
  float origin[3][kRays];
  float t_min[kRays];
  float direction[3][kRays];
  float time[kRays];
  // t_max of the ray; after the cast, t of the hit, or a negative number if an any-hit ray has hit
  float t[kRays];
  u32 mask[kRays], ray[kRays], flags[kRays];
  alignas(std::max(16u, 4u * kRays)) float normal[3][kRays];
  float u[kRays], v[kRays];
  u32 triangle[kRays], geometry[kRays];
  u32 instances[8][kRays];  // as many levels as the library may have been built for
};

/// The functions of the loaded library.
struct Library {
  using Handle = void*;

  std::string path;
  std::string version;  // version, e.g. "4.4.0"
  std::string absent;   // the reason why the library can't be used, or ""

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

  /// Calls rtcIntersect1, 8 or 16, or rtcOccluded1, 8 or 16. `valid` is -1 for each ray to cast and
  /// 0 for others; a single ray is always cast.
  template <u32 kRays>
  void cast(Handle scene, bool any, bool coherent, const i32* valid, RayHits<kRays>& rays) const {
    // The first number of the arguments tells whether rays are coherent; the second one (in Embree
    // 4) allows all features. All others are 0.
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
  void* casts_[3][2] = {};  // functions for 1, 8 and 16 rays: closest hit, any hit
  bool is_4_ = true;
};

/// The library, loaded at the first call and never unloaded.
const Library& library();

}  // namespace ballotcast::detail::embree
