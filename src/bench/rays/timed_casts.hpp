// Casts rays, compares their hits with those that are known, and measures the time.
#pragma once

#include <vector>

#include "bench/rays/peers.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// Casts all rays and counts the hits that differ from `expected`: in any bit, or for any-hit rays,
/// in whether they are hits.
u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const std::vector<Hit>& expected);

/// A note for results in which peers are.
inline constexpr const char* kNoteOnPeers =
    "hits of peers may differ by rounding; a hit disagrees if only one of peer and reference found "
    "anything, or if their t differs by more than a thousandth";

/// The same of a peer. Hits agree if both or neither hit something and, for closest hits, t agrees
/// within rounding.
u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected);

/// How many millionths of `all` rays `some` are.
double in_ppm(u64 some, u64 all);

/// The hits of `rays` that differ from `expected`, without another cast.
u64 count_wrong_of_last(ResidentRays& rays, const std::vector<Hit>& expected);

/// The times of casting all rays.
Timing time_casts(ResidentRays& rays, const CastChoice& choice);
Timing time_casts(Peer& peer, const RaySet& set);

}  // namespace ballotcast::detail
