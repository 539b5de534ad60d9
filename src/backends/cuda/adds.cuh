// GPU atomics that only the strategies in kernels/strategies/laboratory use, to compare kinds of
// atomics.
#pragma once

#include "backends/cuda/lane.cuh"
#include "kernels/strategies/laboratory/ordered_adds.hpp"

namespace ballotcast::detail {

// The atomics are inline PTX (PTX ISA, "atom" and "red").

__device__ inline void add_as(AddWithResult, CudaLane&, u32* address, u32 value) {
  u32 before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(address)), "r"(value)
               : "memory");
  // Never true. If the result were not used, ptxas would replace the atom by a red.
  if (before == 0xffffffffu) *address = 0u;
}

__device__ inline void add_as(AddInReleaseOrder, CudaLane&, u32* address, u32 value) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)),
               "r"(value)
               : "memory");
}

__device__ inline void add_as(AddForSystem, CudaLane&, u32* address, u32 value) {
  asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)),
               "r"(value)
               : "memory");
}

}  // namespace ballotcast::detail
