// Casts rays on the caller's stream, with pipeline warp.
#pragma once

#include <memory>

#include "backends/prepare.hpp"
#include "ballotcast/device_caster.hpp"
#include "kernels/ray_arrays.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

struct DeviceScene;

/// A scene in device memory, with the scratch memory of one cast. See DeviceCaster, which is public
/// and says what the functions do.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  /// One on the current device, to which it copies what is on its own device. `scene` is that which
  /// the caster was made for.
  virtual std::unique_ptr<StreamCaster> copied(const PreparedScene& scene) const = 0;
  /// Copies vertices, from host or device memory. See DeviceCaster::set_vertices.
  virtual void set_vertices(const vec3* vertices, void* stream) = 0;
  virtual void refit(void* stream) = 0;
  virtual void reserve_rebuild(void* stream) = 0;
  virtual bool can_rebuild() const = 0;
  /// After reserve_rebuild only.
  virtual void rebuild(void* stream) = 0;
  virtual u32 refused_rebuilds(void* stream) = 0;
  /// Copies transforms, from host or device memory. See DeviceCaster::set_transforms.
  virtual void set_transforms(const Transform* transforms, void* stream) = 0;
  virtual void follow_instances(void* stream) = 0;
  virtual UnusableTransforms unusable_transforms(void* stream) = 0;
  virtual void cast(RayKind kind, const Ray* rays, const RayWorlds& worlds, Hit* hits, u32 count,
                    void* stream) = 0;
  virtual void count(const Ray* rays, const RayWorlds& worlds, u32* counts, u32 count,
                     void* stream) = 0;
  /// Writes the crossings of ray i to hits[starts[i]] and the places after it.
  virtual void crossings(const Ray* rays, const RayWorlds& worlds, const u64* starts, Hit* hits,
                         u32 count, void* stream) = 0;
  virtual void closest_points(const Vec3f* points, const RayWorlds& worlds, float max_distance,
                              Nearest* nearest, u32 count, void* stream) = 0;
  virtual void contains(const PointArray& points, const RayWorlds& worlds, InsideRule rule,
                        u8* inside, u32 count, void* stream) = 0;
  virtual void winding_numbers(const PointArray& points, const RayWorlds& worlds, double* numbers,
                               u32 count, void* stream) = 0;
  /// The scene, whose machine launches into `stream` from now on; for files of this folder.
  virtual DeviceScene& scene_on(void* stream) = 0;
};

/// Copies a scene to the current device; its vertices stay. Throws DeviceError if that fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

/// The same, for vertices that move: `tree` is that of the scene. If it is null, for instances that
/// move.
std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree);

}  // namespace ballotcast::detail
