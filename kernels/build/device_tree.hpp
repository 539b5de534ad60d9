// A tree in the memory of a machine, which follows vertices there. Everything is only enqueued:
// nothing is waited for or allocated, so this may be captured in a CUDA graph.
//
//   refit:                                      boxes (fit_levels.hpp) ----------+--> nodes of the
//   rebuild:  join (joining.hpp) --> decide --> nodes, order, parents, levels ---+    layout, frame
//                                               of the new tree
//
// What the host would have to know of a new tree, its size and depth, lies in the memory of the
// machine (TreeState). Launches have the size of the largest tree that the triangles can have.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/build/fit_levels.hpp"
#include "kernels/build/joining.hpp"
#include "kernels/build/refit.hpp"

namespace ballotcast::detail {

/// What kernels know of a tree.
struct TreeState {
  u32 nodes;
  u32 stored;  // nodes of the layout: the inner nodes, or 1 if the root is a leaf
  u32 depth;
  u32 places;   // of the joined tree that this tree becomes; 0: it stays as it is
  u32 to_fit;   // the boxes of so many nodes are to be fitted
  u32 refused;  // number of joined trees that this one did not become
};

/// Decides whether a tree becomes the joined one. Joined trees that are too deep for the stacks of
/// walks are refused, and those of vertices that no mesh may have.
struct DecideOnTree {
  BC_HD static void item(u32, ploc::JoinedView joined, u32 places,
                         const ploc::OrderedBounds* centers, u32 deepest, TreeState* tree) {
    const ploc::Cluster& root = joined.joints.clusters[0];
    const u32 depth = ploc::height_of(root), inner = joined.before[places].inner;
    const bool takes = depth <= deepest && is_usable(root.low) && is_usable(root.high) &&
                       is_usable(ploc::low_of(*centers)) && is_usable(ploc::high_of(*centers));
    tree->places = takes ? places : 0u;
    tree->refused += takes ? 0u : 1u;
    if (takes) {
      tree->nodes = 2u * inner + 1u;
      tree->stored = inner > 0u ? inner : 1u;
      tree->depth = depth;
    }
    tree->to_fit = takes ? 0u : tree->nodes;  // joining has computed all boxes
  }
};

/// Runs a step for each i below a number that is in the memory of the machine.
template <class Step>
struct Below {
  template <class... Views>
  BC_HD static void item(u32 i, const u32* count, const Views&... views) {
    if (i < *count) Step::item(i, views...);
  }
  template <class Lane, class... Views>
  BC_HD static void item(Lane& lane, u32 i, const u32* count, const Views&... views) {
    if (i < *count) Step::item(lane, i, views...);
  }
};

/// Stores the heights of the pairs of joined trees. Once per slot.
struct StoreHeight {
  BC_HD static void item(u32 slot, ploc::JoinedView joined, u8* heights) {
    if (!joined.has(slot)) return;
    const u32 left = height_of(joined.joints.lefts[slot]),
              right = height_of(joined.joints.clusters[slot]);
    heights[joined.number(slot)] = static_cast<u8>((left > right ? left : right) + 1u);
  }
};

/// Copies an array.
struct CopyElement {
  template <class T>
  BC_HD static void item(u32 i, const T* from, T* to) {
    to[i] = from[i];
  }
};

template <class Machine>
class DeviceTree {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// Copies a tree, which must have nodes.
  DeviceTree(Machine& machine, const BinaryTree& tree)
      : room_(static_cast<u32>(tree.nodes.size())),
        triangles_(static_cast<u32>(tree.order.size())),
        nodes_(machine.upload(tree.nodes.data(), tree.nodes.size())),
        order_(machine.upload(tree.order.data(), tree.order.size())),
        above_(machine.template make<u32>(tree.inner_nodes())),
        pairs_(machine.template make<u32>(tree.inner_nodes())),
        starts_(machine.template make<u32>(kHeights + 1)),
        cursors_(machine.template make<u32>(kHeights)) {
    const TreeState state{room_, std::max(1u, tree.inner_nodes()), tree.depth, 0, 0, 0};
    state_ = machine.upload(&state, 1);
    const std::vector<u8> heights = heights_of_pairs(tree);
    heights_ = machine.upload(heights.data(), heights.size());
    find_parents(machine);
  }

  /// Takes all memory that `rebuild` needs. From then on a tree may be up to `deepest` deep.
  void reserve(Machine& machine, u32 deepest) {
    const u32 room = 2u * triangles_ - 1u;
    auto nodes = machine.template make<Node2>(room);
    auto above = machine.template make<u32>(room / 2u);
    auto pairs = machine.template make<u32>(room / 2u);
    auto heights = machine.template make<u8>(room / 2u);
    auto rebuilding = std::make_unique<Rebuilding>(machine, triangles_, deepest);
    machine.template each<CopyElement>("copy the tree", room_, read(nodes_), nodes.data());
    machine.template each<CopyElement>("copy heights", room_ / 2u, read(heights_), heights.data());
    std::swap(nodes_, nodes);
    std::swap(above_, above);
    std::swap(pairs_, pairs);
    std::swap(heights_, heights);
    rebuilding_ = std::move(rebuilding);
    room_ = room;
    find_parents(machine);
  }

  bool can_rebuild() const { return rebuilding_ != nullptr; }

  /// Stores nodes, triangles and frame anew for these vertices.
  template <class Layout>
  void refit(Machine& machine, const vec3* positions, const uvec3* triangles,
             typename Layout::Node* to, TriangleRows* rows, WalkFrame* frame) {
    store<Layout>(machine, {positions, triangles, nullptr, triangles_}, &state()->nodes, to, rows,
                  frame);
  }

  /// Makes the tree of builder ploc for these vertices; then as `refit`. If that tree is refused
  /// (see DecideOnTree), this is `refit`. Needs `reserve`, and that there is room for as many nodes
  /// of the layout as triangles: joining works in the memory of nodes and triangles.
  template <class Layout>
  void rebuild(Machine& machine, const vec3* positions, const uvec3* triangles,
               typename Layout::Node* to, TriangleRows* rows, WalkFrame* frame) {
    static_assert(sizeof(*to) >= ploc::JoinMemory::bytes_of_clusters(1));
    static_assert(sizeof(*rows) >= ploc::JoinMemory::bytes_of_lefts(1));
    const ploc::TriangleView view{positions, triangles, nullptr, triangles_};
    ploc::Joining<Machine>& joining = rebuilding_->joining;
    joining.find_grid(view);
    const ploc::JoinedView joined =
        joining.join(view, {to, rows, rebuilding_->places.data(), triangles_});
    machine.template each<DecideOnTree>("decide on the tree", 1u, joined, triangles_,
                                        joining.centers(), rebuilding_->deepest, state_.data());
    const u32* const places = &state()->places;
    machine.template each<Below<StoreTree>>("store the tree", triangles_, places, joined,
                                            nodes_.data());
    machine.template each<Below<StoreOrder>>("store the order", triangles_, places, joined,
                                             order_.data());
    machine.template each<Below<StoreHeight>>("store heights", triangles_, places, joined,
                                              heights_.data());
    find_parents(machine);
    store<Layout>(machine, view, &state()->to_fit, to, rows, frame);
  }

  /// In the memory of the machine.
  const TreeState* state() const { return state_.data(); }

 private:
  struct Rebuilding {
    ploc::Joining<Machine> joining;
    Buffer<ploc::JoinBytes> places;
    u32 deepest;

    Rebuilding(Machine& machine, u32 triangles, u32 deepest_tree)
        : joining(machine),
          places(ploc::join_block(machine, ploc::JoinMemory::bytes_of_places(triangles))),
          deepest(deepest_tree) {}
  };

  /// Finds all that fitting needs to know of the tree, given its nodes and heights.
  void find_parents(Machine& machine) {
    machine.template each<Below<reinsertion::FindParents>>("find parents", room_, &state()->nodes,
                                                           loose());
    if (room_ < 2u) return;
    machine.zero(cursors_);
    const u32 blocks = blocks_for(room_ / 2u, SortPairs<true>::kBlockSize);
    machine.template launch<SortPairs<false>>("count heights", blocks, SortPairs<false>::kBlockSize,
                                              &state()->nodes, by_height());
    machine.template each<StartsOfHeights>("starts of heights", 1u, by_height());
    machine.template launch<SortPairs<true>>("sort pairs", blocks, SortPairs<true>::kBlockSize,
                                             &state()->nodes, by_height());
  }

  /// Computes the boxes of all nodes, or of none if *to_fit is 0.
  void fit(Machine& machine, const TriangleRows* rows, const u32* to_fit) {
    machine.template each<Below<FitLeaf>>("fit leaves", room_, to_fit, nodes_.data(), rows);
    if (room_ < 2u) return;
    for (u32 height = 1; height < kUpperLevels; ++height) {
      // Each pair of this height has more triangles below it than that.
      const u32 most =
          std::min(kMostBlocks, blocks_for(triangles_ / (height + 1u) + 1u, FitLevel::kBlockSize));
      machine.template launch<FitLevel>("fit a level", most, FitLevel::kBlockSize, to_fit, height,
                                        loose(), by_height());
    }
    machine.template launch<FitUpperLevels>("fit upper levels", 1u, FitUpperLevels::kBlockSize,
                                            to_fit, kUpperLevels, loose(), by_height());
  }

  /// Stores all that a cast needs, after the boxes if *to_fit is not 0.
  template <class Layout>
  void store(Machine& machine, const ploc::TriangleView& view, const u32* to_fit,
             typename Layout::Node* to, TriangleRows* rows, WalkFrame* frame) {
    machine.template each<ploc::StoreRows>("store triangles", triangles_, view, read(order_), rows);
    fit(machine, rows, to_fit);
    machine.template each<FindWalkFrame<Layout>>("find the frame", 1u, read(nodes_),
                                                 &state()->depth, frame);
    machine.template each<Below<StoreMovedNode<Layout>>>("store nodes", std::max(1u, room_ / 2u),
                                                         &state()->stored, read(nodes_), to);
  }

  reinsertion::LooseTree loose() { return {nodes_.data(), above_.data(), room_}; }
  PairsByHeight by_height() {
    return {heights_.data(), pairs_.data(), starts_.data(), cursors_.data()};
  }

  template <class T>
  static auto read(const T& buffer) {
    return static_cast<const std::decay_t<decltype(*buffer.data())>*>(buffer.data());
  }

  // From this height on, levels have so few pairs that a single block fits them.
  static constexpr u32 kUpperLevels = 9;
  static constexpr u32 kMostBlocks = 1056;  // about as many as an H200 runs at once

  u32 room_;  // for nodes
  const u32 triangles_;
  Buffer<Node2> nodes_;
  Buffer<u32> order_, above_;
  Buffer<u32> pairs_, starts_, cursors_;  // PairsByHeight
  Buffer<u8> heights_;
  Buffer<TreeState> state_;
  std::unique_ptr<Rebuilding> rebuilding_;  // null before `reserve`
};

}  // namespace ballotcast::detail
