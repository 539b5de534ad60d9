#include "bvh/builders/reinsertion.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Moves the subtree `from` (F) beside `to` (T). F's old parent O goes away and F's sibling S takes
/// its place. A new node N becomes the parent of F and T.
///
///        A                       A
///      /   `.                  /   `.
///     O     ..       ->       S     ..     O goes away, N is new. The boxes above O may become
///    / \     |                       |     smaller, those above N larger. The gain is the
///   F   S    T                       N     decrease of the sum of all box areas.
///                                   / \    N is the parent of F and T.
///                                  F   T
struct Move {
  u32 from = 0, to = 0;
  float gain = 0.0f;  // the sum of all box areas becomes smaller by this much
};

class Optimizer {
 public:
  explicit Optimizer(BinaryTree& tree) : nodes_(tree.nodes), parent_(tree.nodes.size(), 0) {
    for (u32 i = 0; i < nodes_.size(); ++i) adopt(i);
  }

  /// Finds the best move of each of the `count` largest nodes and carries out the moves that do not
  /// affect each other, best first. Returns the number of moves carried out.
  u32 round(std::size_t count) {
    std::vector<u32> candidates(nodes_.size() - 1);
    for (u32 i = 0; i < candidates.size(); ++i) candidates[i] = i + 1;
    count = std::min(count, candidates.size());
    const auto larger = [&](u32 a, u32 b) {
      const float x = nodes_[a].box.half_area(), y = nodes_[b].box.half_area();
      return x > y || (x == y && a < b);
    };
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                     candidates.end(), larger);
    std::vector<Move> moves(count);
    for_each_index(std::size_t{count}, [&](std::size_t i) { moves[i] = best(candidates[i]); });
    std::erase_if(moves, [](const Move& move) { return !(move.gain > 0.0f); });
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
      return a.gain > b.gain || (a.gain == b.gain && a.from < b.from);
    });
    std::vector<bool> touched(nodes_.size(), false);
    u32 done = 0;
    for (const Move& move : moves) {
      const u32 involved[] = {move.from, move.to, sibling(move.from), parent_[move.from],
                              parent_[move.to]};
      if (std::any_of(std::begin(involved), std::end(involved), [&](u32 i) { return touched[i]; }))
        continue;
      if (holds(move.from, move.to)) continue;  // an earlier move put `to` below `from`
      for (const u32 i : involved) touched[i] = true;
      carry_out(move);
      ++done;
    }
    return done;
  }

 private:
  /// Siblings are adjacent; the first of two has an odd index.
  static u32 sibling(u32 node) { return node % 2 ? node + 1 : node - 1; }

  void adopt(u32 node) {
    if (nodes_[node].is_leaf()) return;
    parent_[nodes_[node].first] = parent_[nodes_[node].first + 1] = node;
  }

  /// True if `node` is `above` or lies below it.
  bool holds(u32 above, u32 node) const {
    for (; node != 0; node = parent_[node])
      if (node == above) return true;
    return false;
  }

  static float area_of(Aabb a, const Aabb& b) {
    a.include(b);
    return a.half_area();
  }

  /// The best move of a node, found by branch and bound; its gain is 0 if no move helps. The search
  /// starts at the sibling. It goes on in the subtrees beside the path to the root, which become
  /// larger and larger.
  Move best(u32 from) const {
    Move found{from, 0, 0.0f};
    const u32 old_parent = parent_[from];
    if (old_parent == 0) return found;
    struct Open {
      u32 node;
      // Area saved in all boxes outside this node, if `from` is inserted in its subtree.
      float gain;
    };
    std::vector<Open> open;
    const float own = nodes_[from].box.half_area();
    float gain = nodes_[old_parent].box.half_area();  // taking out `from` also removes its parent
    u32 pivot = old_parent, beside = sibling(from);
    Aabb left_over = nodes_[beside].box;  // the box of `pivot` without `from`
    for (;;) {
      open.push_back({beside, gain});
      while (!open.empty()) {
        const Open at = open.back();
        open.pop_back();
        if (!(at.gain - own > found.gain)) continue;
        const Node2& node = nodes_[at.node];
        const float gain_here = at.gain - area_of(node.box, nodes_[from].box);
        if (gain_here > found.gain) found = {from, at.node, gain_here};
        if (node.is_leaf()) continue;
        const float below = gain_here + node.box.half_area();
        open.push_back({node.first, below});
        open.push_back({node.first + 1, below});
      }
      if (pivot != old_parent) {
        left_over.include(nodes_[beside].box);
        gain += nodes_[pivot].box.half_area() - left_over.half_area();
      }
      if (pivot == 0) break;
      beside = sibling(pivot);
      pivot = parent_[pivot];
    }
    if (found.to == sibling(from) || found.to == old_parent) return {from, 0, 0.0f};
    return found;
  }

  /// Carries out a move. The sibling of `from` moves to the slot of their parent. The two slots
  /// that become free take `from` and `to`, and the new parent of these two gets the old slot of
  /// `to`.
  void carry_out(const Move& move) {
    const u32 from = move.from, beside = sibling(from), old_parent = parent_[from];
    const u32 first = std::min(from, beside);
    const Node2 moved = nodes_[from];
    nodes_[old_parent] = nodes_[beside];
    adopt(old_parent);
    const u32 to = move.to;  // never the sibling of `from`; see `best`
    nodes_[first] = moved;
    nodes_[first + 1] = nodes_[to];
    nodes_[to] = {nodes_[to].box, first, 0};
    for (const u32 i : {first, first + 1, to}) adopt(i);
    refit(old_parent);
    refit(to);
  }

  void refit(u32 node) {
    for (;; node = parent_[node]) {
      Node2& n = nodes_[node];
      if (!n.is_leaf()) {
        n.box = nodes_[n.first].box;
        n.box.include(nodes_[n.first + 1].box);
      }
      if (node == 0) return;
    }
  }

  std::vector<Node2>& nodes_;
  std::vector<u32> parent_;
};

/// The same tree with its nodes numbered depth first, and its leaves in the order of the walk.
BinaryTree tidied(const BinaryTree& tree) {
  BinaryTree out;
  out.nodes.reserve(tree.nodes.size());
  out.order.reserve(tree.order.size());
  out.nodes.resize(1);
  struct Copy {
    u32 from, to, depth;
  };
  std::vector<Copy> open{{0, 0, 0}};
  while (!open.empty()) {
    const auto [from, to, depth] = open.back();
    open.pop_back();
    const Node2& node = tree.nodes[from];
    out.depth = std::max(out.depth, depth);
    if (node.is_leaf()) {
      out.nodes[to] = {node.box, static_cast<u32>(out.order.size()), node.count};
      const auto first = tree.order.begin() + node.first;
      out.order.insert(out.order.end(), first, first + node.count);
      continue;
    }
    const auto pair = static_cast<u32>(out.nodes.size());
    out.nodes.resize(pair + 2);
    out.nodes[to] = {node.box, pair, 0};
    open.push_back({node.first + 1, pair + 1, depth + 1});
    open.push_back({node.first, pair, depth + 1});
  }
  return out;
}

}  // namespace

BinaryTree reinserted(BinaryTree tree, const ReinsertionSettings& settings,
                      const Progress& report) {
  if (tree.nodes.size() < 5) return tree;
  BinaryTree better = tree;
  Optimizer optimizer(better);
  for (u32 i = 0; i < settings.rounds; ++i) {
    const auto some =
        static_cast<std::size_t>(static_cast<double>(tree.nodes.size()) * settings.share);
    if (optimizer.round(some) == 0) break;
    if (report) report(i + 1, settings.rounds);
  }
  better = tidied(better);
  if (better.depth > kDeepestLevel) return tree;
  return better;
}

}  // namespace ballotcast::detail
