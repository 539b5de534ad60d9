// The rows of experiment `casting`: the ray-caster itself.
#pragma once

#include <memory>

#include "bench/atomics.hpp"
#include "bench/plan.hpp"

namespace ballotcast::detail {

/// A scene, on a device and on the CPU, with camera rays; each row chooses their number.
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

/// Adds the requested rows to `plan`. `ground` and `lab` must outlive the plan. `lab` tells the
/// GPU's clock rate. `timed`: true if times have a meaning on the device. Then right rows are
/// timed, and by default rows have many more rays.
void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan);

}  // namespace ballotcast::detail
