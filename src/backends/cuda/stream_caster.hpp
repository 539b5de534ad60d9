// Casts rays on the caller's stream, with pipeline warp.
#pragma once

#include <memory>

#include "backends/prepare.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// A scene in device memory, with the scratch memory of one cast. See DeviceCaster, which is public
/// and says what the functions do.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  virtual void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) = 0;
};

/// Copies a scene to the current device. Throws DeviceError if that fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

}  // namespace ballotcast::detail
