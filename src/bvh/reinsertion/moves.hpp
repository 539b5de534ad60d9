// The moves of one round: where each subtree is best inserted, which moves are carried out, and
// how. Host and device share this code.
//
// All moves of a round are found in the same tree. Two moves can be carried out at the same time if
// they write different places and do not put two subtrees below each other:
//
//   claim     each move writes its key to the four places that it needs; the largest key stays
//   decide    a move that finds its own key at all four places is accepted, and keeps them
//             (claim and decide run three times, because rejected moves may then find free places)
//   carry out an accepted move is dropped if its target is below a subtree that moves with a
//             larger key
//
// The keys of all moves differ, so the result does not depend on the order of threads. Within a
// step, a claim only grows, it becomes kTaken only where its owner decides, and an accepted move
// stays accepted. So a thread that reads these words while they change decides in the same way as
// before or after the change.
#pragma once

#include "bvh/reinsertion/loose_tree.hpp"

namespace ballotcast::detail::reinsertion {

/// A move of a subtree: where it is inserted, and the reduction of the sum of all box areas. If no
/// move is an improvement, `to` is 0.
struct Move {
  u32 to;
  float gain;
};

/// A move must save at least this fraction of the area of the parent's box, which is more than the
/// rounding errors.
inline constexpr float kLeastGain = 0x1p-13f;

/// The largest number of pairs of siblings that a search examines. Without a limit, a search would
/// examine most of the tree if many large boxes overlap.
inline constexpr u32 kMostLooks = 64;

/// The largest number of subtrees that are still to be searched. While there are so many, further
/// subtrees are not searched. A longer list would take more local memory per lane.
inline constexpr u32 kMostOpen = 24;

/// Finds the best move of a subtree by branch and bound. The search starts at its sibling, and
/// continues in the subtrees beside the path to the root (D. Meister, J. Bittner, Parallel
/// Reinsertion for Bounding Volume Hierarchy Optimization, 2018).
class Search {
 public:
  BC_HD Search(const LooseTree& tree, u32 from)
      : tree_(tree), from_(tree.nodes[from].box), own_(half_area_of(from_)) {
    const u32 beside = sibling(from), parent = parent_of(tree, from);
    Aabb rest = tree.nodes[beside].box;  // the box of `pivot` without the subtree
    // The area saved in all boxes outside the subtree that is searched. The parent's box is
    // removed, so its whole area is saved.
    float gain = half_area_of(tree.nodes[parent].box);
    best_ = {0, gain * kLeastGain};
    u32 pivot = parent;
    open_children(tree.nodes[beside], gain - joined_area(rest));
    search();
    while (pivot != 0 && looks_ < kMostLooks) {
      const u32 uncle = sibling(pivot);
      const Aabb box = tree.nodes[uncle].box;
      ++looks_;
      if (gain - own_ > best_.gain) {
        consider(uncle, gain - joined_area(box));
        open_children(tree.nodes[uncle], gain - joined_area(box));
        search();
      }
      pivot = parent_of(tree, pivot);
      rest = box_round(rest, box);
      const float saved = half_area_of(tree.nodes[pivot].box) - half_area_of(rest);
      gain += saved;
      // No box further up can become smaller.
      if (!(saved > 0.0f) && !(gain - own_ > best_.gain)) break;
    }
  }

  BC_HD Move best() const { return best_; }

 private:
  struct Open {
    u32 first;   // the first node of a pair of siblings
    float gain;  // area saved in all other boxes, if the subtree is inserted here
  };

  BC_HD float joined_area(const Aabb& box) const { return half_area_of(box_round(box, from_)); }

  BC_HD void consider(u32 node, float gain) {
    if (gain > best_.gain) best_ = {node, gain};
  }

  /// Adds the children of a node to the open subtrees. If the subtree is inserted at that node, the
  /// saved area is `gain`.
  BC_HD void open_children(const Node2& node, float gain) {
    if (node.count > 0) return;
    const float below = gain + half_area_of(node.box);
    if (below - own_ > best_.gain && count_ < kMostOpen) open_[count_++] = {node.first, below};
  }

  /// Searches all open subtrees. Of two siblings, the better one is searched first.
  BC_HD void search() {
    while (count_ > 0) {
      const Open at = open_[--count_];
      if (!(at.gain - own_ > best_.gain)) continue;
      if (++looks_ > kMostLooks) {
        count_ = 0;
        return;
      }
      const Node2 a = tree_.nodes[at.first], b = tree_.nodes[at.first + 1u];
      const float gain_a = at.gain - joined_area(a.box), gain_b = at.gain - joined_area(b.box);
      consider(at.first, gain_a);
      consider(at.first + 1u, gain_b);
      const bool a_last = gain_a + half_area_of(a.box) >= gain_b + half_area_of(b.box);
      open_children(a_last ? b : a, a_last ? gain_b : gain_a);
      open_children(a_last ? a : b, a_last ? gain_a : gain_b);
    }
  }

  const LooseTree& tree_;
  const Aabb from_;
  const float own_;
  Move best_{};
  u32 looks_ = 0, count_ = 0;
  Open open_[kMostOpen];
};

/// In each round, one of kStride nodes is tried; the next round tries other nodes. If all nodes
/// were tried at once, more moves would need the same places and be rejected.
inline constexpr u32 kStride = 3;

/// The number of times that moves try to claim their places in a round; see the top of this file.
inline constexpr u32 kTries = 3;

/// The data of a round. A round tries to move every kStride-th node: offset, offset + kStride, and
/// so on.
struct Round {
  LooseTree tree;
  Move* moves;  // a move per node that the round tries
  u64* claims;  // per node of the tree: the largest key so far; initially 0
  u32 offset;   // 1 to kStride

  BC_HD u32 count() const {
    return tree.count > offset ? (tree.count - offset - 1u) / kStride + 1u : 0u;
  }
  BC_HD u32 node_of(u32 move) const { return offset + kStride * move; }
};

/// Flags in Move::to: the move was accepted; the move was accepted and later dropped.
inline constexpr u32 kAccepted = 0x80000000u, kDropped = 0x40000000u;

/// The claim of an accepted move on its places.
inline constexpr u64 kTaken = ~u64{0};

/// True if the move was accepted. Another thread may drop the move at the same time, which does not
/// change the answer.
BC_HD inline bool is_accepted(const Move& move) { return (load_shared(&move.to) & kAccepted) != 0; }
BC_HD inline u32 target_of(const Move& move) { return move.to & ~(kAccepted | kDropped); }

/// The key of a move. The move that gains more has the larger key. The lowest bit of the gain does
/// not fit, so gains that differ only in this bit count as equal. Among equal gains, the node with
/// the smaller index has the larger key.
///
///   bit    63 62        61 .. 32                      31 .. 0
///          the try      bits 30 .. 1 of the gain      ~ the node that moves
BC_HD inline u64 key_of(float gain, u32 from, u32 attempt) {
  return u64{attempt} << 62 | u64{bits_of(gain) >> 1} << 32 | (0xffffffffu - from);
}

/// The four places that a move writes.
struct WrittenPlaces {
  u32 at[4];

  BC_HD WrittenPlaces(const LooseTree& tree, u32 from, u32 to)
      : at{from, sibling(from), parent_of(tree, from), to} {}
};

/// For each node that the round tries, finds where its subtree should be inserted.
struct FindMoves {
  BC_HD static void item(u32 i, Round round) {
    round.moves[i] = Search(round.tree, round.node_of(i)).best();
  }
};

struct ClaimPlaces {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 i, Round round, u32 attempt) {
    Move& move = round.moves[i];
    if (move.to == 0 || is_accepted(move)) return;
    const u32 from = round.node_of(i);
    const WrittenPlaces places(round.tree, from, move.to);
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
    Move& move = round.moves[i];
    if (move.to == 0 || is_accepted(move)) return;
    const u32 from = round.node_of(i);
    const WrittenPlaces places(round.tree, from, move.to);
    const u64 key = key_of(move.gain, from, attempt);
    for (const u32 place : places.at)
      if (load_shared(&round.claims[place]) != key) return;
    for (const u32 place : places.at) store_shared(&round.claims[place], kTaken);
    move.to |= kAccepted;
  }
};

/// Drops moves that could put subtrees below each other in a cycle. In each such cycle, at least
/// one move has a target below a subtree with a larger key: such moves are dropped.
struct DropCycles {
  BC_HD static void item(u32 i, Round round) {
    Move& move = round.moves[i];
    if (!is_accepted(move)) return;
    const u64 key = key_of(move.gain, round.node_of(i), 0);
    for (u32 node = target_of(move); node != 0; node = parent_of(round.tree, node)) {
      if (node < round.offset || (node - round.offset) % kStride != 0) continue;
      const Move& other = round.moves[(node - round.offset) / kStride];
      if (!is_accepted(other) || key_of(other.gain, node, 0) <= key) continue;
      store_shared(&move.to, move.to | kDropped);
      return;
    }
  }
};

struct CarryOut {
  BC_HD static void item(u32 i, Round round) {
    const Move& move = round.moves[i];
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
