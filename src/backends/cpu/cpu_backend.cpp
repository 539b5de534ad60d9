#include "backends/cpu/cpu_backend.hpp"

#include <algorithm>

#include "backends/cpu/wide_crossings.hpp"
#include "backends/cpu/wide_trace.hpp"
#include "backends/host/host_machine.hpp"
#include "backends/host/host_scene.hpp"
#include "support/parallel.hpp"
#include "support/threads.hpp"

namespace ballotcast::detail {

namespace {

/// Casts each ray from start to end.
class CpuCaster {
 public:
  HostMachine machine;

  explicit CpuCaster(const PreparedScene& scene) : wide_(scene) {}

  void follow(Moved moved) { wide_.follow(moved); }

  template <class Pipeline, class Strategy, class View>
  CastCounts cast(const View& view, RayKind kind, const Ray* rays, Hit* hits, u32* visits,
                  u32 count, const CastPlan& plan, const CastChecks& checks) {
    if (checks.atomics) *checks.atomics = 0;
    // Leaf visits, and the counts that follow from them, are those of the layout's tree.
    const bool counts_visits = visits || Pipeline::info.rests;
    if (counts_visits || !wide_.is_worth_it(count)) {
      const LeafVisits sums = cast_in_layout(view, kind, rays, hits, visits, count, plan);
      return counts_from<Pipeline>(Strategy::info, count, sums);
    }
    for_each_range<u32>(count, 1024, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) trace_wide(view, wide_, i, rays[i], kind, hits[i]);
    });
    return counts_from<Pipeline>(Strategy::info, count, {});
  }

  template <class View>
  void count_crossings(const View& view, const Ray* rays, u32* counts, u32 count) {
    if (!wide_.is_worth_it(count))
      return machine.each<CountCrossings>("count crossings", count, view, rays, counts);
    each_with_crossings(view, rays, count, [&](u32 i, const WalkFrame&, std::vector<Hit>& found) {
      counts[i] = static_cast<u32>(found.size());
    });
  }

  template <class View>
  void crossings(const View& view, const Ray* rays, const u64* starts, Hit* hits, u32 count) {
    if (!wide_.is_worth_it(count))
      return machine.each<StoreCrossings>("store crossings", count, view, rays, starts, hits);
    each_with_crossings(view, rays, count,
                        [&](u32 i, const WalkFrame& frame, std::vector<Hit>& found) {
                          for (Hit& hit : found) give_back_if_far(rays[i], frame.magnitude, hit);
                          std::copy(found.begin(), found.end(), hits + starts[i]);
                        });
  }

 private:
  /// Calls use(i, view.frame(i), crossings of ray i) for every ray.
  template <class View, class Use>
  void each_with_crossings(const View& view, const Ray* rays, u32 count, const Use& use) const {
    for_each_range<u32>(count, 256, [&](u32 begin, u32 end) {
      std::vector<Hit> found;
      for (u32 i = begin; i < end; ++i) {
        const WalkFrame frame = view.frame(i);
        find_crossings(view, wide_, i, frame, rays[i], found);
        use(i, frame, found);
      }
    });
  }

  /// Casts through the tree of the layout, and counts the leaf visits of the rays that share a
  /// block.
  template <class View>
  static LeafVisits cast_in_layout(const View& view, RayKind kind, const Ray* rays, Hit* hits,
                                   u32* visits, u32 count, const CastPlan& plan) {
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
    return reduce_ranges<u32>(
        0, blocks_for(count, plan.block_size), grain, LeafVisits{},
        [&](u32 begin, u32 end, LeafVisits part) {
          for (u32 block = begin; block < end; ++block) cast_block(block, part);
          return part;
        },
        [](const LeafVisits& a, const LeafVisits& b) {
          return LeafVisits{a.sum + b.sum, a.sum_of_busiest + b.sum_of_busiest,
                            std::max(a.most, b.most)};
        });
  }

  WideScene wide_;
};

}  // namespace

std::string cpu_unusable() { return ""; }

std::string cpu_describe() { return std::to_string(thread_count()) + " threads"; }

std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene) {
  return std::make_unique<HostScene<CpuCaster>>(scene, scene);
}

}  // namespace ballotcast::detail
