// Casts rays on the caller's stream, with pipeline warp.
#pragma once

#include <memory>

#include "backends/prepare.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// A scene in device memory, with what a cast needs besides; see DeviceCaster.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  virtual void cast(RayKind kind, const Ray* rays, Hit* hits, u32 count, void* stream) = 0;
};

/// Copies a scene to the current device. Throws DeviceError if that fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

}  // namespace ballotcast::detail
