// Casts rays, compares their hits with those that are known, and measures the time.
#pragma once

#include <vector>

#include "bench/rays/peers.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// Casts all rays and counts the hits that differ from `expected`: in any bit, or for any-hit rays,
/// in whether they are hits.
u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const RaySet& set,
                const std::vector<Hit>& expected);

/// The same of a peer. Hits agree if both or neither hit something and, for closest hits, t agrees
/// within rounding.
u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected);

/// Millionths of the rays of `set`.
double in_ppm(u64 rays, const RaySet& set);

/// The times of casting all rays.
Timing time_casts(ResidentRays& rays, const CastChoice& choice);
Timing time_casts(Peer& peer, const RaySet& set);

}  // namespace ballotcast::detail
