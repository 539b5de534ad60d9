#include "backends/parts/exchange.hpp"

#include <algorithm>
#include <mutex>

#include "backends/parts/ray_router.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

void rank_rays(HostMachine&, const PartsView& parts, const RaysInFlight& rays,
               const RayRound& round, u32 only, u32* totals) {
  constexpr u32 kBlock = 4096;
  const u32 blocks = blocks_for(round.count, kBlock);
  // For each block and part: at first the number of the block's rays that enter the part, later the
  // position of the first of these rays in the part's list.
  std::vector<u32> of_blocks(std::size_t{blocks} * parts.count, 0u);
  const auto in_block = [&](u32 block, const auto& use) {
    u32* const counts = of_blocks.data() + std::size_t{block} * parts.count;
    const u32 begin = block * kBlock, end = begin + std::min(kBlock, round.count - begin);
    for (u32 k = begin; k < end; ++k) use(counts, k);
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

void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work) {
  std::vector<std::future<void>> works;
  for (std::size_t i = 0; i < machines.size(); ++i)
    works.push_back(machines[i].thread->start([&, i] {
      naming(machines[i], [&] {
        for (const std::size_t part : machines[i].parts) work(i, part);
      });
    }));
  wait_for(works);
}

Approach approach_of(const PreparedScene& whole) {
  if (whole.scene->instances.empty()) return {whole.view.magnitude, 1.0f, 0.0f};
  const WorldTree& world = whole.levels.worlds[0];
  return {world.frame.magnitude, world.slack, world.least_slope};
}

PartBoxes PartsOnMachines::boxes() const {
  PartBoxes out{{}, approach};
  for (const PartOnMachine& part : parts) out.boxes.push_back(part.part.box);
  return out;
}

PartsOnMachines::~PartsOnMachines() {
  try {
    on_parts(machines, [&](std::size_t, std::size_t part) { parts[part].scene.reset(); });
  } catch (...) {  // errors were already reported by the call that failed
  }
}

namespace {

/// Calls work(scene of the part, list, query) for one part after the other, with all rays that
/// enter the part. `query` counts the crossings of these rays with the surfaces of the part.
template <class Work>
void with_all_rays(const PartsOnMachines& scene, const Query& batch, const Work& work) {
  const std::unique_ptr<RayRouter> router = make_host_router(scene.boxes());
  router->take(batch.items_as<Ray>(), static_cast<u32>(batch.count), batch.filter.rays);
  router->begin(RayKind::closest);
  for (u32 part = 0; part < scene.parts.size(); ++part) {
    router->route_all_to(part);
    const PartList list = router->list(part);
    if (list.count == 0u) continue;
    Query of_part = query<CrossingCounts>(list.rays, list.count, {}, nullptr);
    of_part.filter = {list.filter, batch.filter.instance_masks};
    on_parts(scene.machines, [&](std::size_t, std::size_t part_of_machine) {
      if (part_of_machine == part) work(*scene.parts[part].scene, list, of_part);
    });
  }
}

}  // namespace

Exchange::Exchange(const PartsOnMachines& scene) : scene_(scene) {
  const bool on_machines = std::ranges::all_of(
      scene.machines, [](const MachineOfParts& machine) { return machine.make_router != nullptr; });
  if (!on_machines) {
    routes_.push_back({make_host_router(scene.boxes()), nullptr});
    return;
  }
  for (const MachineOfParts& machine : scene.machines) routes_.push_back({nullptr, &machine});
  try {
    on_routes([&](Route& route) { route.router = route.machine->make_router(scene_.boxes()); });
  } catch (...) {
    free_routers();
    throw;
  }
}

Exchange::~Exchange() { free_routers(); }

void Exchange::free_routers() {
  try {
    on_routes([](Route& route) { route.router.reset(); });
  } catch (...) {  // errors were already reported by the call that failed
  }
}

void Exchange::on_routes(const std::function<void(Route&)>& work) {
  if (!routes_.front().machine) return work(routes_.front());
  std::vector<std::future<void>> works;
  for (Route& route : routes_)
    works.push_back(route.machine->thread->start(
        [&work, &route] { naming(*route.machine, [&] { work(route); }); }));
  wait_for(works);
}

void Exchange::take(const Ray* rays, u32 count, const HitFilter& filter) {
  count_ = count;
  instance_masks_ = filter.instance_masks;
  const u64 all = routes_.size();
  for (u64 i = 0; i < all; ++i) {
    routes_[i].first = static_cast<u32>(count * i / all);
    routes_[i].count = static_cast<u32>(count * (i + 1u) / all) - routes_[i].first;
  }
  on_routes([&](Route& route) {
    route.router->take(rays + route.first, route.count, filter.rays.from(route.first));
  });
}

CastCounts Exchange::cast(RayKind kind, const CastChoice& choice) {
  CastCounts counts;
  std::mutex mutex;
  const auto is_live = [](const Route& route) { return route.is_live; };
  for (bool first = true; first || std::ranges::any_of(routes_, is_live); first = false) {
    on_routes([&](Route& route) {
      if (first)
        route.router->begin(kind);
      else if (route.is_live)
        route.router->merge();
      else
        return;
      route.is_live = route.router->route();
      if (!route.is_live) route.router->end();
    });
    on_parts(scene_.machines, [&](std::size_t, std::size_t part) {
      for (const Route& route : routes_) {
        const PartList list = route.router->list(static_cast<u32>(part));
        if (list.count == 0u) continue;
        Query asked = cast_query(kind, list.rays, list.hits, list.count, choice);
        asked.filter = {list.filter, instance_masks_};
        const CastCounts of_list = scene_.parts[part].scene->answer_in_place(asked);
        const std::lock_guard lock(mutex);
        counts.add(of_list);
      }
    });
  }
  counts.rays = count_;
  return counts;
}

void Exchange::results(Hit* hits) {
  on_routes([&](Route& route) { route.router->results(hits + route.first); });
}

void Exchange::release() {
  on_routes([](Route& route) { route.router->release(); });
}

void add_across_parts(const PartsOnMachines& scene, const Query& batch) {
  u32* const sums = batch.results_as<u32>();
  std::fill_n(sums, batch.count, 0u);
  with_all_rays(scene, batch, [&](ResidentScene& part, const PartList& list, Query of_part) {
    std::vector<u32> counts(list.count);
    of_part.results = counts.data();
    part.answer(of_part);
    for (u32 k = 0; k < list.count; ++k) sums[list.numbers[k]] += counts[k];
  });
}

void join_across_parts(const PartsOnMachines& scene, const Query& batch) {
  const u64* const starts = batch.starts;
  const Ray* const rays = batch.items_as<Ray>();
  Hit* const hits = batch.results_as<Hit>();
  // For each ray: the end of its crossings so far
  std::vector<u64> ends(starts, starts + batch.count);
  with_all_rays(scene, batch, [&](ResidentScene& part, const PartList& list, const Query& of_part) {
    const AllHits crossings = part.all_crossings(of_part);
    for (u32 k = 0; k < list.count; ++k)
      for (const Hit& hit : crossings.of(k)) hits[ends[list.numbers[k]]++] = hit;
  });
  for_each_range<u32>(static_cast<u32>(batch.count), 4096, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      std::sort(hits + starts[i], hits + ends[i], is_closer);
      for (u64 k = starts[i]; k < ends[i]; ++k)
        give_back_if_far(rays[i], scene.approach.magnitude, hits[k]);
    }
  });
}

}  // namespace ballotcast::detail
