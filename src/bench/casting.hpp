// The rows of experiment `casting`: the ray-caster itself.
#pragma once

#include <memory>

#include "bench/atomics.hpp"
#include "bench/plan.hpp"

namespace ballotcast::detail {

/// A scene on a device and on the CPU, and camera rays in any number.
class CastFixture {
 public:
  /// Loads request.scene, or the built-in scene for "". Throws InputError or DeviceError.
  CastFixture(const AtomicsRequest& request, const BackendInfo& backend);
  ~CastFixture();

  const std::string& name() const;
  /// The number of triangles of the scene.
  u64 triangles() const;

  struct Parts;
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Adds the rows to `plan`. `ground` and `lab` (which measures the clock) must outlive the plan.
void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan);

}  // namespace ballotcast::detail
