#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/machine.cuh"
#include "bvh/layouts/table.hpp"
#include "kernels/build/finish.hpp"
#include "kernels/build/steps.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

struct CountSlot {
  __host__ __device__ ploc::Before operator()(u8 slot) const { return ploc::counted(slot); }
};

struct AddBefore {
  __host__ __device__ ploc::Before operator()(const ploc::Before& a, const ploc::Before& b) const {
    return a + b;
  }
};

/// A Machine for kernels/build/build.hpp. Sorts and sums with CUB.
class CudaBuildMachine : public WithBuildSteps<CudaMachine> {
 public:
  template <class T>
  void zero(DeviceBuffer<T>& buffer) {
    fill(buffer, 0);
  }
  template <class T>
  void ones(DeviceBuffer<T>& buffer) {
    fill(buffer, 0xff);
  }

  void sort_by_key(DeviceBuffer<u64>& keys, DeviceBuffer<u32>& values, u32 count, u32 bits) {
    spare_keys_.require(keys.size());
    spare_values_.require(values.size());
    cub::DoubleBuffer<u64> both_keys(keys.data(), spare_keys_.data());
    cub::DoubleBuffer<u32> both_values(values.data(), spare_values_.data());
    with_scratch("cub::DeviceRadixSort::SortPairs", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, both_keys, both_values, count, 0,
                                             static_cast<int>(bits), stream());
    });
    if (both_keys.Current() != keys.data()) std::swap(keys, spare_keys_);
    if (both_values.Current() != values.data()) std::swap(values, spare_values_);
  }

  void sum_before(const DeviceBuffer<u8>& slots, u32 count, DeviceBuffer<ploc::Before>& before) {
    const auto counted =
        thrust::make_transform_iterator(static_cast<const u8*>(slots.data()), CountSlot{});
    with_scratch("cub::DeviceScan::ExclusiveScan", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, counted, before.data(), AddBefore{},
                                            ploc::Before{0, 0}, count + 1, stream());
    });
  }

 private:
  template <class T>
  void fill(DeviceBuffer<T>& buffer, int byte) {
    check(cudaMemsetAsync(buffer.data(), byte, buffer.size() * sizeof(T), stream()),
          "cudaMemsetAsync");
  }

  /// Calls work(null, bytes), which sets the size of the scratch memory, then work(scratch, bytes).
  template <class Work>
  void with_scratch(const char* description, Work work) {
    std::size_t bytes = 0;
    check(work(nullptr, bytes), description);
    scratch_.require(bytes);
    check(work(scratch_.data(), bytes), description);
  }

  DeviceBuffer<u64> spare_keys_;
  DeviceBuffer<u32> spare_values_;
  DeviceBuffer<u8> scratch_;
};

/// A mesh on the device, without its copies.
class DeviceMesh {
 public:
  DeviceMesh(CudaMachine& machine, const Mesh& mesh, const Copies& copies)
      : count_(static_cast<u32>(mesh.triangles.size() - copies.ids.size())),
        positions_(machine.upload(mesh.positions.data(), mesh.positions.size())),
        triangles_(machine.upload(mesh.triangles.data(), mesh.triangles.size())) {
    const std::vector<u32> ids = without_copies(copies, mesh.triangles.size());
    ids_ = machine.upload(ids.data(), ids.size());
  }

  static u64 bytes_of(const Mesh& mesh) {
    return u64{mesh.positions.size()} * sizeof(vec3) +
           u64{mesh.triangles.size()} * (sizeof(uvec3) + sizeof(u32));
  }

  ploc::TriangleView view() const {
    return {positions_.data(), triangles_.data(), ids_.data(), count_};
  }

 private:
  u32 count_;
  DeviceBuffer<vec3> positions_;
  DeviceBuffer<uvec3> triangles_;
  DeviceBuffer<u32> ids_;
};

class CudaTreeBuilder final : public TreeBuilder {
 public:
  CudaTreeBuilder(const Mesh& mesh, const Copies& copies)
      : mesh_(mesh),
        copies_(copies),
        on_device_(machine_, mesh, copies),
        build_(machine_, on_device_.view()) {}

  std::vector<StageTime> build(const Builder& builder, const LayoutInfo& layout) override {
    layout_ = &layout;
    builder_ = builder;
    build_.build(ploc::settings_of(builder));
    if (build_.plain())
      with_layout([&](auto tag) { build_.template encode<typename decltype(tag)::type>(); });
    return machine_.finish_stages();
  }

  bool is_whole() const override { return build_.plain(); }

  u64 bytes_to_build(const Builder& builder) const override {
    return ploc::Build<CudaBuildMachine>::bytes_to_build(on_device_.view().count,
                                                         ploc::settings_of(builder));
  }

  BinaryTree tree() override { return ploc::finished(build_, builder_, mesh_, copies_); }

  EncodedBvh encoded() override {
    if (!build_.plain()) return encode(layout_, tree(), mesh_);
    EncodedBvh encoded;
    with_layout(
        [&](auto tag) { encoded = build_.template encoded<typename decltype(tag)::type>(); });
    return encoded;
  }

 private:
  template <class Use>
  void with_layout(Use use) {
    dispatch_row(Layouts{}, layout_, use);
  }

  CudaBuildMachine machine_;
  const Mesh& mesh_;
  const Copies copies_;
  DeviceMesh on_device_;
  ploc::Build<CudaBuildMachine> build_;
  Builder builder_;
  const LayoutInfo* layout_ = nullptr;
};

}  // namespace

std::unique_ptr<TreeBuilder> cuda_tree_builder(const Mesh& mesh, const Copies& copies) {
  mesh.require_valid();
  if (mesh.triangles.size() == copies.ids.size())
    throw InputError("a mesh without triangles has no tree to build");
  return std::make_unique<CudaTreeBuilder>(mesh, copies);
}

BinaryTree cuda_build(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes) {
  const std::size_t count = mesh.triangles.size() - copies.ids.size();
  const u64 bytes =
      ploc::Build<CudaBuildMachine>::bytes_to_build(count, ploc::settings_of(builder)) +
      DeviceMesh::bytes_of(mesh);
  if (!builder.info->on_machines || count == 0 || bytes > most_bytes || bytes > cuda_free_memory())
    return builder.build(mesh, copies, progress);
  mesh.require_valid();
  try {
    CudaBuildMachine machine;
    const DeviceMesh on_device(machine, mesh, copies);
    ploc::Build<CudaBuildMachine> build(machine, on_device.view());
    build.build(ploc::settings_of(builder));
    return ploc::finished(build, builder, mesh, copies);
  } catch (const OutOfDeviceMemory&) {
    // Others may have taken what was free.
    return builder.build(mesh, copies, progress);
  }
}

}  // namespace ballotcast::detail
