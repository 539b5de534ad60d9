// Makes queues of lanes with slots.hpp. Checks that they contain the right lanes, and for Later and
// Bins, that these are in the order of lanes. Compares the time of each strategy with the time of
// cub::DeviceSelect, and the time of Bins with the time of cub::DeviceRadixSort.
//   slots_check [RUNS]     RUNS: how often queues in order are made and compared; 100 by default
#include <cuda_runtime_api.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <string>
#include <utility>
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

/// The work of a lane before the lane knows whether it wants a slot.
enum class Work { flag_only, fma_200, ragged };

/// Pseudo-random bits for a lane, after some work.
template <Work kWork>
__host__ __device__ Word bits_of(Word lane) {
  Word x = lane * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  float sum = static_cast<float>(x & 0xffu) * 1e-9f;
  // For ragged work, one of eight blocks of 256 lanes does eight times as much work.
  const int steps = kWork == Work::flag_only ? 0
                    : kWork == Work::fma_200 ? 200
                                             : (lane / 256u % 8u == 3u ? 1600 : 200);
  for (int i = 0; i < steps; ++i) sum = sum * 0.999f + 1e-9f;
  return sum > 1e30f ? ~x : x;  // always x, but the compiler does not know it and keeps the loop
}

/// A predicate: half of all lanes want a slot, pseudo-randomly.
template <Work kWork>
struct Wants {
  __host__ __device__ bool operator()(Word lane) const { return bits_of<kWork>(lane) >> 31 != 0u; }
};

/// The pseudo-random bin of a lane. One of eight lanes has none: kNoBin.
template <Word kBins, Work kWork>
__host__ __device__ Word bin_of(Word lane) {
  const Word bits = bits_of<kWork>(lane);
  return bits % 8u == 0u ? slots::kNoBin : (bits >> 8) % kBins;
}

/// Evaluates the predicate without making a queue. `never` is never written; it only keeps the
/// compiler from removing the work.
template <Work kWork>
__global__ void decide_only(Word* never) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Wants<kWork>()(i) && i == 0xffffffffu) *never = i;
}

template <Work kWork>
__global__ void note_lanes(Word* noted) {
  slots::note(noted, Wants<kWork>()(blockIdx.x * blockDim.x + threadIdx.x));
}

/// As note_lanes, but each warp notes kItems groups of 32 lanes.
constexpr unsigned kItems = 8;
template <Work kWork>
__global__ void note_items(Word* noted) {
  const Word warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32u;
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const Word item = (warp * kItems + k) * 32u + threadIdx.x % 32u;
    slots::note(noted, item, Wants<kWork>()(item));
  }
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

template <Word kBins, Work kWork>
__global__ void note_bins(Word* noted, Word count) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  slots::note_bin<kBins>(noted, i < count ? bin_of<kBins, kWork>(i) : slots::kNoBin);
}

/// Writes the pairs for a sort: the bin of each lane to `keys`, kBins for no bin, and the number of
/// the lane to `lanes`.
template <Word kBins, Work kWork>
__global__ void write_pairs(std::uint8_t* keys, Word* lanes) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x, bin = bin_of<kBins, kWork>(i);
  keys[i] = static_cast<std::uint8_t>(bin == slots::kNoBin ? kBins : bin);
  lanes[i] = i;
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

/// Fills memory with arbitrary bytes, so that it does not hold the right results of earlier work.
void spoil(Word* memory, std::size_t count) {
  check(cudaMemset(memory, 0xcd, count * sizeof(Word)));
}

/// The median time of the work that enqueue() puts on the GPU, in microseconds.
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

/// Device memory for all strategies.
struct Memory {
  slots::Later later{kLanes};
  Word* noted = device_memory<Word>(later.noted_bytes() / sizeof(Word));
  Word* scratch = device_memory<Word>(later.scratch_bytes() / sizeof(Word));
  Word* counter = device_memory<Word>(slots::kCounterBytes / sizeof(Word));
  Word* queue = device_memory<Word>(kLanes);
  Word* sorted = device_memory<Word>(kLanes);
};

/// `items`: 1 or kItems per lane.
template <Work kWork>
void queue_in_order(const Memory& m, unsigned block, unsigned items = 1) {
  if (items == 1)
    note_lanes<kWork><<<kLanes / block, block>>>(m.noted);
  else
    note_items<kWork><<<kLanes / kItems / block, block>>>(m.noted);
  check(m.later.make_queue(m.noted, m.queue, m.counter, m.scratch));
}

/// Checks and measures Later and the strategies that reserve and count, and prints the times.
template <Work kWork>
void measure(const char* name, const Memory& m, int runs) {
  std::vector<Word> expected;
  for (Word i = 0; i < kLanes; ++i)
    if (Wants<Work::flag_only>()(i)) expected.push_back(i);
  const Word most = static_cast<Word>(expected.size());
  const auto clear = [&] { check(cudaMemsetAsync(m.counter, 0, slots::kCounterBytes)); };

  for (int run = 0; run < runs; ++run) {
    spoil(m.noted, m.later.noted_bytes() / sizeof(Word));
    spoil(m.queue, kLanes);
    spoil(m.counter, 1);
    queue_in_order<kWork>(m, 32u << run % 6, run / 6 % 2 == 0 ? 1 : kItems);
    expect(read(m.counter, 1)[0] == most, std::string(name) + ": how many, in order");
    expect(read(m.queue, most) == expected, std::string(name) + ": the queue in order");
  }
  const double later = time_of([&] { queue_in_order<kWork>(m, 256); });
  const double by_items = time_of([&] { queue_in_order<kWork>(m, 256, kItems); });
  const double floor = time_of([&] { decide_only<kWork><<<kLanes / 256, 256>>>(m.queue); });

  const auto reserved = [&](auto way, const char* its_name) {
    using Way = decltype(way);
    const auto reserve = [&] {
      clear();
      reserve_slots<Way, kWork><<<kLanes / 256, 256>>>(m.counter, m.queue);
    };
    const double time = time_of(reserve);
    spoil(m.queue, kLanes);
    reserve();
    std::vector<Word> queue = read(m.queue, most);
    std::sort(queue.begin(), queue.end());
    expect(read(m.counter, 1)[0] == most && queue == expected,
           std::string(name) + ": reserved by " + its_name);
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
      "  %-28s %8.1f us   %.2f, %.2f of DeviceSelect::If\n"
      "  %-28s %8.1f us   %.2f\n",
      "in order, later", later, later / unordered, later / (unordered + sorting),
      "in order, later, 8 items", by_items, by_items / unordered, by_items / select,
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

/// The expected result of Bins: the lanes of each bin, bin after bin, and the indices at which the
/// bins begin.
template <Word kBins>
std::pair<std::vector<Word>, std::vector<Word>> bins_on_host(Word count) {
  std::vector<Word> queues, begins;
  std::vector<std::vector<Word>> each(kBins);
  for (Word i = 0; i < count; ++i)
    if (const Word bin = bin_of<kBins, Work::flag_only>(i); bin != slots::kNoBin)
      each[bin].push_back(i);
  for (const std::vector<Word>& one : each) {
    begins.push_back(static_cast<Word>(queues.size()));
    queues.insert(queues.end(), one.begin(), one.end());
  }
  begins.push_back(static_cast<Word>(queues.size()));
  return {queues, begins};
}

/// Checks and measures Bins, and prints the times.
template <Word kBins, Work kWork>
void measure_bins(const char* name, const Memory& m, int runs) {
  const std::string what = std::to_string(kBins) + " bins, " + name;
  Word* const noted = device_memory<Word>(slots::Bins<kBins>(kLanes).noted_bytes() / sizeof(Word));
  Word* const scratch =
      device_memory<Word>(slots::Bins<kBins>(kLanes).scratch_bytes() / sizeof(Word));
  Word* const begins = device_memory<Word>(kBins + 1);
  const auto make = [&](Word count, unsigned block) {
    note_bins<kBins, kWork><<<(count + block - 1) / block, block>>>(noted, count);
    check(slots::Bins<kBins>(count).make_queues(noted, m.queue, begins, scratch));
  };
  for (const Word count : {kLanes, kLanes - 777u, 5000u, 31u}) {
    const auto expected = bins_on_host<kBins>(count);
    for (int run = 0; run < runs; ++run) {
      spoil(noted, slots::Bins<kBins>(kLanes).noted_bytes() / sizeof(Word));
      spoil(m.queue, kLanes);
      spoil(begins, kBins + 1);
      make(count, 32u << run % 6);
      expect(read(begins, kBins + 1) == expected.second, what + ": begins");
      expect(read(m.queue, expected.first.size()) == expected.first, what + ": queues");
    }
  }
  const double time = time_of([&] { make(kLanes, 256); });
  const double noting =
      time_of([&] { note_bins<kBins, kWork><<<kLanes / 256, 256>>>(noted, kLanes); });

  auto* const keys = device_memory<std::uint8_t>(kLanes);
  auto* const sorted_keys = device_memory<std::uint8_t>(kLanes);
  constexpr int kBits = kBins > 8 ? 6 : 4;
  std::size_t bytes = 0;
  const auto sort = [&](void* temporary) {
    check(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted_keys, m.queue, m.sorted,
                                          static_cast<int>(kLanes), 0, kBits));
  };
  sort(nullptr);
  void* temporary = device_memory<char>(bytes);
  const double sorting = time_of([&] {
    write_pairs<kBins, kWork><<<kLanes / 256, 256>>>(keys, m.queue);
    sort(temporary);
  });
  std::printf(
      "%s, 16 Mi lanes\n  %-28s %8.1f us\n  %-28s %8.1f us   %.2f of the sort\n"
      "  %-28s %8.1f us\n",
      what.c_str(), "note the bins", noting, "note and queue them", time, time / sorting,
      "write and sort pairs", sorting);
  for (void* memory :
       {static_cast<void*>(noted), static_cast<void*>(scratch), static_cast<void*>(begins),
        static_cast<void*>(keys), static_cast<void*>(sorted_keys), temporary})
    check(cudaFree(memory));
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 100;
  const Memory memory;
  measure<Work::flag_only>("flag only", memory, runs);
  measure<Work::fma_200>("200 FMA", memory, runs);
  measure<Work::ragged>("ragged", memory, runs);
  measure_bins<8, Work::flag_only>("flag only", memory, (runs + 3) / 4);
  measure_bins<8, Work::fma_200>("200 FMA", memory, (runs + 3) / 4);
  measure_bins<32, Work::flag_only>("flag only", memory, (runs + 3) / 4);
  std::printf(wrong == 0 ? "all right\n" : "%d are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
