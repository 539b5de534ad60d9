// The operations of thread block clusters on the GPU, for strategies cluster and red-async (PTX
// ISA, "mapa", "barrier.cluster", "red.async" and "mbarrier").
#pragma once

#include <nv/target>

#include "backends/cuda/lane.cuh"
#include "kernels/counting.hpp"
#include "kernels/strategies/laboratory/block_cluster.hpp"

// Inline assembly for clusters. In code for GPUs before compute capability 9.0, which have no
// clusters, it is a trap: such code is compiled, but never launched.
#define BC_CLUSTER_ASM(...) \
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (asm volatile(__VA_ARGS__);), (__trap();))
// The instruction red.async needs PTX 8.1, and so nvcc 12.1.
#if __CUDACC_VER_MAJOR__ > 12 || __CUDACC_VER_MINOR__ >= 1
#define BC_HAS_RED_ASYNC 1
#else
#define BC_HAS_RED_ASYNC 0
#endif

namespace ballotcast::detail {

template <>
struct Cluster<CudaLane> {
  __device__ static bool is_first() {
    u32 rank = 0u;
    BC_CLUSTER_ASM("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank == 0u;
  }
  __device__ static void arrive(CudaLane&) {
    BC_CLUSTER_ASM("barrier.cluster.arrive.release;" ::: "memory");
  }
  __device__ static void wait(CudaLane&) {
    BC_CLUSTER_ASM("barrier.cluster.wait.acquire;" ::: "memory");
  }
  __device__ static void add(ClusterSum& own, u32 value) {
    BC_CLUSTER_ASM(
        "red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(in_first(&own.sum)),
        "r"(value)
        : "memory");
  }
  __device__ static void begin(ClusterSum& own) {
    // The mbarrier completes when this thread has arrived and all blocks have added: it expects the
    // bytes of one addition per block.
    BC_CLUSTER_ASM("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(here(&own.arrived)) : "memory");
    BC_CLUSTER_ASM("fence.mbarrier_init.release.cluster;" ::: "memory");
    BC_CLUSTER_ASM(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(here(&own.arrived)),
        "n"(kClusterBlocks * sizeof(u32))
        : "memory");
  }
  __device__ static void add_later(ClusterSum& own, u32 value) {
#if BC_HAS_RED_ASYNC
    BC_CLUSTER_ASM(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"
        " [%0], %1, [%2];" ::"r"(in_first(&own.sum)),
        "r"(value), "r"(in_first(&own.arrived))
        : "memory");
#else
    __trap();
#endif
  }
  __device__ static void wait_for_sum(ClusterSum& own) {
    for (u32 done = 0u; done == 0u;)
      BC_CLUSTER_ASM(
          "{ .reg .pred p;"
          " mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;"
          " selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(here(&own.arrived))
          : "memory");
  }

 private:
  /// The address in the shared memory of this block.
  __device__ static u32 here(const void* shared) {
    return static_cast<u32>(__cvta_generic_to_shared(shared));
  }
  /// The corresponding address in the shared memory of the cluster's first block.
  __device__ static u32 in_first(const void* shared) {
    u32 there = 0u;
    BC_CLUSTER_ASM("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(here(shared)));
    return there;
  }
};

template <>
struct Cluster<CountingLane<CudaLane>> : Cluster<CudaLane> {};

}  // namespace ballotcast::detail

#undef BC_CLUSTER_ASM
