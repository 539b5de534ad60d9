// Casts rays on the caller's stream, with pipeline warp.
#pragma once

#include <memory>

#include "backends/scene/prepare.hpp"
#include "ballotcast/device_caster.hpp"
#include "kernels/queries.hpp"

namespace ballotcast::detail {

struct DeviceScene;

/// A scene in device memory, with the scratch memory of one cast. See DeviceCaster, which is public
/// and says what the functions do.
class StreamCaster {
 public:
  virtual ~StreamCaster() = default;
  virtual std::unique_ptr<StreamCaster> another_one() const = 0;
  /// One on the current device, to which it copies what is on its own device. `scene` is that which
  /// the caster was made for.
  virtual std::unique_ptr<StreamCaster> copied(const PreparedScene& scene) const = 0;
  /// Copies vertices, from host or device memory. See DeviceCaster::set_vertices.
  virtual void set_vertices(const vec3* vertices, void* stream) = 0;
  virtual void refit(void* stream) = 0;
  virtual void reserve_rebuild(void* stream) = 0;
  virtual bool can_rebuild() const = 0;
  /// After reserve_rebuild only.
  virtual void rebuild(void* stream) = 0;
  virtual u32 refused_rebuilds(void* stream) = 0;
  /// Copies transforms, from host or device memory. See DeviceCaster::set_transforms.
  virtual void set_transforms(const Transform* transforms, void* stream) = 0;
  virtual void follow_instances(void* stream) = 0;
  virtual UnusableTransforms unusable_transforms(void* stream) = 0;
  /// Answers a query whose arrays are on the device. `choice` of casts is ignored.
  virtual void answer(const Query& query, void* stream) = 0;
  /// The scene, whose machine launches into `stream` from now on; for files of this folder.
  virtual DeviceScene& scene_on(void* stream) = 0;
};

/// Copies a scene to the current device; its vertices stay. Throws DeviceError if that fails.
std::unique_ptr<StreamCaster> make_stream_caster(const PreparedScene& scene);

/// The same, for vertices that move: `tree` is that of the scene. If it is null, for instances that
/// move.
std::unique_ptr<StreamCaster> make_moving_caster(const PreparedScene& scene,
                                                 const BinaryTree* tree);

}  // namespace ballotcast::detail
