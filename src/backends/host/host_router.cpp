#include "backends/parts/machine_router.hpp"

namespace ballotcast::detail {

void rank_rays(HostMachine&, const PartsView& parts, const RaysOnTheWay& rays,
               const RayRound& round, u32 only, u32* totals) {
  constexpr u32 kBlock = 4096;
  const u32 blocks = blocks_for(round.count, kBlock);
  // For each block and part: first how many rays of the block go to the part, then the place of the
  // first of them in its list.
  std::vector<u32> of_blocks(std::size_t{blocks} * parts.count, 0u);
  const auto in_block = [&](u32 block, const auto& use) {
    u32* const its = of_blocks.data() + std::size_t{block} * parts.count;
    const u32 begin = block * kBlock, end = begin + std::min(kBlock, round.count - begin);
    for (u32 k = begin; k < end; ++k) use(its, k);
  };
  for_each_index(blocks, [&](u32 block) {
    in_block(block, [&](u32* counts, u32 k) {
      round.parts[k] = part_for(parts, rays, round, only, k);
      if (round.parts[k] != kNoPart) round.ranks[k] = counts[round.parts[k]]++;
    });
  });
  for (u32 part = 0; part < parts.count; ++part) {
    u32 sum = 0;
    for (u32 block = 0; block < blocks; ++block)
      sum += std::exchange(of_blocks[std::size_t{block} * parts.count + part], sum);
    totals[part] = sum;
  }
  for_each_index(blocks, [&](u32 block) {
    in_block(block, [&](const u32* starts, u32 k) {
      if (round.parts[k] != kNoPart) round.ranks[k] += starts[round.parts[k]];
    });
  });
}

std::unique_ptr<RayRouter> make_host_router(const PartBoxes& parts) {
  return std::make_unique<MachineRouter<HostMachine>>(parts);
}

}  // namespace ballotcast::detail
