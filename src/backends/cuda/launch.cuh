// Further ways to run kernels on the GPU: kernels whose shared memory is an array of words, kernels
// without collective operations, and launches that the GPU repeats by itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/cuda/lane.cuh"
#include "backends/cuda/runtime.hpp"
#include "kernels/pipelines/loop.hpp"

namespace ballotcast::detail {

/// Runs a kernel whose shared memory is an array of words. The launch gives their number.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(Kernel::kBlockSize, Kernel::kBlocksAtOnce)
    run_kernel_with_words(Views... views) {
  extern __shared__ u32 words[];
  u32* shared = words;
  CudaLane lane;
  Kernel::run(lane, shared, views...);
}

/// The number of blocks of a kernel that a multiprocessor must be able to run at once:
/// Kernel::kBlocksAtOnce if there is such a constant, else 1.
template <class Kernel>
constexpr auto blocks_wanted(int) -> decltype(Kernel::kBlocksAtOnce) {
  return Kernel::kBlocksAtOnce;
}
template <class Kernel>
constexpr u32 blocks_wanted(long) {
  return 1u;
}

inline constexpr u32 kEachBlockSize = 256;

/// Runs a kernel without collective operations, once for each index below `count`.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(kEachBlockSize, blocks_wanted<Kernel>(0))
    run_each(u32 count, Views... views) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Kernel::item(i, views...);
}

// Passes that the GPU repeats by itself, with CUDA graphs that have WHILE nodes (CUDA 12.4 and
// later).

/// The reason why such loops can't run on the current device, or "".
std::string graphs_unusable();

/// A cache of graphs, because creating a graph takes far longer than running it. The key of a graph
/// contains all values on which the graph depends.
class LoopGraphs {
 public:
  LoopGraphs() = default;
  ~LoopGraphs();
  LoopGraphs(const LoopGraphs&) = delete;
  LoopGraphs& operator=(const LoopGraphs&) = delete;

  /// Enqueues a loop on `stream` that the GPU runs by itself. It repeats the kernels of
  /// body(sizes[0]) until at most sizes[1] rays are alive, then the kernels of body(sizes[1]), and
  /// so on until `progress` says that the cast is done. `body` launches the kernels on `stream`. It
  /// is called once per size to record the graph, and not at all if there already is a graph for
  /// `key`. Throws DeviceError if graphs can't be used.
  void run(const std::string& key, cudaStream_t stream, const CastProgress* progress,
           const std::vector<u32>& sizes, const std::function<void(u32 most)>& body);

 private:
  struct Made {
    std::string key;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
  };

  static void destroy(const Made& made);

  std::vector<Made> made_;  // the oldest graph comes first
};

}  // namespace ballotcast::detail
