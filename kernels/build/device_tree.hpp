// A tree in the memory of a machine, which is updated when the vertices move. All work is only
// enqueued: nothing waits or allocates, so the work may be captured in a CUDA graph.
//
//  refit     stores the triangles with the present vertices, then fits the boxes, from the leaves
//            up (refit_nodes.hpp)
//  rebuild   joins a new tree (joining.hpp), decides whether it replaces the old one, and stores
//            its nodes, order, parents and triangles
//  both      then store the nodes of the layout, and the frame: everything else that a walk needs
//            (WalkFrame)
//
// The host does not know the size and depth of a new tree: they stay in the memory of the machine
// (TreeState). So launches have the size of the largest tree that the triangles can have.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "bvh/builders/submeshes.hpp"
#include "kernels/build/joining.hpp"
#include "kernels/build/refit_nodes.hpp"

namespace ballotcast::detail {

/// The state of a tree, which kernels read and write.
struct TreeState {
  u32 nodes;
  u32 depth;
  u32 places;   // triangles in the leaves of the joined tree that becomes this tree; 0: none
  u32 to_fit;   // number of nodes whose boxes must be fitted; 0: joining has computed the boxes
  u32 refused;  // number of joined trees that were refused
};

/// Decides whether the joined tree becomes the tree. It is refused if it is too deep for the stacks
/// of walks, or if a vertex has a coordinate that no mesh may have.
struct DecideOnTree {
  BC_HD static void item(u32, ploc::JoinedView joined, u32 places,
                         const ploc::OrderedBounds* centers, u32 deepest, TreeState* tree) {
    const ploc::Cluster& root = joined.joints.clusters[0];
    const u32 depth = ploc::height_of(root), inner = joined.before[places].inner;
    const bool takes = depth <= deepest && is_usable(root.low) && is_usable(root.high) &&
                       is_usable(centers->low()) && is_usable(centers->high());
    tree->places = takes ? places : 0u;
    tree->refused += takes ? 0u : 1u;
    if (takes) {
      tree->nodes = 2u * inner + 1u;
      tree->depth = depth;
    }
    tree->to_fit = takes ? 0u : tree->nodes;  // joining has computed all boxes of the new tree
  }
};

/// Runs a step for each i below *count, a number that only the machine knows.
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

/// Runs ClimbFromPair for each pair of nodes. Only the machine knows the number of nodes.
struct ClimbBelow {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 pair, const u32* nodes, reinsertion::LooseTree tree,
                         u32* arrivals) {
    if (pair < *nodes / 2u) ClimbFromPair::item(lane, pair, tree, arrivals);
  }
};

/// Copies element i of an array.
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
  /// Copies `tree` to the memory of the machine. It must have at least one node.
  DeviceTree(Machine& machine, const BinaryTree& tree)
      : room_(static_cast<u32>(tree.nodes.size())),
        triangles_(static_cast<u32>(tree.order.size())),
        leaves_(tree.leaves),
        nodes_(machine.upload(tree.nodes.data(), tree.nodes.size())),
        order_(machine.upload(tree.order.data(), tree.order.size())),
        above_(machine.template make<u32>(tree.inner_nodes())),
        arrivals_(machine.template make<u32>(tree.inner_nodes())),
        encoder_(machine.template make<EncoderBytes>(1)) {
    const TreeState state{room_, tree.depth, 0, 0, 0};
    state_ = machine.upload(&state, 1);
    machine.zero(arrivals_);
    find_parents(machine);
  }

  /// Allocates all memory that `rebuild` needs. Trees deeper than `deepest` levels will be refused.
  /// Throws InputError if the tree has more triangles than can be joined at once.
  void reserve(Machine& machine, u32 deepest) {
    require_at_once(triangles_);
    const u32 room = 2u * triangles_ - 1u;
    auto nodes = machine.template make<Node2>(room);
    auto above = machine.template make<u32>(room / 2u);
    auto arrivals = machine.template make<u32>(room / 2u);
    auto rebuilding = std::make_unique<Rebuilding>(machine, triangles_, deepest);
    machine.template each<CopyElement>("copy the tree", room_, read(nodes_), nodes.data());
    machine.zero(arrivals);
    std::swap(nodes_, nodes);
    std::swap(above_, above);
    std::swap(arrivals_, arrivals);
    rebuilding_ = std::move(rebuilding);
    room_ = room;
    find_parents(machine);
  }

  bool can_rebuild() const { return rebuilding_ != nullptr; }

  /// Stores the nodes, triangles and frame for the present vertices. The topology of the tree
  /// stays.
  template <class Layout>
  void refit(Machine& machine, const vec3* positions, const uvec3* triangles,
             typename Layout::Node* to, TriangleRows* rows, WalkFrame* frame) {
    const ploc::TriangleView view{positions, triangles, nullptr, triangles_};
    machine.template each<Below<StoreLeaf>>("store leaves", room_, &state()->nodes, view,
                                            read(order_), nodes_.data(), rows);
    store<Layout>(machine, &state()->nodes, to, frame);
  }

  /// Makes the tree of builder ploc for these vertices, then does what `refit` does. If that tree
  /// is refused (see DecideOnTree), only refits. Needs a call of `reserve` before. `to` must have
  /// room for as many nodes as there are triangles, because joining uses `to` and `rows` as scratch
  /// memory.
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
    find_parents(machine);
    const u32* const to_fit = &state()->to_fit;
    machine.template each<ploc::StoreRows>("store triangles", triangles_, view, read(order_), rows);
    machine.template each<Below<FitLeaf>>("fit leaves", room_, to_fit, nodes_.data(),
                                          static_cast<const TriangleRows*>(rows));
    store<Layout>(machine, to_fit, to, frame);
  }

  /// The state of the tree, in the memory of the machine.
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

  void find_parents(Machine& machine) {
    machine.template each<Below<reinsertion::FindParents>>("find parents", room_, &state()->nodes,
                                                           loose());
  }

  /// Encodes the nodes into `to` and writes the walk frame. The boxes of the leaves must be up to
  /// date. If *to_fit is the number of nodes, the boxes of inner nodes are fitted first; if it is
  /// 0, they are kept.
  template <class Layout>
  void store(Machine& machine, const u32* to_fit, typename Layout::Node* to, WalkFrame* frame) {
    machine.template each_lane<ClimbBelow>("fit the tree", room_ / 2u, to_fit, loose(),
                                           arrivals_.data());
    machine.template each<FindWalkFrame<Layout>>("find the frame", 1u, read(nodes_), leaves_,
                                                 &state()->depth, frame, encoder_.data());
    machine.template each<Below<StoreMovedChild<Layout>>>(
        "store nodes", room_, &state()->nodes, read(nodes_), leaves_, encoder_.data(), to);
  }

  reinsertion::LooseTree loose() { return {nodes_.data(), above_.data(), room_}; }

  template <class T>
  static auto read(const T& buffer) {
    return static_cast<const std::decay_t<decltype(*buffer.data())>*>(buffer.data());
  }

  u32 room_;  // number of nodes that the arrays have room for
  const u32 triangles_;
  const LeafForm leaves_;
  Buffer<Node2> nodes_;
  Buffer<u32> order_, above_, arrivals_;
  Buffer<EncoderBytes> encoder_;
  Buffer<TreeState> state_;
  std::unique_ptr<Rebuilding> rebuilding_;  // null before `reserve`
};

}  // namespace ballotcast::detail
