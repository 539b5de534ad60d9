// Checks that kernels that call functions of slots.hpp in blocks or grids of a wrong shape, or with
// a bin that does not exist, fail with an assertion. This file undefines NDEBUG, so that assertions
// are compiled in. CUDA prints failed assertions to standard error.
#undef NDEBUG
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "ballotcast/slots.hpp"

namespace {

namespace slots = ballotcast::slots;
using Word = std::uint32_t;

__global__ void note_all(Word* memory) { slots::note(memory, true); }
__global__ void note_bins(Word* memory, Word bin) { slots::note_bin<8>(memory, bin); }
__global__ void count_all(Word* memory) {
  __shared__ slots::WarpSlots::Shared shared;
  slots::count(shared, memory, true);
}
__global__ void reserve_all(Word* memory) {
  __shared__ slots::BlockScan::Shared shared;
  slots::reserve(shared, memory, true);
}

int wrong = 0;

/// Launches a kernel in a child process, and expects a result: cudaSuccess or an error. Each kernel
/// needs a process of its own, because a process can't use the GPU any more after an assertion has
/// failed.
template <class Launch>
void expect(cudaError_t expected, const char* what, Launch launch) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Word* memory = nullptr;
    cudaError_t code = cudaMalloc(reinterpret_cast<void**>(&memory), slots::kCounterBytes);
    if (code == cudaSuccess) code = cudaMemset(memory, 0, slots::kCounterBytes);
    if (code == cudaSuccess) {
      launch(memory);
      code = cudaDeviceSynchronize();
    }
    std::printf("%-5s %s: %s\n", code == expected ? "right" : "WRONG", what,
                cudaGetErrorString(code));
    std::fflush(stdout);
    _exit(code == expected ? 0 : 1);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) ++wrong;
}

}  // namespace

int main() {
  const auto right = cudaSuccess, fails = cudaErrorAssert;
  expect(right, "note, 2 blocks of 96", [](Word* m) { note_all<<<2, 96>>>(m); });
  expect(right, "count, 2 blocks of 64", [](Word* m) { count_all<<<2, 64>>>(m); });
  expect(right, "note_bin, the last bin", [](Word* m) { note_bins<<<1, 32>>>(m, 7u); });
  expect(right, "note_bin, no bin", [](Word* m) { note_bins<<<1, 32>>>(m, slots::kNoBin); });
  expect(fails, "note_bin, a bin too much", [](Word* m) { note_bins<<<1, 32>>>(m, 8u); });
  expect(fails, "note, a block of 48", [](Word* m) { note_all<<<1, 48>>>(m); });
  expect(fails, "note, a block of 16 x 16", [](Word* m) { note_all<<<1, dim3(16, 16)>>>(m); });
  expect(fails, "note, a grid of 2 x 2", [](Word* m) { note_all<<<dim3(2, 2), 64>>>(m); });
  expect(fails, "note_bin, a block of 33", [](Word* m) { note_bins<<<1, 33>>>(m, 0u); });
  expect(fails, "count, a block of 8 x 8", [](Word* m) { count_all<<<1, dim3(8, 8)>>>(m); });
  expect(fails, "reserve, a block of 100", [](Word* m) { reserve_all<<<1, 100>>>(m); });
  return wrong == 0 ? 0 : 1;
}
