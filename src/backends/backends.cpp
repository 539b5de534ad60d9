#include "backends/backend.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cuda/cuda_backend.hpp"
#include "backends/dispatch.hpp"
#include "backends/emulated/emulated_backend.hpp"

namespace ballotcast {

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo> table = {
      {"cuda", "an NVIDIA GPU, through its driver alone", cuda_unusable, cuda_describe,
       cuda_upload},
      {"cpu", "all cores, a plain loop over rays", cpu_unusable, cpu_describe, cpu_upload},
      {"emulated", "the GPU's kernels on the CPU, lane by lane; slow", emulated_unusable,
       emulated_describe, emulated_upload},
  };
  return table;
}

BackendChoice choose_backend(std::string_view name) {
  const auto row = [](std::string_view wanted) -> const BackendInfo* {
    for (const BackendInfo& backend : backends())
      if (backend.name == wanted) return &backend;
    return nullptr;
  };
  if (name == "auto") {
    const BackendInfo* cuda = row("cuda");
    const std::string reason = cuda->unusable();
    if (reason.empty()) return {cuda, ""};
    return {row("cpu"), "no usable GPU (" + reason + "): drawing on the CPU, with the same result"};
  }
  const BackendInfo* backend = row(name);
  if (!backend) {
    std::vector<std::string_view> names{"auto"};
    for (const BackendInfo& b : backends()) names.push_back(b.name);
    throw_unknown("device", name, names);
  }
  const std::string reason = backend->unusable();
  if (!reason.empty())
    throw DeviceError("device " + std::string(name) + " can't be used: " + reason);
  return {backend, ""};
}

std::string_view resolved_pipeline(std::string_view pipeline) {
  return pipeline == "auto" ? kAutoPipeline : pipeline;
}

void require_valid(const CastOptions& options) {
  dispatch_cast(options, [](auto, auto) {});
  if (options.block_size < kWarpSize || options.block_size > kLargestBlock ||
      options.block_size % kWarpSize != 0)
    throw UsageError("block size " + std::to_string(options.block_size) +
                     ": must be a multiple of 32 from 32 to 1024");
}

}  // namespace ballotcast
