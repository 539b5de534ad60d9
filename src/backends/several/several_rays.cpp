#include "backends/several/several_rays.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

constexpr u64 kBlocksEach = 16;
constexpr u64 kLeastBlock = 1u << 10, kMostBlock = 1u << 20;

}  // namespace

SeveralRays::SeveralRays(Machines& machines, RayKind kind, const Ray* rays, u32 count)
    : machines_(machines), count_(count), parts_(machines.size()) {
  const std::vector<std::size_t> some = machines.left();
  const u64 blocks = kBlocksEach * some.size();
  block_ =
      static_cast<u32>(std::clamp<u64>((count + blocks - 1u) / blocks, kLeastBlock, kMostBlock));
  for (u32 block = 0; u64{block} * block_ < count; ++block)
    parts_[some[block % some.size()]].blocks.push_back(block);
  on_all([&](Part& part, ResidentScene& scene) {
    std::vector<Ray> its;
    for_each_block(part,
                   [&](u32 first, u32 end) { its.insert(its.end(), rays + first, rays + end); });
    part.count = static_cast<u32>(its.size());
    part.rays = scene.keep(kind, its.data(), part.count);
  });
}

SeveralRays::~SeveralRays() {
  try {
    on_all([](Part& part, ResidentScene&) { part.rays.reset(); });
  } catch (...) {  // errors here were already reported by the call that failed
  }
}

CastCounts SeveralRays::cast(const CastChoice& choice, const CastChecks& checks) {
  CastCounts all;
  u64 atomics = 0;
  on_all([&](Part& part, ResidentScene&) {
    u64 its_atomics = 0;
    CastChecks its = checks;
    if (checks.atomics) its.atomics = &its_atomics;
    const CastCounts counts = part.rays->cast(choice, its);
    const std::lock_guard lock(mutex_);
    all.add(counts);
    atomics += its_atomics;
  });
  if (checks.atomics) *checks.atomics = atomics;
  return all;
}

void SeveralRays::results(Hit* hits, u32* visits) {
  on_all([&](Part& part, ResidentScene&) {
    std::vector<Hit> its_hits(part.count);
    std::vector<u32> its_visits(visits ? part.count : 0u);
    part.rays->results(its_hits.data(), visits ? its_visits.data() : nullptr);
    u32 from = 0;
    for_each_block(part, [&](u32 first, u32 end) {
      std::copy_n(its_hits.data() + from, end - first, hits + first);
      if (visits) std::copy_n(its_visits.data() + from, end - first, visits + first);
      from += end - first;
    });
  });
}

std::vector<double> SeveralRays::time(const CastChoice& choice, u32 runs) {
  std::vector<double> slowest(runs, 0.0);
  on_all([&](Part& part, ResidentScene&) {
    const std::vector<double> its = part.rays->time(choice, runs);
    const std::lock_guard lock(mutex_);
    for (u32 run = 0; run < runs; ++run) slowest[run] = std::max(slowest[run], its[run]);
  });
  return slowest;
}

}  // namespace ballotcast::detail
