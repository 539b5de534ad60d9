// For programs that hold rays on a GPU: casts there, on the caller's stream.
#pragma once

#include <memory>

#include "render/renderer.hpp"

namespace ballotcast::detail {

/// A scene on the current CUDA device, to cast rays through that lie in its memory. Casts are only
/// enqueued: nothing is copied, allocated or waited for, so they may be captured in a CUDA graph.
/// Hits are the bits that Renderer finds, too.
///
/// `stream` is a cudaStream_t (of PyTorch: torch.cuda.current_stream().cuda_stream); null is the
/// default stream. Casts of one caster must follow one another, on one stream or by events; for
/// casts at the same time take another_one(). Move-only.
class DeviceCaster {
 public:
  /// Builds the tree and copies the scene to the device; then waits for that. Throws UsageError for
  /// names that don't exist, InputError for an unusable mesh, DeviceError when there is no usable
  /// GPU, OutOfDeviceMemory when the scene doesn't fit. `options.device` is not asked.
  explicit DeviceCaster(std::shared_ptr<const SceneData> scene,
                        const RendererOptions& options = {});
  ~DeviceCaster();
  DeviceCaster(DeviceCaster&&) noexcept;
  DeviceCaster& operator=(DeviceCaster&&) noexcept;

  /// Another caster over the same scene on the device, with a few bytes of its own.
  DeviceCaster another_one() const;

  /// Finds the closest hit of each of rays[count], at most 2^31: hits[i] is ray i's. Both lie
  /// in device memory, aligned to 16 bytes. Throws DeviceError when a launch fails; what fails
  /// later, the caller meets where it waits for the stream.
  void closest(const Ray* rays, Hit* hits, u64 count, void* stream = nullptr);

  /// Finds out whether each ray hits anything: see Renderer::any.
  void any(const Ray* rays, Hit* hits, u64 count, void* stream = nullptr);

 private:
  struct Parts;
  explicit DeviceCaster(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ballotcast::detail
