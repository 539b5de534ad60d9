// Casts rays on the caller's stream, with pipeline warp. Rays, hits and their parts may lie in
// arrays of the caller in device memory.
#pragma once

#include <memory>

#include "backends/cuda/peers.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/device_caster.hpp"
#include "kernels/queries/ray_arrays.hpp"
#include "kernels/queries/table.hpp"

namespace ballotcast::detail {

struct DeviceScene;

/// A scene in device memory, with the scratch memory of one cast. See DeviceCaster, which is public
/// and says what the functions do.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  /// Copies the caster's arrays to the current device and returns a caster there. `scene` is that
  /// which the caster was made for.
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
  /// Copies masks of all instances, from host or device memory. See DeviceCaster::set_masks.
  virtual void set_masks(const u32* masks, u32 count, void* stream) = 0;
  /// Answers a query whose arrays are on the device. `choice` of casts is ignored. DeviceCaster
  /// checks the query first.
  virtual void answer(const Query& query, void* stream) = 0;
  /// What a program's own kernels need of the scene: where its arrays are.
  virtual SceneForPrograms for_programs() const = 0;
  /// The scene, whose machine launches into `stream` from now on; for files of this folder.
  virtual DeviceScene& scene_on(void* stream) = 0;
};

/// Throws UsageError unless a query whose arrays are on a device has a meaning, in a scene of so
/// many worlds (0: without instances) that has followed its vertices; or if it has too many items.
void require_on_device(const Query& query, u32 world_count);

/// Copies a scene to the current device; its vertices stay. Throws DeviceError if that fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

/// The same, for vertices that move: `tree` is that of the scene. If it is null, for instances that
/// move.
std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree);

#pragma GCC visibility push(default)  // for the Python module
// Arrays that lie in device memory and belong to a caller of a StreamCaster. Everything is enqueued
// on the caller's stream; only what returns a value waits.

/// Memory on the current device, and what frees it. Throws OutOfDeviceMemory.
void* take_for_caller(u64 bytes);
void give_back_from_caller(void* memory);
/// Copies host memory there, and waits.
void copy_for_caller(void* to, const void* from, u64 bytes);
void wait_for(void* stream);
/// Waits for all streams of the current device.
void wait_for_device();
/// True if what is enqueued on a stream becomes part of a CUDA graph, or may.
bool may_be_captured(void* stream);

void pack_rays(StreamCaster& caster, const RayArrays& arrays, Ray* rays, u32 count, void* stream);
void pack_points(StreamCaster& caster, const PointArray& array, Vec3f* points, u32 count,
                 void* stream);

/// Makes ids of triangles those that RayFilter::skip takes; negative ones become kNoTriangle.
void pack_skip(StreamCaster& caster, const i64* ids, u32* skip, u32 count, void* stream);

/// How many rays have a NaN. Waits.
u32 count_nan_rays(StreamCaster& caster, const RayArrays& arrays, u32 count, void* stream);

/// Writes starts[0..count], the sums of the counts before each, and returns the last. Waits.
u64 starts_of(StreamCaster& caster, const u32* counts, u64* starts, u32 count, void* stream);

/// Parts of hits. Those of Nearest lie at the same places, but for `t`.
void store_found(StreamCaster& caster, const Hit* hits, u8* found, u32 count, void* stream);
void store_ids(StreamCaster& caster, const Hit* hits, i64* ids, u32 count, void* stream);
void store_t(StreamCaster& caster, const Hit* hits, float* t, u32 count, void* stream);
void store_precise_t(StreamCaster& caster, const RayArrays& arrays, const Hit* hits, double* t,
                     u32 count, void* stream);
/// Of all hits of `count` rays, which begin at `starts`.
void store_precise_t_of_all(StreamCaster& caster, const RayArrays& arrays, const u64* starts,
                            const Hit* hits, double* t, u32 count, void* stream);
void store_places(StreamCaster& caster, const dvec3& origin, const Hit* hits, double* places,
                  u32 count, void* stream);
void store_precise_places(StreamCaster& caster, const RayArrays& arrays, const Hit* hits,
                          const double* t, double* places, u32 count, void* stream);
void store_precise_places_of_all(StreamCaster& caster, const RayArrays& arrays, const u64* starts,
                                 const double* t, double* places, u32 count, void* stream);
void store_normals(StreamCaster& caster, const Hit* hits, float* normals, u32 count, void* stream);
void store_weights(StreamCaster& caster, const Hit* hits, float* weights, u32 count, void* stream);
/// The starts lie in device memory.
void store_locations(StreamCaster& caster, const MeshStarts& starts, LocationPart part,
                     const Hit* hits, i64* numbers, u32 count, void* stream);

void store_distances(StreamCaster& caster, const PointArray& array, const Nearest* nearest,
                     double* distances, u32 count, void* stream);
void store_closest_places(StreamCaster& caster, const PointArray& array, const Nearest* nearest,
                          double* places, u32 count, void* stream);
void negate(StreamCaster& caster, const u8* inside, float* distances, u32 count, void* stream);
void negate(StreamCaster& caster, const u8* inside, double* distances, u32 count, void* stream);
#pragma GCC visibility pop

}  // namespace ballotcast::detail
