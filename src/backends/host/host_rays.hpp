// Rays that stay in host memory.
#pragma once

#include <functional>
#include <vector>

#include "backends/backend.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

/// Casts all its rays at once.
using CastHostRays = std::function<CastCounts(const Query& cast, const CastChecks& checks)>;

/// A copy of the rays, and the results of the last cast.
class HostRays final : public ResidentRays {
 public:
  HostRays(const Ray* rays, u32 count, RayKind kind, CastHostRays cast)
      : cast_(std::move(cast)),
        kind_(kind),
        rays_(rays, rays + count),
        hits_(count),
        visits_(count) {}

  CastCounts cast(const CastChoice& choice, const CastChecks& checks) override {
    return cast_into(visits_.data(), choice, checks);
  }

  void replace(const Ray* rays) override { std::copy_n(rays, rays_.size(), rays_.begin()); }

  void results(Hit* hits, u32* visits) override {
    std::copy(hits_.begin(), hits_.end(), hits);
    if (visits) std::copy(visits_.begin(), visits_.end(), visits);
  }

  std::vector<double> time(const CastChoice& choice, u32 runs) override {
    std::vector<double> times;
    for (u32 run = 0; run < runs; ++run) {
      const Stopwatch watch;
      cast_into(nullptr, choice, {});
      times.push_back(watch.milliseconds());
    }
    return times;
  }

 private:
  CastCounts cast_into(u32* visits, const CastChoice& choice, const CastChecks& checks) {
    return cast_(cast_query(kind_, rays_.data(), hits_.data(), rays_.size(), choice, {}, visits),
                 checks);
  }

  const CastHostRays cast_;
  const RayKind kind_;
  std::vector<Ray> rays_;
  std::vector<Hit> hits_;
  std::vector<u32> visits_;
};

}  // namespace ballotcast::detail
