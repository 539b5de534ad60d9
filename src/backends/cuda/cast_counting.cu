// The casting kernels once more, on lanes that count their atomics.
#include "backends/cuda/cast.cuh"
#include "kernels/counting.hpp"

namespace ballotcast::detail {

CastCounts cast_counting(CudaMachine& machine, std::string_view layout,
                         const DeviceSceneArrays& arrays, const DeviceRays& rays,
                         DeviceBuffer<uint4>& walks, const CastOptions& options, u64* atomics) {
  CountingMachine counting(machine, atomics);
  return cast_through(counting, layout, arrays, rays, walks, options, {});
}

}  // namespace ballotcast::detail
