#include "backends/parts/exchange.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

// Fewer rays go in one wave, because the steps of two cost more (tools/results/several-h200.txt):
constexpr u32 kFewestForTwo = 1u << 25;
// the same if some machine is in another process, which takes longer to answer.
constexpr u32 kFewestForTwoRemote = 1u << 12;

/// Calls work(scene of the part, list) for one part after another, with all rays that enter it.
template <class Work>
void with_all_rays(const SeatedParts& scene, const Ray* rays, u32 count, const Work& work) {
  const std::unique_ptr<RayRouter> router = make_host_router(scene.boxes());
  router->take(rays, count);
  router->begin(RayKind::closest);
  for (u32 part = 0; part < scene.parts.size(); ++part) {
    router->route_all_to(part);
    const PartList list = router->list(part);
    if (list.count == 0u) continue;
    on_parts(scene.machines, [&](std::size_t, std::size_t its) {
      if (its == part) work(*scene.parts[part].scene, list);
    });
  }
}

}  // namespace

Exchange::Exchange(const SeatedParts& scene)
    : fewest_for_two_(std::ranges::any_of(scene.machines, &MachineOfParts::is_remote)
                          ? kFewestForTwoRemote
                          : kFewestForTwo) {
  for (OneOfTwo& one : waves_)
    one = {std::make_unique<Wave>(scene), std::make_unique<MachineThread>()};
}

void Exchange::take(const Ray* rays, u32 count) {
  const u32 first = count < fewest_for_two_ ? count : count / 2u;
  waves_[0].wave->take(rays, first);
  waves_[1].wave->take(rays + first, count - first);
}

CastCounts Exchange::cast(RayKind kind, const CastChoice& choice) {
  if (waves_[1].wave->count() == 0u) return waves_[0].wave->cast(kind, choice);
  std::array<CastCounts, 2> counts;
  std::vector<std::future<void>> works;
  for (u32 k = 0; k < 2u; ++k)
    works.push_back(
        waves_[k].thread->start([&, k] { counts[k] = waves_[k].wave->cast(kind, choice); }));
  wait_for(works);
  counts[0].add(counts[1]);
  return counts[0];
}

void Exchange::results(Hit* hits) {
  waves_[0].wave->results(hits);
  waves_[1].wave->results(hits + waves_[0].wave->count());
}

void Exchange::release() {
  for (OneOfTwo& one : waves_) one.wave->release();
}

void count_crossings_in_parts(const SeatedParts& scene, const Ray* rays, u32* counts, u32 count) {
  std::fill_n(counts, count, 0u);
  with_all_rays(scene, rays, count, [&](ResidentScene& part, const PartList& list) {
    std::vector<u32> its(list.count);
    part.count_crossings(list.rays, its.data(), list.count);
    for (u32 k = 0; k < list.count; ++k) counts[list.numbers[k]] += its[k];
  });
}

void crossings_in_parts(const SeatedParts& scene, const Ray* rays, const u64* starts, Hit* hits,
                        u32 count) {
  std::vector<u64> ends(starts, starts + count);  // of what each ray has so far
  with_all_rays(scene, rays, count, [&](ResidentScene& part, const PartList& list) {
    const AllHits its = part.all_crossings(list.rays, list.count);
    for (u32 k = 0; k < list.count; ++k)
      for (const Hit& hit : its.of(k)) hits[ends[list.numbers[k]]++] = hit;
  });
  for_each_range<u32>(count, 4096, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      std::sort(hits + starts[i], hits + ends[i], is_closer);
      for (u64 k = starts[i]; k < ends[i]; ++k)
        give_back_if_far(rays[i], scene.approach.magnitude, hits[k]);
    }
  });
}

}  // namespace ballotcast::detail
