// Packs the numbers of rays that hit, block by block and in order, by votes. Each lane casts a ray.
// The same kernel runs on a GPU and on the emulated lanes of a host. Prints the packed numbers of
// each block as a line of dots.
#include <cstdio>
#include <string>

#include "ballotcast/lanes.hpp"
#include "box.hpp"
#include "on_each.hpp"

using namespace examples;

namespace {

constexpr unsigned kBlocks = 10, kBlockSize = 64;

BALLOTCAST_HD unsigned bits_in(unsigned word) {
  unsigned bits = 0;
  for (; word != 0; word &= word - 1) ++bits;
  return bits;
}

struct PackHits {
  struct Shared {
    unsigned of_warps[kBlockSize / 32];
  };

  BALLOTCAST_HD static void run(lanes::Lane& lane, Shared& shared, device::SceneView scene,
                                unsigned* packed, unsigned* counts) {
    const float x = static_cast<float>(lane.thread()) / 8 - 3.9375f;
    const float y = 4.75f - static_cast<float>(lane.block()) / 2;
    const bool hits = device::any(scene, Ray{{x, y, -9}, 0, {0, 0, 1}, INFINITY});
    const unsigned ayes = lane.ballot(hits);
    if (lane.lane() == 0) shared.of_warps[lane.warp()] = bits_in(ayes);
    const unsigned count = lane.block_count(hits);  // this is a barrier, too
    unsigned slot = bits_in(ayes & lane.lanes_below());
    for (unsigned warp = 0; warp < lane.warp(); ++warp) slot += shared.of_warps[warp];
    if (hits) packed[lane.block() * kBlockSize + slot] = lane.thread();
    if (lane.thread() == 0) counts[lane.block()] = count;
  }
};

/// The packed numbers of each block, and how many numbers each block has.
struct Packed {
  std::vector<unsigned> numbers = std::vector<unsigned>(kBlocks * kBlockSize);
  std::vector<unsigned> counts = std::vector<unsigned>(kBlocks);
};

Packed packed_hits(const Scene& scene) {
  Packed packed;
#if defined(__CUDACC__)
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0) {
    const DeviceCaster caster(scene);
    unsigned *numbers = nullptr, *counts = nullptr;
    require(cudaMallocManaged(&numbers, packed.numbers.size() * sizeof(unsigned)));
    require(cudaMallocManaged(&counts, packed.counts.size() * sizeof(unsigned)));
    lanes::kernel<PackHits><<<kBlocks, kBlockSize>>>(caster.device_view(), numbers, counts);
    require(cudaGetLastError());  // reports an error of the launch
    require(cudaDeviceSynchronize());
    packed.numbers.assign(numbers, numbers + packed.numbers.size());
    packed.counts.assign(counts, counts + packed.counts.size());
    cudaFree(numbers), cudaFree(counts);
    return packed;
  }
#endif
  const Renderer renderer(scene, {"cpu"});
  lanes::emulate<PackHits>({kBlocks, kBlockSize}, renderer.host_view(), packed.numbers.data(),
                           packed.counts.data());
  return packed;
}

}  // namespace

int main() {
  try {
    const std::vector<Scene> meshes = {box(7, 1, 2), box(2, 3, 2), box(1, 1, 1)};
    const std::vector<Instance> instances = {
        {0, moved_by(0, 0, 0)}, {1, moved_by(-1, 1, 0)}, {2, moved_by(1.5f, 1, 0)}};
    const Packed packed = packed_hits(make_scene(meshes, instances));
    for (unsigned block = 0; block < kBlocks; ++block) {
      const unsigned* numbers = packed.numbers.data() + block * kBlockSize;
      std::string line(kBlockSize, ' ');
      for (unsigned i = 0; i < packed.counts[block]; ++i) line[numbers[i]] = '.';
      std::printf("%2u |%s|\n", packed.counts[block], line.c_str());
    }
  } catch (const Error& error) {
    return std::fprintf(stderr, "pack_hits: %s\n", error.what()), 3;
  }
}
