#include "backends/cuda/machine.cuh"
#include "backends/device/rows.hpp"
#include "backends/parts/ray_router.hpp"

namespace ballotcast::detail {

std::unique_ptr<RayRouter> cuda_router(const PartBoxes& parts) {
  return std::make_unique<MachineRouter<CudaMachine>>(parts);
}

}  // namespace ballotcast::detail
