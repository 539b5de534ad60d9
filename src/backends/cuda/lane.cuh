// A lane of the GPU, and the launch of kernels with collective operations.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// A lane of the GPU. Almost every member is one intrinsic. kernels/lane.hpp specifies the members.
class CudaLane {
 public:
  __device__ u32 thread() const { return threadIdx.x; }
  __device__ u32 block() const { return blockIdx.x; }
  __device__ u32 block_size() const { return blockDim.x; }
  __device__ u32 grid_size() const { return gridDim.x * blockDim.x; }
  __device__ u32 id() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ u32 lane() const { return threadIdx.x % kWarpSize; }
  __device__ u32 warp() const { return threadIdx.x / kWarpSize; }
  __device__ u32 lanes_below() const { return (1u << lane()) - 1u; }

  template <class F, class... Args>
  __device__ static auto call(F f, const Args&... args) {
    return f(args...);
  }

  __device__ void sync_warp() { __syncwarp(); }
  __device__ u32 ballot(bool p) { return __ballot_sync(kAll, p); }
  __device__ bool any(bool p) { return __any_sync(kAll, p) != 0; }
  __device__ bool all(bool p) { return __all_sync(kAll, p) != 0; }
  __device__ u32 reduce_add(u32 value) { return sum_of_warp(value); }
  __device__ u32 reduce_or(u32 value) { return or_of_warp(value); }
  __device__ i32 reduce_min(i32 value) { return least_of_warp(value); }
  __device__ i32 reduce_max(i32 value) { return most_of_warp(value); }
  __device__ u32 shuffle(u32 value, u32 source, u32 width = kWarpSize) {
    return __shfl_sync(kAll, value, static_cast<int>(source), static_cast<int>(width));
  }
  __device__ u32 shuffle_up(u32 value, u32 distance, u32 width = kWarpSize) {
    return __shfl_up_sync(kAll, value, distance, static_cast<int>(width));
  }
  __device__ u32 shuffle_down(u32 value, u32 distance, u32 width = kWarpSize) {
    return __shfl_down_sync(kAll, value, distance, static_cast<int>(width));
  }
  __device__ u32 shuffle_xor(u32 value, u32 mask, u32 width = kWarpSize) {
    return __shfl_xor_sync(kAll, value, static_cast<int>(mask), static_cast<int>(width));
  }

  __device__ void sync_among(u32 members) { __syncwarp(members); }
  __device__ u32 ballot_among(u32 members, bool p) { return __ballot_sync(members, p); }
  __device__ bool any_among(u32 members, bool p) { return __any_sync(members, p) != 0; }
  __device__ bool all_among(u32 members, bool p) { return __all_sync(members, p) != 0; }

  __device__ void sync_block() { __syncthreads(); }
  __device__ bool block_or(bool p) { return __syncthreads_or(p) != 0; }
  __device__ u32 block_count(bool p) { return static_cast<u32>(__syncthreads_count(p)); }

  __device__ u32 fetch_add(u32* address, u32 value) { return atomicAdd(address, value); }
  __device__ u64 fetch_add(u64* address, u32 value) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(address), value);
  }
  __device__ u32 fetch_add_same(u32* address, u32 value) { return atomicAdd(address, value); }
  __device__ u32 fetch_max(u32* address, u32 value) { return atomicMax(address, value); }
  __device__ u64 fetch_max(u64* address, u64 value) {
    return atomicMax(reinterpret_cast<unsigned long long*>(address), value);
  }
  __device__ u32 fetch_or(u32* address, u32 value) { return atomicOr(address, value); }
  __device__ u32 exchange(u32* address, u32 value) { return atomicExch(address, value); }
  __device__ u32 ticks() const { return static_cast<u32>(clock64()); }
  // This is the weakest fence that orders stores before an atomic and loads after one.
  __device__ void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
  __device__ bool issues_merged_atomic() const {
    // The compiler merges the atomics of all lanes that are converged here into one, which the
    // lowest of these lanes issues.
    return (__activemask() & lanes_below()) == 0u;
  }
  __device__ u32 load(const u32* address) const {
    return *static_cast<const volatile u32*>(address);
  }
  __device__ void store(u32* address, u32 value) { *static_cast<volatile u32*>(address) = value; }

 private:
  static constexpr u32 kAll = 0xffffffffu;
};

/// The largest block size for which a kernel is compiled: Kernel::kBlockSize if there is such a
/// constant, else kLargestBlock.
template <class Kernel>
constexpr auto largest_block(int) -> decltype(Kernel::kBlockSize) {
  return Kernel::kBlockSize;
}
template <class Kernel>
constexpr u32 largest_block(long) {
  return kLargestBlock;
}

/// Runs a kernel with collective operations on the GPU. The kernel itself is portable code in
/// Kernel::run.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(largest_block<Kernel>(0), 1) run_kernel(Views... views) {
  CudaLane lane;
  __shared__ typename Kernel::Shared shared;
  Kernel::run(lane, shared, views...);
}

}  // namespace ballotcast::detail
