#include "backends/cpu/cpu_backend.hpp"

#include <algorithm>

#include "backends/host/host_machine.hpp"
#include "backends/host/host_scene.hpp"
#include "support/parallel.hpp"
#include "support/threads.hpp"

namespace ballotcast::detail {

namespace {

/// Casts each ray from start to end. The counts of the requested pipeline and strategy are computed
/// from the leaf visits of the rays that share a block.
struct CpuCaster {
  HostMachine machine;

  template <class Pipeline, class Strategy, class View>
  CastCounts cast(const View& view, RayKind kind, const Ray* rays, Hit* hits, u32* visits,
                  u32 count, const CastPlan& plan, const CastChecks& checks) {
    const auto cast_block = [&](u32 block, LeafVisits& sums) {
      const u32 begin = block * plan.block_size, end = std::min(count, begin + plan.block_size);
      u64 busiest = 0;
      for (u32 i = begin; i < end; ++i) {
        const u64 n = trace_whole(view, i, rays[i], kind, hits[i]);
        if (visits) visits[i] = static_cast<u32>(n);
        sums.sum += n;
        busiest = std::max(busiest, n);
      }
      sums.sum_of_busiest += busiest;
      sums.most = std::max(sums.most, busiest);
    };
    const u32 grain = std::max(1u, 1024u / plan.block_size);
    const LeafVisits sums = reduce_ranges<u32>(
        0, blocks_for(count, plan.block_size), grain, LeafVisits{},
        [&](u32 begin, u32 end, LeafVisits part) {
          for (u32 block = begin; block < end; ++block) cast_block(block, part);
          return part;
        },
        [](const LeafVisits& a, const LeafVisits& b) {
          return LeafVisits{a.sum + b.sum, a.sum_of_busiest + b.sum_of_busiest,
                            std::max(a.most, b.most)};
        });
    if (checks.atomics) *checks.atomics = 0;
    return counts_from<Pipeline>(Strategy::info, count, sums);
  }
};

}  // namespace

std::string cpu_unusable() { return ""; }

std::string cpu_describe() { return std::to_string(thread_count()) + " threads"; }

std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene) {
  return std::make_unique<HostScene<CpuCaster>>(scene);
}

}  // namespace ballotcast::detail
