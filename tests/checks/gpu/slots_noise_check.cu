// Checks that Later and Bins make the same bytes each time, while the timing of the GPU is
// disturbed: each warp waits for a random time before it notes, kernels on another stream and those
// of another process take multiprocessors away, and blocks have other sizes from run to run.
//   slots_noise_check [RUNS]     10000 runs by default
#include <cuda_runtime_api.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "ballotcast/slots.hpp"

namespace {

namespace slots = ballotcast::slots;
using Word = std::uint32_t;

constexpr Word kLanes = (1u << 20) - 77u;
constexpr Word kBins = 8;

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "slots_noise_check: %s\n", cudaGetErrorString(code));
  std::exit(4);
}

__host__ __device__ Word hash(Word x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
__host__ __device__ bool wants(Word lane) { return hash(lane) >> 31 != 0u; }
__host__ __device__ Word bin_of(Word lane) {
  const Word bits = hash(lane + kLanes);
  return bits % 9u == 8u ? slots::kNoBin : bits % 9u;
}

/// Waits for up to `most` ns, a time of its own for each warp and run. Without `most`, not at all.
__device__ void wait(Word most) {
  if (most == 0u) return;
  const Word warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32u;
  __nanosleep(hash(warp ^ static_cast<Word>(clock64())) % most);
}

__global__ void note_lanes(Word* noted, Word most_wait) {
  wait(most_wait);
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  slots::note(noted, i < kLanes && wants(i));
}
__global__ void note_bins(Word* noted, Word most_wait) {
  wait(most_wait);
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  slots::note_bin<kBins>(noted, i < kLanes ? bin_of(i) : slots::kNoBin);
}

/// Adds the number of words that differ to *different.
__global__ void compare(const Word* a, const Word* b, Word count, Word* different) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && a[i] != b[i]) atomicAdd(different, 1u);
}

/// Keeps multiprocessors busy for about `steps` steps.
__global__ void disturb(float* out, int steps) {
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < steps; ++i) x = x * 0.999f + 1.0f;
  if (x < 0.0f) *out = x;
}

template <class T>
T* device_memory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  return static_cast<T*>(memory);
}
Word* on_device(const std::vector<Word>& words) {
  Word* const memory = device_memory<Word>(words.size());
  check(cudaMemcpy(memory, words.data(), words.size() * sizeof(Word), cudaMemcpyHostToDevice));
  return memory;
}

/// A process that runs kernels of random length until it is killed.
pid_t start_other_process() {
  const pid_t child = fork();
  if (child < 0) {
    std::fprintf(stderr, "slots_noise_check: no other process can be started\n");
    std::exit(4);
  }
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends with the parent
  auto* const out = device_memory<float>(1);
  std::mt19937 random(2);
  for (;;) {
    disturb<<<1 + random() % 400, 256>>>(out, static_cast<int>(random() % 20000));
    check(cudaDeviceSynchronize());
  }
}

/// What a queue or the queues of bins must contain: the words, and how many of them.
struct Expected {
  std::vector<Word> queue, bins, begins;
  Expected() {
    for (Word i = 0; i < kLanes; ++i)
      if (wants(i)) queue.push_back(i);
    for (Word bin = 0; bin < kBins; ++bin) {
      begins.push_back(static_cast<Word>(bins.size()));
      for (Word i = 0; i < kLanes; ++i)
        if (bin_of(i) == bin) bins.push_back(i);
    }
    begins.push_back(static_cast<Word>(bins.size()));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10000;
  const pid_t other = start_other_process();  // before this process uses the GPU
  const Expected expected;
  const slots::Later later(kLanes);
  const slots::Bins<kBins> bins(kLanes);
  auto* const noted = device_memory<char>(bins.noted_bytes() + later.noted_bytes());
  auto* const scratch = device_memory<char>(bins.scratch_bytes() + later.scratch_bytes());
  auto* const words = reinterpret_cast<Word*>(noted);
  Word* const queue = device_memory<Word>(kLanes);
  Word* const begins = device_memory<Word>(kBins + 1);
  Word *const right_queue = on_device(expected.queue), *const right_bins = on_device(expected.bins),
              *const right_begins = on_device(expected.begins);
  const Word queued = static_cast<Word>(expected.queue.size());
  Word *const right_queued = on_device({queued}), *const different = on_device({0u});
  auto* const out = device_memory<float>(1);
  cudaStream_t stream = nullptr, beside = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
  const auto same = [&](const Word* a, const Word* b, std::size_t count) {
    const Word n = static_cast<Word>(count);
    compare<<<(n + 255u) / 256u, 256, 0, stream>>>(a, b, n, different);
  };
  std::mt19937 random(1);
  for (int run = 0; run < runs; ++run) {
    const unsigned block = 32u * (1u + random() % 32u), blocks = (kLanes + block - 1u) / block;
    const Word most_wait = run % 2 == 0 ? 0u : random() % 4096u;
    disturb<<<1 + random() % 200, 256, 0, beside>>>(out, static_cast<int>(random() % 4000));
    check(cudaMemsetAsync(queue, 0xff, kLanes * sizeof(Word), stream));
    note_lanes<<<blocks, block, 0, stream>>>(words, most_wait);
    check(later.make_queue(words, queue, begins, scratch, stream));
    same(queue, right_queue, queued);
    same(begins, right_queued, 1);
    check(cudaMemsetAsync(queue, 0xff, kLanes * sizeof(Word), stream));
    note_bins<<<blocks, block, 0, stream>>>(words, most_wait);
    check(bins.make_queues(words, queue, begins, scratch, stream));
    same(queue, right_bins, expected.bins.size());
    same(begins, right_begins, kBins + 1);
    if (run % 64 == 63) check(cudaStreamSynchronize(beside));
  }
  check(cudaDeviceSynchronize());
  Word found = 0;
  check(cudaMemcpy(&found, different, sizeof found, cudaMemcpyDeviceToHost));
  const bool disturbed = waitpid(other, nullptr, WNOHANG) == 0;
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  std::printf("%d runs of Later and Bins, %u lanes: %u words differ%s\n", runs, kLanes, found,
              disturbed ? "" : "; the other process did not run");
  return found == 0u && disturbed ? 0 : 1;
}
