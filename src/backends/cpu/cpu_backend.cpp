#include "backends/cpu/cpu_backend.hpp"

#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "backends/host/host_machine.hpp"
#include "backends/host/host_scene.hpp"

namespace ballotcast {

namespace {

struct Sums {
  u64 counter = 0;
  u64 most_visits = 0;
};

/// Casts each ray from start to end. What the asked pipeline and strategy would have counted
/// follows from the leaf visits of the rays that share a block.
struct CpuCaster {
  HostMachine machine;

  template <class Layout, class Pipeline, class Strategy>
  CastCounts cast(const TraceView<Layout>& view, RayKind kind, const Ray* rays, Hit* hits,
                  u32* visits, u32 count, u32 block_size) {
    const auto cast_block = [&](u32 block, Sums& sums) {
      const u32 begin = block * block_size, end = std::min(count, begin + block_size);
      u64 sum = 0, most = 0;
      for (u32 i = begin; i < end; ++i) {
        const u64 n = trace_whole(view, rays[i], kind, hits[i]);
        if (visits) visits[i] = static_cast<u32>(n);
        sum += n;
        most = std::max(most, n);
      }
      sums.counter += Pipeline::block_counter(Strategy::info.counts, sum, most);
      sums.most_visits = std::max(sums.most_visits, most);
    };
    const u32 grain = std::max(1u, 1024u / block_size);
    const Sums sums = tbb::parallel_reduce(
        tbb::blocked_range<u32>(0, blocks_for(count, block_size), grain), Sums{},
        [&](const auto& range, Sums part) {
          for (u32 block = range.begin(); block < range.end(); ++block) cast_block(block, part);
          return part;
        },
        [](const Sums& a, const Sums& b) {
          return Sums{a.counter + b.counter, std::max(a.most_visits, b.most_visits)};
        });
    // One more pass than leaves: the one that found nothing.
    return {count, sums.most_visits + 1, sums.counter};
  }
};

}  // namespace

std::string cpu_unusable() { return ""; }

std::string cpu_describe() {
  return std::to_string(tbb::this_task_arena::max_concurrency()) + " threads";
}

std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene) {
  return std::make_unique<HostScene<CpuCaster>>(scene);
}

}  // namespace ballotcast
