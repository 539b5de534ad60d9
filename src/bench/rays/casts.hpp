// Measures casts of rays: hits that differ from the known ones, times, and visits of nodes and
// triangles, which do not depend on the machine.
#pragma once

#include <functional>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "bench/rays/peer_casters.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// The smallest relative difference between two rows that reports call a difference. The clock may
/// drift by this much from row to row, which the spread of a single row does not show.
inline constexpr double kLeastNoise = 0.01;

/// A note for results that include peers.
inline constexpr const char* kNoteOnPeers =
    "hits of peers may differ by rounding; a hit disagrees if only one of peer and reference found "
    "anything, or if their t differs by more than a thousandth";

/// Casts all rays and returns the number of hits that differ from `expected`: in any bit, or for
/// any-hit rays, in whether they hit something.
u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const std::vector<Hit>& expected);

/// The number of hits of the last cast of `rays` that differ from `expected`. Does not cast.
u64 count_wrong_of_last(ResidentRays& rays, const std::vector<Hit>& expected);

/// The number of wrong hits of a peer. Hits agree if both or neither hit something and, for closest
/// hits, t agrees within rounding.
u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected);

/// The fraction some / all, in millionths.
double in_ppm(u64 some, u64 all);

/// Measures the time of casting all rays.
Timing time_casts(ResidentRays& rays, const CastChoice& choice);
Timing time_casts(Peer& peer, const RaySet& set);
/// Casts the rays of a peer once and returns the milliseconds.
double time_once(Peer& peer);

/// Times several functions in turns, so that all have the same clock rate and the same other load
/// on the machine. Element [i][round] of the result is what once[i]() has returned in that round:
/// milliseconds.
std::vector<std::vector<double>> time_in_turns(const std::vector<std::function<double()>>& once);

/// The median over all rounds of other / own: by which factor `own` is faster.
double times_as_fast(const std::vector<double>& own, const std::vector<double>& other);

/// What a sample of rays tests in a tree. These are whole numbers, equal on every machine.
struct Visits {
  u64 rays = 0;       // number of rays that can hit something
  u64 nodes = 0;      // number of nodes whose children's boxes are tested
  u64 triangles = 0;  // number of tested triangles
  // A group is 32 consecutive rays, which a warp casts together. The other rays of a group wait for
  // the ray that tests the most nodes and triangles; the sum of its tests over all groups is
  // `largest`.
  u64 groups = 0;
  u64 largest = 0;
};

/// Counts what rays test in the traversal on the CPU. The sample consists of groups of 32
/// consecutive rays, spread over the set.
Visits count_visits(const PreparedScene& scene, const RaySet& set);

/// The means of Visits over all rays (`nodes` and `triangles`) and over all groups of 32 rays
/// (`largest`).
struct MeanVisits {
  double nodes = 0.0;
  double triangles = 0.0;
  double largest = 0.0;

  MeanVisits() = default;
  explicit MeanVisits(const Visits& all);
};

}  // namespace ballotcast::detail
