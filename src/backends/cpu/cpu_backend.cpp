#include <algorithm>

#include "backends/cpu/cpu_machine.hpp"
#include "backends/cpu/wide_trace.hpp"
#include "backends/device/backend.hpp"
#include "backends/host/host_scene.hpp"
#include "kernels/frame/frame_memory.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Casts rays on the CPU, each ray from start to end.
class CpuCaster {
 public:
  CpuMachine machine;

  explicit CpuCaster(const PreparedScene& scene) : wide_(scene) {}

  void follow(Moved moved) { wide_.follow(moved); }

  /// Answers a batch. For some queries there is code that is faster than the kernels.
  CastCounts run_batch(const PreparedScene& scene, const Query& query, const CastChecks&) {
    struct OwnWay {
      const QueryInfo* query;
      CastCounts (CpuCaster::*run)(const PreparedScene&, const Query&);
    };
    static constexpr OwnWay kOwnWays[] = {{&ClosestHits::info, &CpuCaster::cast},
                                          {&AnyHits::info, &CpuCaster::cast},
                                          {&CrossingCounts::info, &CpuCaster::count_crossings},
                                          {&Crossings::info, &CpuCaster::store_crossings}};
    for (const OwnWay& own : kOwnWays)
      if (own.query == query.info) return (this->*own.run)(scene, query);
    if (query.info->answered_by == AnsweredBy::on_hits)
      return run_on_hits(HitQueries{}, machine, query,
                         [&](const Query& casting) { return cast(scene, casting); });
    run_on_host(scene, query);
    return {};
  }

  /// Returns true if `rays` more rays should be cast through the wide trees, which are then built;
  /// false if through the trees of the layout. See WideScene.
  bool is_worth_it(u64 rays) { return wide_.is_worth_it(rays); }

  /// Appends the crossings of the rays of `query` to `out`. Call this function only after
  /// is_worth_it() returned true.
  void append_crossings(const PreparedScene& scene, const Query& query, AllHits& out) const {
    constexpr u32 kChunk = 1024;
    const u32 count = static_cast<u32>(query.count);
    std::vector<std::vector<Hit>> chunks(blocks_for(count, kChunk));
    const std::size_t before = out.starts.size();
    // At first, the number of crossings of each ray; later, the sums of these numbers.
    out.starts.resize(before + count);
    for_each_index(chunks.size(), [&](std::size_t chunk) {
      const u32 begin = static_cast<u32>(chunk) * kChunk, end = std::min(count, begin + kChunk);
      std::vector<Hit>& all = chunks[chunk];
      each_with_crossings(scene, query, begin, end, [&](u32 i, const std::vector<Hit>& found) {
        all.insert(all.end(), found.begin(), found.end());
        out.starts[before + i] = found.size();
      });
    });
    std::vector<std::size_t> first(chunks.size());
    std::size_t end = out.hits.size();
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      first[chunk] = end;
      end += chunks[chunk].size();
    }
    for (std::size_t i = before; i < out.starts.size(); ++i) out.starts[i] += out.starts[i - 1];
    out.hits.resize(end);
    for_each_index(chunks.size(), [&](std::size_t chunk) {
      std::copy(chunks[chunk].begin(), chunks[chunk].end(), out.hits.begin() + first[chunk]);
    });
  }

 private:
  CastCounts cast(const PreparedScene& scene, const Query& query) {
    const CastChoice& choice = *query.choice;
    const u32 count = static_cast<u32>(query.count);
    // Leaf visits are counted in the layout's tree, and CastCounts are computed from them.
    const bool counts_visits = query.visits || choice.pipeline->rests;
    LeafVisits sums;
    with_host_view(scene, query, [&](const auto& view) {
      if (counts_visits || !wide_.is_worth_it(count))
        sums = cast_in_layout(view, query, choice.block_size);
      else
        cast_wide(view, query);
    });
    return expected_counts(choice, count, sums);
  }

  CastCounts count_crossings(const PreparedScene& scene, const Query& query) {
    return through_wide_tree(scene, query, [&](u32 i, const std::vector<Hit>& found) {
      query.results_as<u32>()[i] = static_cast<u32>(found.size());
    });
  }

  CastCounts store_crossings(const PreparedScene& scene, const Query& query) {
    return through_wide_tree(scene, query, [&](u32 i, const std::vector<Hit>& found) {
      std::copy(found.begin(), found.end(), query.results_as<Hit>() + query.starts[i]);
    });
  }

  /// If the wide tree is worth it, calls use(i, crossings of ray i) for all rays. Otherwise answers
  /// the query as any machine in host memory does.
  CastCounts through_wide_tree(const PreparedScene& scene, const Query& query,
                               FunctionRef<void(u32 i, const std::vector<Hit>& found)> use) {
    if (!wide_.is_worth_it(query.count)) {
      run_on_host(scene, query);
      return {};
    }
    for_each_range<u32>(static_cast<u32>(query.count), 256, [&](u32 begin, u32 end) {
      each_with_crossings(scene, query, begin, end, use);
    });
    return {};
  }

  /// Calls use(i, crossings of ray i) for rays [begin, end).
  void each_with_crossings(const PreparedScene& scene, const Query& query, u32 begin, u32 end,
                           FunctionRef<void(u32 i, const std::vector<Hit>& found)> use) const {
    const Ray* const rays = query.items_as<Ray>();
    with_host_view(scene, query, [&](const auto& view) {
      std::vector<Hit> found;
      for (u32 i = begin; i < end; ++i) {
        const WalkFrame frame = view.frame(i);
        find_crossings(view, wide_, i, frame, rays[i], found);
        for (Hit& hit : found) give_back_if_far(rays[i], frame.magnitude, hit);
        use(i, found);
      }
    });
  }

  template <class View>
  void cast_wide(const View& view, const Query& query) const {
    const Ray* const rays = query.items_as<Ray>();
    Hit* const hits = query.results_as<Hit>();
    const RayKind kind = kind_of(query);
    for_each_range<u32>(static_cast<u32>(query.count), 1024, [&](u32 begin, u32 end) {
      trace_range(view, wide_, begin, end, rays, kind, hits);
    });
  }

  /// Casts rays through the tree of the layout, and counts the leaf visits of the rays of each
  /// block.
  template <class View>
  static LeafVisits cast_in_layout(const View& view, const Query& query, u32 block_size) {
    const Ray* const rays = query.items_as<Ray>();
    Hit* const hits = query.results_as<Hit>();
    const RayKind kind = kind_of(query);
    const u32 count = static_cast<u32>(query.count);
    const auto cast_block = [&](u32 block, LeafVisits& sums) {
      const u32 begin = block * block_size, end = std::min(count, begin + block_size);
      u64 busiest = 0;
      for (u32 i = begin; i < end; ++i) {
        const u64 n = trace_whole(view, i, rays[i], kind, hits[i]);
        if (query.visits) query.visits[i] = static_cast<u32>(n);
        sums.sum += n;
        busiest = std::max(busiest, n);
      }
      sums.sum_of_busiest += busiest;
      sums.most = std::max(sums.most, busiest);
    };
    const u32 grain = std::max(1u, 1024u / block_size);
    return reduce_ranges<u32>(
        0, blocks_for(count, block_size), grain, LeafVisits{},
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

class CpuScene final : public HostScene<CpuCaster> {
 public:
  using HostScene::HostScene;

  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    const u32 few = cpu_paths_at_once(choice, at_once());
    DrawnFrame frame = frame_of(settings, choice, report, few, nullptr);
    // Each cast of a range counts as one pass. Other machines divide a frame into larger ranges, so
    // the passes for those ranges are counted.
    if (few < at_once())
      frame.counts.passes = FrameCut(settings, *settings.shading, at_once()).ranges(settings) *
                            settings.casts_a_path();
    return frame;
  }

  /// Finds the crossings in one traversal, without counting them first, because host memory can
  /// grow.
  AllHits all_crossings(const Query& counting) override {
    if (!caster().is_worth_it(counting.count)) return ResidentScene::all_crossings(counting);
    AllHits out;
    out.starts.assign(1, 0);
    in_batches(counting, at_once(), scene().bounds, [&](const Query& batch) {
      caster().append_crossings(scene(), batch, out);
      return CastCounts();
    });
    return out;
  }
};

}  // namespace

std::string cpu_unusable() { return ""; }

u32 cpu_paths_at_once(const CastChoice& choice, u32 most) {
  // The number of paths at once if the pipeline does not need all. A path takes 150 to 280 bytes.
  // With 4 Mi paths, a tenth of the time of a frame would be spent on page faults of new memory.
  constexpr u32 kFew = 1u << 18;
  return choice.pipeline->rests ? most : std::min(most, kFew);
}

std::string cpu_describe() { return std::to_string(thread_count()) + " threads"; }

std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene) {
  return std::make_unique<CpuScene>(scene, scene);
}

}  // namespace ballotcast::detail
