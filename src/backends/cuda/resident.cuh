// A scene in device memory, and what can be done with it.
#pragma once

#include <functional>
#include <memory>

#include "backends/backend.hpp"
#include "backends/cuda/machine.cuh"
#include "kernels/ray_arrays.hpp"

namespace ballotcast::detail {

/// The device's copies of a scene's arrays. Owns them; `view` points to them.
struct DeviceArrays {
  SceneArrays view;
  std::vector<DeviceBuffer<std::byte>> owned;

  /// Copies every array of `scene`, and waits until it is there.
  DeviceArrays(CudaMachine& machine, const PreparedScene& scene);
  /// The same, from a GPU that has them already.
  DeviceArrays(CudaMachine& machine, const PreparedScene& scene, const DeviceArrays& there);

  /// Takes over all values; if `moved`, copies again the arrays that change when vertices move.
  void follow(CudaMachine& machine, const PreparedScene& scene, Moved moved);
};

/// A scene on the device, and the machine that works on it.
struct DeviceScene {
  CudaMachine machine;
  std::shared_ptr<DeviceArrays> arrays;
  // Scratch memory: the walks that rest between two kernels.
  DeviceBuffer<uint4> walks = machine.make<uint4>(0);

  explicit DeviceScene(const PreparedScene& scene)
      : arrays(std::make_shared<DeviceArrays>(machine, scene)) {}
  /// Copies the arrays from another GPU.
  DeviceScene(const PreparedScene& scene, const DeviceArrays& there)
      : arrays(std::make_shared<DeviceArrays>(machine, scene, there)) {}
  /// Shares the arrays of another scene.
  explicit DeviceScene(std::shared_ptr<DeviceArrays> shared) : arrays(std::move(shared)) {}
};

/// Rays in device memory.
struct DeviceRays {
  RayKind kind;
  const Ray* rays;
  Hit* hits;
  u32* visits;  // may be null
  u32 count;
  RayWorlds worlds = {};  // RayWorlds::each is in device memory
};

/// Casts rays with the options of `choice`.
CastCounts cast_on_device(DeviceScene& scene, const DeviceRays& rays, const CastChoice& choice,
                          const CastChecks& checks = {});

/// As cast_on_device. Also adds the number of atomics to *atomics, which is in device memory.
CastCounts cast_counting(DeviceScene& scene, const DeviceRays& rays, const CastChoice& choice,
                         u64* atomics);

/// Writes to counts[count] on the device how often each ray crosses a surface.
void count_crossings_on_device(DeviceScene& scene, const Ray* rays, const RayWorlds& worlds,
                               u32* counts, u32 count);

/// Writes the crossings of rays[count]. Those of ray i go to hits[starts[i]] and the places after
/// it. All arrays are on the device.
void store_crossings_on_device(DeviceScene& scene, const Ray* rays, const RayWorlds& worlds,
                               const u64* starts, Hit* hits, u32 count);

/// Writes the closest points of the scene for points[count]. All arrays are on the device.
void closest_points_on_device(DeviceScene& scene, const Vec3f* points, const RayWorlds& worlds,
                              float max_distance, Nearest* nearest, u32 count);

/// Writes 1 for each of `count` points that is inside, else 0. All arrays are on the device.
void contains_on_device(DeviceScene& scene, const PointArray& points, const RayWorlds& worlds,
                        InsideRule rule, u8* inside, u32 count);

/// Writes the winding numbers of `count` points. All arrays are on the device.
void winding_numbers_on_device(DeviceScene& scene, const PointArray& points,
                               const RayWorlds& worlds, double* numbers, u32 count);

/// Draws a frame, `at_once` paths at a time, or develops `films` if that is not null. Casts rays
/// with the options of `choice`.
DrawnFrame draw_frame_on_device(DeviceScene& scene, const FrameSettings& settings,
                                const CastChoice& choice, u32 at_once, const Progress& progress,
                                const std::vector<RawFilm>* films);

/// The reason why this program's kernels can't run on the current device, or "".
std::string missing_code();

}  // namespace ballotcast::detail
