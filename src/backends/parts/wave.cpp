#include "backends/parts/wave.hpp"

#include <algorithm>
#include <mutex>

namespace ballotcast::detail {

Wave::Wave(const SeatedParts& scene) : scene_(scene) {
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

Wave::~Wave() { free_routers(); }

void Wave::free_routers() {
  try {
    on_routes([](Route& route) { route.router.reset(); });
  } catch (...) {  // errors here were already reported by the call that failed
  }
}

void Wave::on_routes(const std::function<void(Route&)>& work) {
  if (!routes_.front().machine) return work(routes_.front());
  std::vector<std::future<void>> works;
  for (Route& route : routes_)
    works.push_back(route.machine->thread->start(
        [&work, &route] { naming(*route.machine, [&] { work(route); }); }));
  wait_for(works);
}

void Wave::take(const Ray* rays, u32 count) {
  count_ = count;
  const u64 all = routes_.size();
  for (u64 i = 0; i < all; ++i) {
    routes_[i].first = static_cast<u32>(count * i / all);
    routes_[i].count = static_cast<u32>(count * (i + 1u) / all) - routes_[i].first;
  }
  on_routes([&](Route& route) { route.router->take(rays + route.first, route.count); });
}

CastCounts Wave::cast(RayKind kind, const CastChoice& choice) {
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
        const CastCounts its =
            scene_.parts[part].scene->cast_in_place(kind, list.rays, list.hits, list.count, choice);
        const std::lock_guard lock(mutex);
        counts.add(its);
      }
    });
  }
  counts.rays = count_;
  return counts;
}

void Wave::results(Hit* hits) {
  on_routes([&](Route& route) { route.router->results(hits + route.first); });
}

void Wave::release() {
  on_routes([](Route& route) { route.router->release(); });
}

}  // namespace ballotcast::detail
