// Backend cuda in a build without the CUDA Toolkit.
#include "backends/benchmarks/runners.hpp"
#include "backends/cuda/stream_caster.hpp"
#include "backends/device/backend.hpp"
#include "backends/parts/ray_router.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {

u32 cuda_count() { return 0; }
void cuda_use(u32) {}
std::string cuda_unusable() { return "this build has no CUDA code: tools/build --cuda adds it"; }

std::string cuda_describe() { return ""; }

u64 cuda_free_memory() { throw DeviceError("device cuda can't be used: " + cuda_unusable()); }

Loop cuda_auto_loop() { return {}; }

BinaryTree cuda_build(const Builder&, const Mesh&, const Copies&, const Progress&, u64) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<TreeBuilder> cuda_tree_builder(const Mesh&, const Copies&) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene&) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<RayRouter> cuda_router(const PartBoxes&) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<SyntheticRunner> cuda_synthetic_runner() {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene&) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene&, const BinaryTree*) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

u32 probe_kernels() { return 0; }

// Functions on arrays of callers. Those with a StreamCaster are never called, because no
// StreamCaster can be made.
int device_of(const void*) { return -1; }
int current_device() { return 0; }
OnDevice::OnDevice(int) : before_(0) {}
OnDevice::~OnDevice() = default;
void* take_for_caller(u64) { return nullptr; }
void give_back_from_caller(void*) {}
void copy_for_caller(void*, const void*, u64) {}
void wait_for(void*) {}
void wait_for_device() {}
bool may_be_captured(void*) { return false; }
void pack_rays(StreamCaster&, const RayArrays&, Ray*, u32, void*) {}
void pack_points(StreamCaster&, const PointArray&, Vec3f*, u32, void*) {}
void pack_skip(StreamCaster&, const i64*, u32*, u32, void*) {}
void pack_transforms(StreamCaster&, const PoseArrays&, const PosedInstances&, Transform*, u32,
                     void*) {}
void place_rays(StreamCaster&, const PoseArrays&, const SensorRays&, Ray*, u32*, u32, void*) {}
void store_ranges(StreamCaster&, const i32*, u32, float, const Hit*, float*, i32*, u32, void*) {}
u32 count_nan_rays(StreamCaster&, const RayArrays&, u32, void*) { return 0; }
u64 starts_of(StreamCaster&, const u32*, u64*, u32, void*) { return 0; }
void store_found(StreamCaster&, const Hit*, u8*, u32, void*) {}
void store_ids(StreamCaster&, const Hit*, i64*, u32, void*) {}
void store_t(StreamCaster&, const Hit*, float*, u32, void*) {}
void store_precise_t(StreamCaster&, const RayArrays&, const Hit*, double*, u32, void*) {}
void store_precise_t_of_all(StreamCaster&, const RayArrays&, const u64*, const Hit*, double*, u32,
                            void*) {}
void store_places(StreamCaster&, const dvec3&, const Hit*, double*, u32, void*) {}
void store_precise_places(StreamCaster&, const RayArrays&, const Hit*, const double*, double*, u32,
                          void*) {}
void store_precise_places_of_all(StreamCaster&, const RayArrays&, const u64*, const double*,
                                 double*, u32, void*) {}
void store_normals(StreamCaster&, const Hit*, float*, u32, void*) {}
void store_weights(StreamCaster&, const Hit*, float*, u32, void*) {}
void store_locations(StreamCaster&, const MeshStarts&, LocationPart, const Hit*, i64*, u32, void*) {
}
void store_distances(StreamCaster&, const PointArray&, const Nearest*, double*, u32, void*) {}
void store_closest_places(StreamCaster&, const PointArray&, const Nearest*, double*, u32, void*) {}
void negate(StreamCaster&, const u8*, float*, u32, void*) {}
void negate(StreamCaster&, const u8*, double*, u32, void*) {}

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

}  // namespace ballotcast::detail
