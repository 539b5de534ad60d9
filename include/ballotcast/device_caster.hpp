// For programs that hold rays in GPU memory: casts there, on the caller's stream.
#pragma once

#include <cstdint>
#include <memory>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"
#include "ballotcast/scene.hpp"

namespace ballotcast {

/// A scene on the current CUDA device, to cast rays through that lie in its memory.
///
/// Casts are enqueued and nothing else: nothing is copied, allocated or waited for, so a cast may
/// be captured in a CUDA graph. Hits have the bits that Renderer finds. `stream` is a cudaStream_t
/// (of PyTorch: torch.cuda.current_stream().cuda_stream); null is the default stream.
///
/// The casts of one caster must follow one another, on one stream or by events. For casts at the
/// same time take another_one().
class BALLOTCAST_API DeviceCaster {
 public:
  /// Builds the tree, copies the scene to the device and waits for that. `options.device` is not
  /// used. Throws UsageError for names that don't exist, InputError for a mesh that can't be used,
  /// DeviceError when there is no usable GPU, OutOfDeviceMemory when the scene doesn't fit.
  explicit DeviceCaster(Scene scene, const RendererOptions& options = {});
  ~DeviceCaster();
  /// Moves; what is left behind may only be destroyed or assigned to.
  DeviceCaster(DeviceCaster&&) noexcept;
  /// Moves; what is left behind may only be destroyed or assigned to.
  DeviceCaster& operator=(DeviceCaster&&) noexcept;

  /// Another caster over the same scene on the device. It takes a few bytes of its own.
  DeviceCaster another_one() const;

  /// Finds the closest hit of each of rays[count]: hits[i] is the hit of rays[i]. Both arrays lie
  /// in device memory, aligned to 16 bytes, until the stream has passed the cast. `count` is
  /// below 2^31. Throws UsageError for more, DeviceError when a launch fails. What fails later, the
  /// caller meets where it waits for the stream.
  void closest(const Ray* rays, Hit* hits, std::uint64_t count, void* stream = nullptr);

  /// Finds out whether each ray hits anything: see Renderer::any. Otherwise as closest().
  void any(const Ray* rays, Hit* hits, std::uint64_t count, void* stream = nullptr);

 private:
  struct Parts;
  explicit DeviceCaster(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ballotcast
