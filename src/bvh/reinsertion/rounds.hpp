// Improves a tree: takes subtrees out and inserts them where the boxes become smaller (D. Meister,
// J. Bittner, Parallel Reinsertion for Bounding Volume Hierarchy Optimization, 2018). Host and
// device share this code.
//
//   round:  find moves -> claim, decide (kTries times) -> drop cycles -> carry out -> boxes
//           -> rebuild treelets -> boxes
//   end:    measure subtrees -> sort pairs -> prefix sum
//
// The members of a Machine are listed in bvh/host_build_machine.hpp.
#pragma once

#include <utility>
#include <vector>

#include "bvh/ploc/cluster.hpp"
#include "bvh/reinsertion/moves.hpp"
#include "bvh/reinsertion/treelets.hpp"
#include "support/give_back.hpp"

namespace ballotcast::detail::reinsertion {

// The final positions of nodes and triangles after subtrees have moved.
//
// Pairs are sorted by the first triangle below them; among equals, higher pairs come first. So the
// nodes of each subtree are again stored together, after its parent. Pairs higher than
// kGreatestHeight count as equally high, so some of them may be stored before their parents. No
// code depends on their order, because such a deep tree is made shallow before it is encoded, which
// numbers its nodes again.

/// The number of bits of a pair's key, a multiple of 8.
inline constexpr u32 kPairKeyBits = 40;

/// Computes a key per pair. The pair of the root's children comes first. Also computes the depth.
struct MakePairKeys {
  BC_HD static void item(u32 pair, LooseTree tree, Subtrees subtrees, u64* keys, u32* pairs,
                         u32* depth) {
    const u64 key = u64{subtrees.first[pair]} << 8 | (kGreatestHeight + 1u - subtrees.height[pair]);
    keys[pair] = tree.above[pair] == 0 ? 0 : key;
    pairs[pair] = pair;
    if (tree.above[pair] == 0) *depth = subtrees.height[pair];
  }
};

/// Finds the new number of each pair, and counts the triangles in its leaves for a prefix sum.
struct CountPairs {
  BC_HD static void item(u32 number, LooseTree tree, const u32* sorted, u32* number_of,
                         u8* counts) {
    const u32 pair = sorted[number];
    number_of[pair] = number;
    counts[number] = static_cast<u8>(ploc::kInner + tree.nodes[2u * pair + 1u].count +
                                     tree.nodes[2u * pair + 2u].count);
    if (number == 0) counts[tree.pairs()] = 0;
  }
};

/// A loose tree with its pairs in their final order.
struct OrderedTree {
  LooseTree tree;
  const u32* order;            // the triangles in their previous order
  const u32* sorted;           // the pair with each number
  const u32* number_of;        // the number of each pair
  const ploc::Before* before;  // the prefix sum at each number

  BC_HD bool has(u32) const { return true; }
  BC_HD u32 number(u32 i) const { return i; }
  BC_HD Child root() const { return child(tree.nodes[0], 0); }
  BC_HD Child left(u32 i) const { return child(node(i, 1), before[i].triangles); }
  BC_HD Child right(u32 i) const {
    return child(node(i, 2), before[i].triangles + node(i, 1).count);
  }

  /// Calls visit(to, triangle) for the triangles in the leaves of a pair; `to` is the triangle's
  /// position in the new leaf order.
  template <class Visit>
  BC_HD void for_each_triangle(u32 i, Visit visit) const {
    u32 to = before[i].triangles;
    for (u32 side = 1; side <= 2; ++side) {
      const Node2& leaf = node(i, side);
      for (u32 k = 0; k < leaf.count; ++k) visit(to++, order[leaf.first + k]);
    }
  }

 private:
  BC_HD const Node2& node(u32 i, u32 side) const { return tree.nodes[2u * sorted[i] + side]; }
  BC_HD Child child(const Node2& node, u32 triangles) const {
    return {node.box.low, node.box.high, node.count,
            node.count > 0 ? triangles : number_of[pair_of(node.first)]};
  }
};

template <class Machine>
class Rounds {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// `nodes` are the nodes of a BinaryTree with at least two inner nodes, in the memory of the
  /// machine. The rounds change them.
  Rounds(Machine& machine, Node2* nodes, u32 count) : machine_(machine) {
    const u32 pairs = count / 2;
    above_ = machine_.template make<u32>(pairs);
    arrivals_ = machine_.template make<u32>(pairs);
    moves_ = machine_.template make<Move>(count / kStride + 1);
    claims_ = machine_.template make<u64>(count);
    begins_ = machine_.template make<u8>(pairs);
    tree_ = {nodes, above_.data(), count};
    machine_.zero(arrivals_);
    machine_.template each<FindParents>("find parents", count, tree_);
  }

  /// An upper bound of the memory that this class takes for `count` nodes, in bytes.
  static u64 bytes_for(u64 count) {
    constexpr u64 kPerPair = 5 * sizeof(u32) + sizeof(u64) + 3 * sizeof(u8) + sizeof(ploc::Before);
    constexpr u64 kSorting = sizeof(u64) + sizeof(u32);  // bytes per pair for sorting
    return count / 2 * (kPerPair + kSorting) + count * sizeof(u64) + count / kStride * sizeof(Move);
  }

  /// Runs round number `index`. Different rounds try to move different nodes.
  void round(u32 index) {
    const Round round{tree_, moves_.data(), claims_.data(), 1u + index % kStride};
    const u32 count = round.count();
    machine_.zero(claims_);
    machine_.template each<FindMoves>("find moves", count, round);
    for (u32 attempt = 0; attempt < kTries; ++attempt) {
      machine_.template each_lane<ClaimPlaces>("claim places", count, round, attempt);
      machine_.template each<DecideMoves>("decide on moves", count, round, attempt);
    }
    machine_.template each<DropCycles>("drop cycles", count, round);
    machine_.template each<CarryOut>("carry out moves", count, round);
    machine_.template each_lane<Refit>("refit boxes", tree_.count, tree_, arrivals_.data());
    const u32 shift = class_shift(index);
    machine_.template each<FindTreelets>("find treelets", tree_.pairs(), tree_, shift,
                                         begins_.data());
    machine_.rebuild_treelets(tree_, shift, static_cast<const u8*>(begins_.data()));
    machine_.template each_lane<Refit>("refit boxes", tree_.count, tree_, arrivals_.data());
  }

  /// Puts the pairs into their final order. `order` is the array of triangles in leaf order, in the
  /// memory of the machine. The result is valid as long as this object and its arguments exist.
  OrderedTree ordered(const u32* order) {
    const u32 pairs = tree_.pairs();
    drop(claims_), drop(moves_), drop(begins_);
    first_ = machine_.template make<u32>(pairs);
    height_ = machine_.template make<u8>(pairs);
    keys_ = machine_.template make<u64>(pairs);
    sorted_ = machine_.template make<u32>(pairs);
    number_of_ = machine_.template make<u32>(pairs);
    counts_ = machine_.template make<u8>(pairs + 1);
    before_ = machine_.template make<ploc::Before>(pairs + 1);
    depth_ = machine_.template make<u32>(1);
    const Subtrees subtrees{first_.data(), height_.data()};
    machine_.template each_lane<RefitAndMeasure>("measure subtrees", tree_.count, tree_,
                                                 arrivals_.data(), subtrees);
    machine_.template each<MakePairKeys>("keys of pairs", pairs, tree_, subtrees, keys_.data(),
                                         sorted_.data(), depth_.data());
    machine_.sort_by_key(keys_, sorted_, pairs, kPairKeyBits);
    const u32* const sorted = sorted_.data();
    machine_.template each<CountPairs>("count leaves", pairs, tree_, sorted, number_of_.data(),
                                       counts_.data());
    machine_.sum_before(counts_, pairs, before_);
    drop(first_), drop(height_), drop(keys_), drop(counts_), drop(arrivals_);
    return {tree_, order, sorted, number_of_.data(), before_.data()};
  }

  /// The depth of the tree. Call this after `ordered`.
  u32 depth() {
    u32 depth = 0;
    machine_.download(&depth, static_cast<const u32*>(depth_.data()), 1);
    return depth;
  }

 private:
  Machine& machine_;
  LooseTree tree_{};
  Buffer<u32> above_, arrivals_, first_, sorted_, number_of_, depth_;
  Buffer<Move> moves_;
  Buffer<u64> claims_, keys_;
  Buffer<u8> begins_, height_, counts_;
  Buffer<ploc::Before> before_;
};

}  // namespace ballotcast::detail::reinsertion
