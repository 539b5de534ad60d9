// Rays that stay in several processes.
#pragma once

#include <memory>

#include "backends/processes/together.hpp"

namespace ballotcast::detail {

class RaysOfProcesses final : public ResidentRays {
 public:
  RaysOfProcesses(Together& together, std::unique_ptr<ResidentRays> rays, u32 here, u32 all)
      : together_(together), rays_(std::move(rays)), here_(here), all_(all) {}

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    CastCounts counts;
    u64 atomics = 0;
    CastChecks own = checks;
    own.atomics = checks.atomics ? &atomics : nullptr;
    const auto work = [&] { counts = rays_->cast(choice, own); };
    together_.call(CallKind::cast_kept, {all_}, work, [&](u64, u64) {
      work();
      together_.reply(&counts, 1);
      together_.reply(&atomics, 1);
    });
    together_.spread(&counts, 1);
    together_.spread(&atomics, 1);
    if (checks.atomics) *checks.atomics = atomics;
    return counts;
  }

  void results(Hit* hits, u32* visits) override {
    together_.call(
        CallKind::results, {all_, visits != nullptr}, [&] { rays_->results(hits, visits); },
        [&](u64, u64) {
          rays_->results(hits, visits);
          together_.reply(hits, here_);
          if (visits) together_.reply(visits, here_);
        });
    together_.spread(hits, all_);
    if (visits) together_.spread(visits, all_);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times(runs);
    const auto work = [&] { times = rays_->time(choice, runs); };
    together_.call(CallKind::time, {all_, runs}, work, [&](u64, u64) {
      work();
      together_.reply(times.data(), runs);
    });
    together_.spread(times.data(), runs);
    return times;
  }

 private:
  Together& together_;
  const std::unique_ptr<ResidentRays> rays_;
  const u32 here_, all_;  // how many rays are in `rays_`, and in all processes
};

}  // namespace ballotcast::detail
