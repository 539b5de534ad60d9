#include "backends/cuda/cub.cuh"
#include "backends/cuda/device_scene.cuh"
#include "backends/cuda/stream_caster.hpp"

namespace ballotcast::detail {

namespace {

const SceneView& view_of(const DeviceScene& scene) { return scene.arrays->view.scene; }

template <class Step, class... Views>
void enqueue(StreamCaster& caster, void* stream, u32 count, const Views&... views) {
  caster.scene_on(stream).machine.each<Step>("arrays of the caller", count, views...);
}

}  // namespace

void* take_for_caller(u64 bytes) { return take_device_memory(bytes); }
void give_back_from_caller(void* memory) { cudaFree(memory); }
void copy_for_caller(void* to, const void* from, u64 bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}
void wait_for(void* stream) {
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "cudaStreamSynchronize");
}
bool may_be_captured(void* stream) {
  cudaStreamCaptureStatus status{};
  if (cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status) == cudaSuccess)
    return status != cudaStreamCaptureStatusNone;
  (void)cudaGetLastError();  // clears the error, because no launch has failed
  return true;
}

void pack_rays(StreamCaster& caster, const RayArrays& arrays, Ray* rays, u32 count, void* stream) {
  enqueue<PackRay>(caster, stream, count, arrays, rays);
}

void pack_points(StreamCaster& caster, const PointArray& array, Vec3f* points, u32 count,
                 void* stream) {
  enqueue<PackPoint>(caster, stream, count, array, points);
}

void pack_skip(StreamCaster& caster, const i64* ids, u32* skip, u32 count, void* stream) {
  enqueue<PackSkip>(caster, stream, count, ids, skip);
}

void pack_transforms(StreamCaster& caster, const PoseArrays& poses, const PosedInstances& to,
                     Transform* transforms, u32 count, void* stream) {
  enqueue<PackTransform>(caster, stream, count, poses, to, transforms);
}

void place_rays(StreamCaster& caster, const PoseArrays& sensors, const SensorRays& own, Ray* rays,
                u32* worlds, u32 count, void* stream) {
  enqueue<PlaceRay>(caster, stream, count, sensors, own, rays, worlds);
}

void store_ranges(StreamCaster& caster, const i32* numbers, u32 instances, float miss,
                  const Hit* hits, float* ranges, i32* found, u32 count, void* stream) {
  enqueue<StoreRange>(caster, stream, count, view_of(caster.scene_on(stream)), numbers, instances,
                      miss, hits, ranges, found);
}

u32 count_nan_rays(StreamCaster& caster, const RayArrays& arrays, u32 count, void* stream) {
  if (count == 0) return 0;
  CudaMachine& machine = caster.scene_on(stream).machine;
  const DeviceBuffer<u32> marks(count), sum(1);
  DeviceBuffer<u8> scratch;
  machine.each<MarkNan>("NaN rays", count, arrays, marks.data());
  cub_sum(marks.data(), count, sum.data(), scratch, machine.stream());
  u32 found = 0;
  machine.download(&found, static_cast<const u32*>(sum.data()), 1);
  return found;
}

u64 starts_of(StreamCaster& caster, const u32* counts, u64* starts, u32 count, void* stream) {
  CudaMachine& machine = caster.scene_on(stream).machine;
  DeviceBuffer<u8> scratch;
  cub_starts(counts, count, starts, scratch, machine.stream());
  u64 all = 0;
  machine.download(&all, static_cast<const u64*>(starts + count), 1);
  return all;
}

void store_found(StreamCaster& caster, const Hit* hits, u8* found, u32 count, void* stream) {
  enqueue<StoreFound>(caster, stream, count, hits, found);
}

void store_ids(StreamCaster& caster, const Hit* hits, i64* ids, u32 count, void* stream) {
  enqueue<StoreId>(caster, stream, count, hits, ids);
}

void store_t(StreamCaster& caster, const Hit* hits, float* t, u32 count, void* stream) {
  enqueue<StoreT>(caster, stream, count, hits, t);
}

void store_precise_t(StreamCaster& caster, const RayArrays& arrays, const Hit* hits, double* t,
                     u32 count, void* stream) {
  enqueue<StorePreciseT>(caster, stream, count, view_of(caster.scene_on(stream)), arrays, hits, t);
}

void store_precise_t_of_all(StreamCaster& caster, const RayArrays& arrays, const u64* starts,
                            const Hit* hits, double* t, u32 count, void* stream) {
  enqueue<StorePreciseTOfAll>(caster, stream, count, view_of(caster.scene_on(stream)), arrays,
                              starts, hits, t);
}

void store_places(StreamCaster& caster, const dvec3& origin, const Hit* hits, double* places,
                  u32 count, void* stream) {
  enqueue<StorePlace>(caster, stream, count, view_of(caster.scene_on(stream)), origin, hits,
                      reinterpret_cast<dvec3*>(places));
}

void store_precise_places(StreamCaster& caster, const RayArrays& arrays, const Hit* hits,
                          const double* t, double* places, u32 count, void* stream) {
  enqueue<StorePrecisePlace>(caster, stream, count, arrays, hits, t,
                             reinterpret_cast<dvec3*>(places));
}

void store_precise_places_of_all(StreamCaster& caster, const RayArrays& arrays, const u64* starts,
                                 const double* t, double* places, u32 count, void* stream) {
  enqueue<StorePrecisePlacesOfAll>(caster, stream, count, arrays, starts, t,
                                   reinterpret_cast<dvec3*>(places));
}

void store_normals(StreamCaster& caster, const Hit* hits, float* normals, u32 count, void* stream) {
  enqueue<StoreNormal>(caster, stream, count, view_of(caster.scene_on(stream)), hits,
                       reinterpret_cast<vec3*>(normals));
}

void store_weights(StreamCaster& caster, const Hit* hits, float* weights, u32 count, void* stream) {
  enqueue<StoreWeights>(caster, stream, count, hits, reinterpret_cast<vec2*>(weights));
}

void store_locations(StreamCaster& caster, const MeshStarts& starts, LocationPart part,
                     const Hit* hits, i64* numbers, u32 count, void* stream) {
  enqueue<StoreLocation>(caster, stream, count, view_of(caster.scene_on(stream)), starts, part,
                         hits, numbers);
}

void store_distances(StreamCaster& caster, const PointArray& array, const Nearest* nearest,
                     double* distances, u32 count, void* stream) {
  enqueue<StoreDistance>(caster, stream, count, view_of(caster.scene_on(stream)), array, nearest,
                         distances);
}

void store_closest_places(StreamCaster& caster, const PointArray& array, const Nearest* nearest,
                          double* places, u32 count, void* stream) {
  enqueue<StoreClosestPlace>(caster, stream, count, view_of(caster.scene_on(stream)), array,
                             nearest, reinterpret_cast<dvec3*>(places));
}

void negate(StreamCaster& caster, const u8* inside, float* distances, u32 count, void* stream) {
  enqueue<Negate<float>>(caster, stream, count, inside, distances);
}

void negate(StreamCaster& caster, const u8* inside, double* distances, u32 count, void* stream) {
  enqueue<Negate<double>>(caster, stream, count, inside, distances);
}

}  // namespace ballotcast::detail
