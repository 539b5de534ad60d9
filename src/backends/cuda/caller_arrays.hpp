// Rays, hits and their parts in arrays that lie in device memory and belong to a caller of a
// StreamCaster. Everything is enqueued on the caller's stream; only what returns a value waits.
#pragma once

#include "backends/cuda/peers.hpp"
#include "backends/cuda/stream_caster.hpp"
#include "kernels/ray_arrays.hpp"

namespace ballotcast::detail {

/// Memory on the current device, and what frees it. Throws OutOfDeviceMemory.
void* take_for_caller(u64 bytes);
void give_back_from_caller(void* memory);
/// Copies host memory there, and waits.
void copy_for_caller(void* to, const void* from, u64 bytes);
void wait_for(void* stream);

void pack_rays(StreamCaster& caster, const RayArrays& arrays, Ray* rays, u32 count, void* stream);
void pack_points(StreamCaster& caster, const PointArray& array, Vec3f* points, u32 count,
                 void* stream);

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
void store_normals(StreamCaster& caster, const Hit* hits, float* normals, u32 count, void* stream);
void store_weights(StreamCaster& caster, const Hit* hits, float* weights, u32 count, void* stream);
/// The starts lie in device memory.
void store_locations(StreamCaster& caster, const MeshStarts& starts, LocationPart part,
                     const Hit* hits, i64* numbers, u32 count, void* stream);

void store_distances(StreamCaster& caster, const PointArray& array, const Nearest* nearest,
                     double* distances, u32 count, void* stream);
void negate(StreamCaster& caster, const u8* inside, float* distances, u32 count, void* stream);
void negate(StreamCaster& caster, const u8* inside, double* distances, u32 count, void* stream);

}  // namespace ballotcast::detail
