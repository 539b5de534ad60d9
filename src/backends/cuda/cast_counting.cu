// The casting kernels, compiled a second time, with lanes that count their atomics.
#include "backends/cuda/cast.cuh"
#include "kernels/counting.hpp"

namespace ballotcast::detail {

CastCounts cast_counting(DeviceScene& scene, const Query& cast, u64* atomics) {
  CountingMachine counting(scene.machine, atomics);
  return cast_through<Kernels::few>(counting, scene, cast, {});
}

}  // namespace ballotcast::detail
