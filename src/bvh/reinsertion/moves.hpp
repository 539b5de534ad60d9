// Moves of one round: which of them are made, and how. Host and device share this code.
//
// All moves of a round are found in the same tree. Two moves can be made at the same time if they
// write different places and don't put two subtrees below each other:
//
//   claim     each move writes its key to the four places that it needs; the largest key stays
//   decide    a move that finds its own key at all four is accepted, and keeps them
//             (claim and decide run three times: the moves that lost may find their places free)
//   carry out an accepted move is dropped if it goes below a subtree that moves with a larger key
//
// Keys are different for all moves. So the result does not depend on the order of threads. Within a
// step a claim only grows, becomes kTaken only where its owner decides, and an accepted move stays
// one: whoever reads these words while they change decides the same before and after.
#pragma once

#include "bvh/reinsertion/search.hpp"

namespace ballotcast::detail::reinsertion {

/// A round looks at one node in kStride, another one in each round.
inline constexpr u32 kStride = 3;

/// How often moves try to get their places.
inline constexpr u32 kTries = 3;

/// A round: the nodes offset, offset + kStride, ... below the number of nodes.
struct Round {
  LooseTree tree;
  Place* moves;  // per node of the round
  u64* claims;   // per node of the tree: the largest key so far; 0 at first
  u32 offset;    // 1 to kStride

  BC_HD u32 count() const {
    return tree.count > offset ? (tree.count - offset - 1u) / kStride + 1u : 0u;
  }
  BC_HD u32 node_of(u32 move) const { return offset + kStride * move; }
};

/// What Place::to says besides: the move was accepted; it was accepted and then dropped.
inline constexpr u32 kAccepted = 0x80000000u, kDropped = 0x40000000u;

/// A place that an accepted move keeps.
inline constexpr u64 kTaken = ~u64{0};

/// Read while another thread may drop the move, which leaves the answer as it is.
BC_HD inline bool is_accepted(const Place& move) {
  return (load_shared(&move.to) & kAccepted) != 0;
}
BC_HD inline u32 target_of(const Place& move) { return move.to & ~(kAccepted | kDropped); }

/// The key of a move: of two, the one that gains more is larger. The gain's lowest bit does not
/// fit; gains that differ only there count as equal. Among equal gains, the node with the smaller
/// number comes first.
///
///   bit    63 62        61 .. 32                      31 .. 0
///          the try      bits 30 .. 1 of the gain      ~ the node that moves
BC_HD inline u64 key_of(float gain, u32 from, u32 attempt) {
  return u64{attempt} << 62 | u64{bits_of(gain) >> 1} << 32 | (0xffffffffu - from);
}

/// The four places that a move writes.
struct Places {
  u32 at[4];

  BC_HD Places(const LooseTree& tree, u32 from, u32 to)
      : at{from, sibling(from), parent_of(tree, from), to} {}
};

/// Finds the best place of each node.
struct FindMoves {
  BC_HD static void item(u32 i, Round round) {
    round.moves[i] = Search(round.tree, round.node_of(i)).best();
  }
};

struct ClaimPlaces {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 i, Round round, u32 attempt) {
    Place& move = round.moves[i];
    if (move.to == 0 || is_accepted(move)) return;
    const u32 from = round.node_of(i);
    const Places places(round.tree, from, move.to);
    for (const u32 place : places.at)
      if (load_shared(&round.claims[place]) == kTaken) {
        move.to = 0;
        return;
      }
    const u64 key = key_of(move.gain, from, attempt);
    for (const u32 place : places.at) lane.fetch_max(&round.claims[place], key);
  }
};

struct DecideMoves {
  BC_HD static void item(u32 i, Round round, u32 attempt) {
    Place& move = round.moves[i];
    if (move.to == 0 || is_accepted(move)) return;
    const u32 from = round.node_of(i);
    const Places places(round.tree, from, move.to);
    const u64 key = key_of(move.gain, from, attempt);
    for (const u32 place : places.at)
      if (load_shared(&round.claims[place]) != key) return;
    for (const u32 place : places.at) store_shared(&round.claims[place], kTaken);
    move.to |= kAccepted;
  }
};

/// Drops moves that could put two subtrees below each other. Of those that would, one goes below a
/// subtree with a larger key.
struct DropCycles {
  BC_HD static void item(u32 i, Round round) {
    Place& move = round.moves[i];
    if (!is_accepted(move)) return;
    const u64 key = key_of(move.gain, round.node_of(i), 0);
    for (u32 node = target_of(move); node != 0; node = parent_of(round.tree, node)) {
      if (node < round.offset || (node - round.offset) % kStride != 0) continue;
      const Place& other = round.moves[(node - round.offset) / kStride];
      if (!is_accepted(other) || key_of(other.gain, node, 0) <= key) continue;
      store_shared(&move.to, move.to | kDropped);
      return;
    }
  }
};

struct CarryOut {
  BC_HD static void item(u32 i, Round round) {
    const Place& move = round.moves[i];
    if (!is_accepted(move) || (move.to & kDropped)) return;
    Node2* const nodes = round.tree.nodes;
    const u32 from = round.node_of(i), beside = sibling(from), to = target_of(move);
    const u32 parent = parent_of(round.tree, from), first = from < beside ? from : beside;
    const Node2 moved = nodes[from], target = nodes[to];
    nodes[parent] = nodes[beside];
    nodes[first] = moved;
    nodes[first + 1u] = target;
    nodes[to].first = first;
    nodes[to].count = 0;
    adopt(round.tree, parent);
    adopt(round.tree, first);
    adopt(round.tree, first + 1u);
    adopt(round.tree, to);
  }
};

}  // namespace ballotcast::detail::reinsertion
