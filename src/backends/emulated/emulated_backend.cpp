#include "backends/emulated/emulated_backend.hpp"

#include "backends/emulated/machine.hpp"
#include "backends/host/host_scene.hpp"
#include "backends/parts/machine_router.hpp"
#include "kernels/counting.hpp"
#include "support/threads.hpp"

namespace ballotcast::detail {

namespace {

struct EmulatedCaster {
  EmulatedMachine machine;

  explicit EmulatedCaster(u64 seed) : machine(seed) {}

  template <class View>
  void count_crossings(const View& view, const Ray* rays, u32* counts, u32 count) {
    machine.each<CountCrossings>("count crossings", count, view, rays, counts);
  }

  template <class View>
  void crossings(const View& view, const Ray* rays, const u64* starts, Hit* hits, u32 count) {
    machine.each<StoreCrossings>("store crossings", count, view, rays, starts, hits);
  }

  void follow(Moved) {}  // views point to the prepared scene itself

  template <class Pipeline, class Strategy, class View>
  CastCounts cast(const View& view, RayKind kind, const Ray* rays, Hit* hits, u32* visits,
                  u32 count, CastPlan plan, const CastChecks& checks) {
    using Layout = typename View::LayoutType;
    if (count == 0) return {};
    std::vector<typename Layout::Walk> walks(Pipeline::info.rests ? count : 0);
    const RayBatch<Layout> batch{rays, hits, walks.data(), visits, count, kind};
    plan.on_queue = checks.on_queue;
    // Atomics are counted even if nobody asks: every kernel is then compiled only once, which saves
    // minutes.
    u64 unasked = 0;
    u64& atomics = checks.atomics ? *checks.atomics : unasked;
    atomics = 0;
    CountingMachine counting(machine, &atomics);
    return Pipeline::template run<Layout, Strategy>(counting, view, batch, plan);
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
