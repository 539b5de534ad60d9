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
    : scene_(scene),
      fewest_for_two_(std::ranges::any_of(scene.machines, &MachineOfParts::is_remote)
                          ? kFewestForTwoRemote
                          : kFewestForTwo),
      first_(scene) {}

void Exchange::take(const Ray* rays, u32 count) {
  const u32 first = count < fewest_for_two_ ? count : count / 2u;
  first_.take(rays, first);
  if (first == count) return second_.reset();
  if (!second_) second_ = std::make_unique<Second>(scene_);
  second_->wave.take(rays + first, count - first);
}

CastCounts Exchange::cast(RayKind kind, const CastChoice& choice) {
  if (!second_) return first_.cast(kind, choice);
  CastCounts counts, others;
  std::vector<std::future<void>> works;
  works.push_back(second_->for_first.start([&] { counts = first_.cast(kind, choice); }));
  works.push_back(second_->for_second.start([&] { others = second_->wave.cast(kind, choice); }));
  wait_for(works);
  counts.add(others);
  return counts;
}

void Exchange::results(Hit* hits) {
  first_.results(hits);
  if (second_) second_->wave.results(hits + first_.count());
}

void Exchange::release() {
  first_.release();
  second_.reset();
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
