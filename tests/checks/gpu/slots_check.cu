// Queues of lanes by slots.hpp: checks that they hold the right lanes, in the order of lanes where
// that is promised, and compares the time of all ways with that of CUB's selection.
//   slots_check [RUNS]     how often the queue in order is made and compared; 100 by default
#include <cuda_runtime_api.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <string>
#include <vector>

#include "ballotcast/slots.hpp"

namespace {

namespace slots = ballotcast::slots;
using Word = std::uint32_t;

constexpr Word kLanes = 1u << 24;

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "slots_check: %s\n", cudaGetErrorString(code));
  std::exit(4);
}

/// What a lane does before it knows whether it wants a slot.
enum class Work { flag_only, fma_200, ragged };

/// Half of all lanes want one, at random.
template <Work kWork>
struct Wants {
  __host__ __device__ bool operator()(Word lane) const {
    Word x = lane * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    float sum = static_cast<float>(x & 0xffu) * 1e-9f;
    // Where work is ragged, one block of 256 in eight does eight times as much.
    const int steps = kWork == Work::flag_only ? 0
                      : kWork == Work::fma_200 ? 200
                                               : (lane / 256u % 8u == 3u ? 1600 : 200);
    for (int i = 0; i < steps; ++i) sum = sum * 0.999f + 1e-9f;
    return (x >> 31 ^ (sum > 1e30f ? 1u : 0u)) != 0u;  // the sum decides nothing, but nobody knows
  }
};

template <Work kWork>
__global__ void decide_only(Word* never) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Wants<kWork>()(i) && i == 0xffffffffu) *never = i;
}

template <Work kWork>
__global__ void note_lanes(Word* noted) {
  slots::note(noted, Wants<kWork>()(blockIdx.x * blockDim.x + threadIdx.x));
}

template <class Way, Work kWork>
__global__ void reserve_slots(Word* counter, Word* queue) {
  __shared__ typename Way::Shared shared;
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool wants = Wants<kWork>()(i);
  const Word slot = slots::reserve<Way>(shared, counter, wants);
  if (wants) queue[slot] = i;
}

template <class Way, Work kWork>
__global__ void count_lanes(Word* counter) {
  __shared__ typename Way::Shared shared;
  slots::count<Way>(shared, counter, Wants<kWork>()(blockIdx.x * blockDim.x + threadIdx.x));
}

template <class T>
T* device_memory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  return static_cast<T*>(memory);
}

std::vector<Word> read(const Word* from, std::size_t count) {
  std::vector<Word> out(count);
  check(cudaMemcpy(out.data(), from, count * sizeof(Word), cudaMemcpyDeviceToHost));
  return out;
}

/// The median of the microseconds that enqueue() takes on the GPU.
template <class Enqueue>
double time_of(Enqueue enqueue) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int run = 0; run < 55; ++run) {
    check(cudaEventRecord(begin));
    enqueue();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (run >= 5) times.push_back(ms * 1000);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int wrong = 0;
void expect(bool right, const std::string& what) {
  if (!right) std::printf("WRONG  %s\n", what.c_str()), ++wrong;
}

/// The memory of all ways.
struct Memory {
  slots::Later later{kLanes};
  Word* noted = device_memory<Word>(later.noted_bytes() / sizeof(Word));
  Word* scratch = device_memory<Word>(later.scratch_bytes() / sizeof(Word));
  Word* counter = device_memory<Word>(slots::kCounterBytes / sizeof(Word));
  Word* queue = device_memory<Word>(kLanes);
  Word* sorted = device_memory<Word>(kLanes);
};

template <Work kWork>
void queue_in_order(const Memory& m, unsigned block) {
  note_lanes<kWork><<<kLanes / block, block>>>(m.noted);
  check(m.later.make_queue(m.noted, m.queue, m.counter, m.scratch));
}

template <Work kWork>
void measure(const char* name, const Memory& m, int runs) {
  std::vector<Word> expected;
  for (Word i = 0; i < kLanes; ++i)
    if (Wants<Work::flag_only>()(i)) expected.push_back(i);
  const Word most = static_cast<Word>(expected.size());
  const auto clear = [&] { check(cudaMemsetAsync(m.counter, 0, slots::kCounterBytes)); };

  for (int run = 0; run < runs; ++run) {
    check(cudaMemset(m.queue, 0xff, kLanes * sizeof(Word)));
    queue_in_order<kWork>(m, 32u << run % 6);
    expect(read(m.counter, 1)[0] == most, std::string(name) + ": how many, in order");
    expect(read(m.queue, most) == expected, std::string(name) + ": the queue in order");
  }
  const double later = time_of([&] { queue_in_order<kWork>(m, 256); });
  const double floor = time_of([&] { decide_only<kWork><<<kLanes / 256, 256>>>(m.queue); });

  const auto reserved = [&](auto way, const char* its_name) {
    using Way = decltype(way);
    const double time = time_of([&] {
      clear();
      reserve_slots<Way, kWork><<<kLanes / 256, 256>>>(m.counter, m.queue);
    });
    std::vector<Word> queue = read(m.queue, most);
    std::sort(queue.begin(), queue.end());
    expect(queue == expected, std::string(name) + ": reserved by " + its_name);
    std::printf("  %-28s %8.1f us\n", its_name, time);
    return time;
  };
  std::printf("%s, 16 Mi lanes, half of them want a slot\n  %-28s %8.1f us\n", name, "decide only",
              floor);
  const double vote = reserved(slots::BlockVote{}, "reserve, block-vote");
  const double scan = reserved(slots::BlockScan{}, "reserve, block-scan");
  const double warp = reserved(slots::WarpBallot{}, "reserve, warp-ballot");
  const double unordered = std::min({vote, scan, warp});

  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, m.queue, m.sorted, static_cast<int>(most), 0,
                                       24));
  void* temporary = device_memory<char>(bytes);
  const double sorting = time_of([&] {
    check(cub::DeviceRadixSort::SortKeys(temporary, bytes, m.queue, m.sorted,
                                         static_cast<int>(most), 0, 24));
  });
  check(cudaFree(temporary));
  const auto numbers = thrust::counting_iterator<Word>(0);
  check(cub::DeviceSelect::If(nullptr, bytes, numbers, m.queue, m.counter, static_cast<int>(kLanes),
                              Wants<kWork>()));
  temporary = device_memory<char>(bytes);
  const double select = time_of([&] {
    check(cub::DeviceSelect::If(temporary, bytes, numbers, m.queue, m.counter,
                                static_cast<int>(kLanes), Wants<kWork>()));
  });
  check(cudaFree(temporary));
  std::printf(
      "  %-28s %8.1f us   %.2f of the fastest in any order, %.2f of that and sorting\n"
      "  %-28s %8.1f us   %.2f\n",
      "in order, later", later, later / unordered, later / (unordered + sorting),
      "in order, DeviceSelect::If", select, select / unordered);

  const auto counted = [&](auto way, const char* its_name) {
    using Way = decltype(way);
    const double time = time_of([&] {
      clear();
      count_lanes<Way, kWork><<<kLanes / 256, 256>>>(m.counter);
    });
    Word sum = 0;
    for (const Word word : read(m.counter, slots::kCounterBytes / sizeof(Word))) sum += word;
    expect(sum == most, std::string(name) + ": counted by " + its_name);
    std::printf("  %-28s %8.1f us\n", its_name, time);
  };
  counted(slots::WarpSlots{}, "count, warp-slots");
  counted(slots::BlockCount{}, "count, block-count");
  counted(slots::WarpBallot{}, "count, warp-ballot");
  counted(slots::Sharded{}, "count, sharded");
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 100;
  const Memory memory;
  measure<Work::flag_only>("flag only", memory, runs);
  measure<Work::fma_200>("200 FMA", memory, runs);
  measure<Work::ragged>("ragged", memory, runs);
  std::printf(wrong == 0 ? "all right\n" : "%d are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
