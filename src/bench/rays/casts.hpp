// What casting rays costs and finds: hits that differ from those that are known, times, and visits
// of nodes and triangles, which do not depend on the machine.
#pragma once

#include <functional>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "bench/rays/peer_casters.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// The clock drifts by up to this ratio from row to row. The spread of one row does not show this.
inline constexpr double kLeastNoise = 0.01;

/// A note for results that include peers.
inline constexpr const char* kNoteOnPeers =
    "hits of peers may differ by rounding; a hit disagrees if only one of peer and reference found "
    "anything, or if their t differs by more than a thousandth";

/// Casts all rays and counts the hits that differ from `expected`: in any bit, or for any-hit rays,
/// in whether they are hits.
u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const std::vector<Hit>& expected);

/// The number of hits of the last cast of `rays` that differ from `expected`. Casts nothing.
u64 count_wrong_of_last(ResidentRays& rays, const std::vector<Hit>& expected);

/// The number of wrong hits of a peer. Hits agree if both or neither hit something and, for closest
/// hits, t agrees within rounding.
u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected);

/// How many millionths of `all` rays `some` are.
double in_ppm(u64 some, u64 all);

/// The times of casting all rays.
Timing time_casts(ResidentRays& rays, const CastChoice& choice);
Timing time_casts(Peer& peer, const RaySet& set);
/// The milliseconds of casting the rays that a peer has taken.
double time_once(Peer& peer);

/// Times several things in turns, so that each meets the same clock and the same neighbours:
/// [i][round] are the milliseconds that once[i]() returns.
std::vector<std::vector<double>> time_in_turns(const std::vector<std::function<double()>>& once);

/// The median over all rounds of other / own: how many times as fast.
double times_as_fast(const std::vector<double>& own, const std::vector<double>& other);

/// What a sample of rays tests in a tree: whole numbers, which are the same on every machine.
struct Visits {
  u64 rays = 0;       // those that can hit something
  u64 nodes = 0;      // nodes whose children's boxes are tested
  u64 triangles = 0;  // triangles that are tested
  // Groups of 32 consecutive rays, which a warp casts together, and the sum over them of the nodes
  // and triangles of the ray that tests most: the others wait for it.
  u64 groups = 0;
  u64 largest = 0;
};

/// Counts what rays test, walking through the tree as on the CPU. The sample consists of groups of
/// 32 consecutive rays, spread over the set.
Visits count_visits(const PreparedScene& scene, const RaySet& set);

/// The means of Visits: nodes and triangles per ray; `largest` per group of 32 rays.
struct MeanVisits {
  double nodes = 0.0;
  double triangles = 0.0;
  double largest = 0.0;

  MeanVisits() = default;
  explicit MeanVisits(const Visits& all);
};

}  // namespace ballotcast::detail
