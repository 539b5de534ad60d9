#include "backends/device/backend.hpp"
#include "backends/device/dispatch_cast.hpp"
#include "backends/emulated/emulated_machine.hpp"
#include "backends/host/host_scene.hpp"
#include "backends/parts/ray_router.hpp"
#include "kernels/counting.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

class EmulatedCaster {
 public:
  EmulatedMachine machine;

  explicit EmulatedCaster(u64 seed) : machine(seed) {}

  void follow(Moved) {}  // nothing to do, because views point to the prepared scene itself

  CastCounts run_batch(const PreparedScene& scene, const Query& query, const CastChecks& checks) {
    if (query.info->answered_by == AnsweredBy::cast) return cast(scene, query, checks);
    if (query.info->answered_by == AnsweredBy::on_hits)
      return run_on_hits(HitQueries{}, machine, query,
                         [&](const Query& casting) { return cast(scene, casting, checks); });
    if (query.is_about_points()) {
      run_on_host(scene, query);
    } else {
      with_host_view<Kernels::few>(
          scene, query, [&](const auto& view) { run_query(RayQueries{}, machine, view, query); });
    }
    return {};
  }

 private:
  CastCounts cast(const PreparedScene& scene, const Query& query, const CastChecks& checks) {
    const CastChoice& choice = *query.choice;
    const u32 count = static_cast<u32>(query.count);
    // Atomics are always counted, so every kernel is compiled only once, which saves minutes.
    u64 unasked = 0;
    CountingMachine counting(machine, checks.atomics ? checks.atomics : &unasked);
    CastPlan plan = choice.plan();
    plan.on_queue = checks.on_queue;
    CastCounts counts;
    with_host_view<Kernels::few>(scene, query, [&](const auto& view) {
      using Layout = typename std::decay_t<decltype(view)>::LayoutType;
      std::vector<typename Layout::Walk> walks(choice.pipeline->rests ? count : 0);
      const RayBatch<Layout> batch{
          query.items_as<Ray>(), query.results_as<Hit>(), walks.data(), query.visits, count,
          kind_of(query)};
      dispatch_cast(choice, [&](auto pipeline, auto strategy) {
        counts = decltype(pipeline)::type::template run<Layout, typename decltype(strategy)::type>(
            counting, view, batch, plan);
      });
    });
    return counts;
  }
};

}  // namespace

std::string emulated_unusable() { return ""; }

std::string emulated_describe() {
  return "warps of 32 fibers on " + std::to_string(thread_count()) + " threads";
}

std::unique_ptr<ResidentScene> emulated_upload_seeded(const PreparedScene& scene, u64 seed) {
  return std::make_unique<HostScene<EmulatedCaster>>(scene, seed);
}

std::unique_ptr<ResidentScene> emulated_upload(const PreparedScene& scene) {
  return emulated_upload_seeded(scene, 0);
}

std::unique_ptr<RayRouter> emulated_router(const PartBoxes& parts) {
  return std::make_unique<MachineRouter<EmulatedMachine>>(parts);
}

}  // namespace ballotcast::detail
