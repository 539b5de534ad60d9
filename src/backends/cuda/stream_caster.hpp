// Casts rays on the caller's stream, with pipeline warp. Rays, hits and single fields of hits may
// be in arrays of the caller in device memory.
#pragma once

#include <memory>

#include "backends/cuda/peers.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/device_caster.hpp"
#include "kernels/queries/pose_arrays.hpp"
#include "kernels/queries/queries.hpp"

namespace ballotcast::detail {

struct DeviceScene;

/// A scene in device memory, with the scratch memory of one cast. The public class DeviceCaster
/// documents these functions.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  /// Copies the caster's arrays to the current device and returns a caster there. `scene` must be
  /// the scene for which this caster was made.
  virtual std::unique_ptr<StreamCaster> copied(const PreparedScene& scene) const = 0;
  /// Copies vertices, from host or device memory. See DeviceCaster::set_vertices.
  virtual void set_vertices(const vec3* vertices, void* stream) = 0;
  virtual void refit(void* stream) = 0;
  virtual void reserve_rebuild(void* stream) = 0;
  virtual bool can_rebuild() const = 0;
  /// Builds a new tree for the present vertices. Call this function only after reserve_rebuild.
  virtual void rebuild(void* stream) = 0;
  virtual u32 refused_rebuilds(void* stream) = 0;
  /// Copies transforms, from host or device memory. See DeviceCaster::set_transforms.
  virtual void set_transforms(const Transform* transforms, void* stream) = 0;
  virtual void follow_instances(void* stream) = 0;
  virtual UnusableTransforms unusable_transforms(void* stream) = 0;
  /// Copies masks of all instances, from host or device memory. See DeviceCaster::set_masks.
  virtual void set_masks(const u32* masks, u32 count, void* stream) = 0;
  /// Answers a query whose arrays are on the device. `choice` is ignored. DeviceCaster checks the
  /// query before.
  virtual void answer(const Query& query, void* stream) = 0;
  /// The locations of the scene's arrays, for kernels of programs.
  virtual SceneForPrograms for_programs() const = 0;
  /// The scene, whose machine launches on `stream` from now on. Only files of this folder may call
  /// this function.
  virtual DeviceScene& scene_on(void* stream) = 0;
};

/// Throws UsageError if a query can't be answered with arrays on a device, because it has too many
/// items, or because it is not defined in a scene with this number of worlds (0: no instances)
/// whose vertices have moved.
void require_on_device(const Query& query, u32 world_count);

/// Copies a scene whose vertices do not move to the current device. Throws DeviceError if this
/// fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

/// Copies a scene that moves to the current device. `tree` is the scene's tree if its vertices
/// move; null if its instances move.
std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree);

#pragma GCC visibility push(default)  // exported for the Python module
// Functions on arrays in device memory that belong to a caller of a StreamCaster. All work is
// enqueued on the caller's stream. Only functions that return a value wait for it.

/// Allocates memory on the current device. give_back_from_caller frees it. Throws OutOfDeviceMemory
/// if there is not enough memory.
void* take_for_caller(u64 bytes);
void give_back_from_caller(void* memory);
/// Copies host memory to device memory, and waits for the copy.
void copy_for_caller(void* to, const void* from, u64 bytes);
void wait_for(void* stream);
/// True if work that is enqueued on a stream becomes, or may become, part of a CUDA graph.
bool may_be_captured(void* stream);

void pack_rays(StreamCaster& caster, const RayArrays& arrays, Ray* rays, u32 count, void* stream);
void pack_points(StreamCaster& caster, const PointArray& array, Vec3f* points, u32 count,
                 void* stream);

/// Converts ids of triangles to the form of RayFilter::skip; negative ids become kNoTriangle.
void pack_skip(StreamCaster& caster, const i64* ids, u32* skip, u32 count, void* stream);

/// Makes transforms of `count` instances, for StreamCaster::set_transforms.
void pack_transforms(StreamCaster& caster, const PoseArrays& poses, const PosedInstances& to,
                     Transform* transforms, u32 count, void* stream);

/// Makes the rays of sensors in all worlds, and the world of each ray; `count` rays in all.
void place_rays(StreamCaster& caster, const PoseArrays& sensors, const SensorRays& own, Ray* rays,
                u32* worlds, u32 count, void* stream);

/// Stores the range of each ray, and the number of the instance that it hit; see StoreRange.
void store_ranges(StreamCaster& caster, const i32* numbers, u32 instances, float miss,
                  const Hit* hits, float* ranges, i32* found, u32 count, void* stream);

/// Counts the rays with a NaN. Waits for the stream.
u32 count_nan_rays(StreamCaster& caster, const RayArrays& arrays, u32 count, void* stream);

/// Computes starts[0..count]: starts[i] is the sum of the counts before i. Returns the last
/// element. Waits for the stream.
u64 starts_of(StreamCaster& caster, const u32* counts, u64* starts, u32 count, void* stream);

/// Functions that store single fields of `count` hits in the caller's array. They also work for
/// records of closest points, because Nearest has the same fields at the same offsets, except that
/// its first field is a distance and not `t`.
void store_found(StreamCaster& caster, const Hit* hits, u8* found, u32 count, void* stream);
void store_ids(StreamCaster& caster, const Hit* hits, i64* ids, u32 count, void* stream);
void store_t(StreamCaster& caster, const Hit* hits, float* t, u32 count, void* stream);
void store_precise_t(StreamCaster& caster, const RayArrays& arrays, const Hit* hits, double* t,
                     u32 count, void* stream);
/// Stores t as doubles, as store_precise_t does, for all hits of `count` rays; those of ray i begin
/// at starts[i].
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
/// Stores the mesh, the instance or the triangle (`part`) of each hit. The arrays of MeshStarts
/// must be in device memory.
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
