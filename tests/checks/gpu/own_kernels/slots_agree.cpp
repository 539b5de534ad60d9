// Compares counts, slots and bins of kernels that have a Lane between the GPU and emulated lanes.
#include <algorithm>

#include "checks/gpu/device_memory.hpp"
#include "checks/gpu/own_kernels/own_kernels.hpp"
#include "helpers/meshes.hpp"

namespace own {

namespace {

using Words = std::vector<std::uint32_t>;
using ballotcast::detail::Buffer;
using ballotcast::detail::check;

constexpr std::uint32_t kCount = 100000;

/// The bins of the lanes. `wants`: 1 for the lanes that want a slot, which are the lanes of bin 0.
struct Input {
  Words bins = Words(kCount);
  std::vector<std::uint8_t> wants = std::vector<std::uint8_t>(kCount);

  Input() {
    ballotcast::detail::testing::Random random(7);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const std::uint32_t bin = random.below(kBins + 1);
      bins[i] = bin == kBins ? slots::kNoBin : bin;
      wants[i] = bin == 0u;
    }
  }
};

/// The memory for the results of the kernels.
struct Output {
  Words noted, scratch, begins = Words(kBins + 1), queues = Words(kCount);
  Words counted = Words(slots::kCounterBytes / 4), reserved = counted, queue = queues;

  Output() {
    const slots::Bins<kBins> bins(kCount);
    noted.resize(bins.noted_bytes() / 4);
    scratch.resize(bins.scratch_bytes() / 4);
  }
};

Output on_gpu(const Input& input, std::uint32_t block_size) {
  Output out;
  const Buffer<std::uint32_t> bins(kCount), noted(out.noted.size()), scratch(out.scratch.size()),
      begins(out.begins.size()), queues(kCount), counted(out.counted.size()),
      reserved(out.reserved.size()), queue(kCount);
  const Buffer<std::uint8_t> wants(kCount);
  bins.set(input.bins);
  wants.set(input.wants);
  queues.set(out.queues);
  counted.set(out.counted);
  reserved.set(out.reserved);
  queue.set(out.queue);
  use_slots((kCount + block_size - 1) / block_size, block_size, bins.data(), wants.data(), kCount,
            {noted.data(), scratch.data(), begins.data(), queues.data(), counted.data(),
             reserved.data(), queue.data()});
  check(cudaDeviceSynchronize(), "slots");
  out.begins = begins.get();
  out.queues = queues.get();
  out.counted = counted.get();
  out.reserved = reserved.get();
  out.queue = queue.get();
  return out;
}

Output emulated(const Input& input, std::uint32_t block_size) {
  Output out;
  const lanes::Grid grid{(kCount + block_size - 1) / block_size, block_size};
  lanes::emulate<FindBins<kBins>>(grid, input.bins.data(), kCount, out.noted.data());
  slots::Bins<kBins>(kCount).emulate_queues(out.noted.data(), out.queues.data(), out.begins.data(),
                                            out.scratch.data());
  lanes::emulate<Count<slots::WarpSlots>>(grid, input.wants.data(), kCount, out.counted.data());
  lanes::emulate<Reserve<slots::BlockScan>>(grid, input.wants.data(), kCount, out.reserved.data(),
                                            out.queue.data());
  return out;
}

}  // namespace

bool slots_agree(std::uint32_t block_size) {
  const Input input;
  Output a = on_gpu(input, block_size), b = emulated(input, block_size);
  const std::uint32_t wanted = b.begins[1];
  for (Words* queue : {&a.queue, &b.queue}) std::sort(queue->begin(), queue->begin() + wanted);
  return a.begins == b.begins && a.queues == b.queues && a.counted == b.counted &&
         a.counted[0] == wanted && a.reserved == b.reserved && a.queue == b.queue;
}

}  // namespace own
