// The rows of experiment casting: the ray-caster itself.
#pragma once

#include <memory>

#include "bench/atomics.hpp"
#include "bench/plan.hpp"

namespace ballotcast::detail {

/// A scene on a device and on the CPU, and rays through it of any number.
class CastFixture {
 public:
  /// Loads request.scene, or the built-in scene for "". Throws InputError, DeviceError.
  CastFixture(const AtomicsRequest& request, const BackendInfo& backend);
  ~CastFixture();

  const std::string& name() const;
  /// Triangles of the scene.
  u64 triangles() const;

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Adds the rows. `ground` and `lab` (for its clock) must outlive the plan.
void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan);

}  // namespace ballotcast::detail
