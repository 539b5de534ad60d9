// A warp whose lanes test different boxes. Its four teams of eight lanes take four nodes at once.
// Each team looks at the boxes three levels below its node, one box per lane:
//
//                A            lane 0 1 2 3 4 5 6 7
//              0   1
//             /     \         The bits of a lane's number choose its way down. Where a way ends
//           0  1   0  1       early, at a leaf, the first of the lanes that share the way takes
//          / \ .. .. / \      the leaf, and the others have nothing.
//         0   1     0   1
#pragma once

#include "geometry/frustum.hpp"
#include "kernels/lane.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

inline constexpr u32 kTeam = 8;  // lanes per team

/// The entries that a warp takes from a stack, as bits: bit k is the k-th entry from the top.
struct Taken {
  u32 mine;  // bit of the entry of this lane's team; 0 if the team has none
  u32 all;   // bits of the entries of all four teams
};

/// Takes the topmost of `entries` for each team, one entry per team.
template <class Lane>
BC_DEVICE inline Taken take_one_per_team(Lane& lane, u32 entries) {
  static_assert(kWarpSize / kTeam == 4u);
  // left_k: what remains after k teams have taken their entry.
  const u32 left_1 = entries & (entries - 1u), left_2 = left_1 & (left_1 - 1u);
  const u32 left_3 = left_2 & (left_2 - 1u), left_4 = left_3 & (left_3 - 1u);
  const bool odd = (lane.lane() & kTeam) != 0u, upper = (lane.lane() & (2u * kTeam)) != 0u;
  const u32 of_lower = odd ? left_1 : entries, of_upper = odd ? left_3 : left_2;
  return {upper ? of_upper : of_lower, entries ^ left_4};
}

/// What a lane has found: a child, its reference, and its slot, which is its index among the
/// children of all nodes. `reference` is kNowhere if the lane has found nothing.
template <class Layout>
struct BoxBelow {
  typename Layout::Child child;
  u32 reference, slot;
};

/// Finds the box that each lane takes below the node `reference` of its team (kNowhere: none). A
/// team of `kLanes` lanes goes down so many levels that each lane gets a box: 3 levels for 8 lanes,
/// 5 for 32.
template <class Layout, u32 kLanes = kTeam, class Lane>
BC_DEVICE inline BoxBelow<Layout> look_below(Lane& lane, const typename Layout::Node* nodes,
                                             u32 reference) {
  BoxBelow<Layout> found{{}, reference, 0u};
  BC_UNROLL
  for (u32 below = kLanes; below > 1u; below /= 2u) {
    if (is_node(found.reference)) {
      found.slot = 2u * found.reference + (lane.lane() / (below / 2u)) % 2u;
      found.child = Layout::child(nodes, found.slot);
      found.reference = found.child.reference;
    } else if (lane.lane() % below != 0u) {
      found.reference = kNowhere;
    }
  }
  return found;
}

/// The place of a lane's box on the stack. The nearest box of a team is on top, and the boxes of a
/// team are above those of the next team.
struct PushPlace {
  u32 count;  // the number of boxes that the warp pushes
  u32 below;  // number of these boxes that lie below the box of this lane
};

/// Finds the place of this lane's box on the stack of the warp. A lane pushes nothing if
/// `entry.enters` is false. `kLanes`: the number of lanes in a team.
template <u32 kLanes = kTeam, class Lane>
BC_DEVICE inline PushPlace place_to_push(Lane& lane, const BoxEntry& entry) {
  // Sorts the boxes of a team by distance, with one shuffle per level. The lowest bits of a key are
  // the number of the lane, which makes all keys different.
  u32 place = lane.lane() / kLanes * kLanes;
  u32 nearest = lane.lane() % kLanes;
  nearest |= entry.enters ? static_cast<u32>(entry.entry) & ~(kLanes - 1u) : ~(kLanes - 1u);
  BC_UNROLL
  for (u32 half = 1u; half < kLanes; half *= 2u) {
    const u32 other = lane.shuffle_xor(nearest, half);
    if (nearest > other) place += half;
    nearest = nearest < other ? nearest : other;
  }
  const u32 pushed = lane.reduce_or(entry.enters ? 1u << place : 0u);
  return {count_bits(pushed), count_bits(pushed & ~((2u << place) - 1u))};
}

}  // namespace ballotcast::detail
