#include "bench/rays/timed_casts.hpp"

#include <algorithm>
#include <cmath>

#include "bench/hit_differences.hpp"
#include "bench/measure.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

bool agrees(RayKind kind, const Hit& a, const Hit& b) {
  if (a.found() != b.found()) return false;
  return kind == RayKind::any || !a.found() || std::fabs(a.t - b.t) <= 1e-3f * std::fabs(a.t);
}

MeasureOptions measuring() {
  MeasureOptions options;
  options.least_runs = 11;
  options.most_ms = 1000.0;
  return options;
}

}  // namespace

u64 count_wrong_of_last(ResidentRays& rays, const std::vector<Hit>& expected) {
  std::vector<Hit> hits(expected.size());
  rays.results(hits.data(), nullptr);
  return count_different(expected, hits);
}

u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const std::vector<Hit>& expected) {
  rays.cast(choice, {});
  return count_wrong_of_last(rays, expected);
}

u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected) {
  std::vector<Hit> hits(set.rays.size());
  peer.cast(set, hits.data());
  return count_different(expected, hits,
                         [&](const Hit& a, const Hit& b) { return !agrees(set.kind, a, b); });
}

double in_ppm(u64 some, u64 all) {
  return 1e6 * static_cast<double>(some) / static_cast<double>(std::max<u64>(1, all));
}

Timing time_casts(ResidentRays& rays, const CastChoice& choice) {
  return measure([&](u32 runs) { return rays.time(choice, runs); }, measuring());
}

Timing time_casts(Peer& peer, const RaySet& set) {
  std::vector<Hit> hits(set.rays.size());
  return measure(
      [&](u32 runs) {
        std::vector<double> times;
        for (u32 i = 0; i < runs; ++i) {
          const Stopwatch watch;
          peer.cast(set, hits.data());
          times.push_back(watch.milliseconds());
        }
        return times;
      },
      measuring());
}

}  // namespace ballotcast::detail
