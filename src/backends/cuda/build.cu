#include "backends/cuda/build_machine.cuh"
#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"
#include "bvh/builders/submeshes.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/build/build.hpp"
#include "support/profile.hpp"

namespace ballotcast::detail {

namespace {

/// A mesh on the device, without those triangles that equal another triangle (Copies).
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
      : mesh_(mesh), on_device_(machine_, mesh, copies), build_(machine_, on_device_.view()) {}

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

  BinaryTree tree() override { return ploc::finished(build_, builder_); }

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
  require_at_once(mesh.triangles.size() - copies.ids.size());
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
  require_at_once(count);
  try {
    CudaBuildMachine machine;
    const DeviceMesh on_device(machine, mesh, copies);
    ploc::Build<CudaBuildMachine> build(machine, on_device.view());
    build.build(ploc::settings_of(builder));
    if (is_profiled()) machine.finish_stages();
    return ploc::finished(build, builder);
  } catch (const OutOfDeviceMemory&) {
    // Another program has allocated the memory after it was found to be free: build on the host.
    return builder.build(mesh, copies, progress);
  }
}

}  // namespace ballotcast::detail
