// Backend cuda in a build without the CUDA Toolkit.
#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/cuda_primitives.hpp"
#include "backends/cuda/strategy_probe.hpp"
#include "backends/cuda/stream_caster.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

std::string cuda_unusable() { return "this build has no CUDA code: no CUDA Toolkit was found"; }

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

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64) {
  throw DeviceError("device cuda can't be used: " + cuda_unusable());
}

}  // namespace ballotcast::detail
