// Builds a tree on a machine. It has the same bytes as the tree of the builder of the same name on
// the host (bvh/builders/builder.hpp).
//
//   triangles --> join (joining.hpp) --> nodes and triangles
//     |            ^             |         ^
//     +--> fragments -+             +-> rounds -+
//      (ploc-presplit)        (ploc-reinserted)
//
// Its Machine offers what pipelines (kernels/pipelines/machine.hpp) and the steps of building
// (bvh/host_build_machine.hpp) need. Also, for arrays in the memory of the machine:
//   ones(words, count)             sets every bit to 1
//   sort_by_key(keys, values, spare_keys, spare_values, count, bits)
//                                  as for buffers; overwrites the spare arrays, which are as large
//   sum_before(slots, count, before)
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "bvh/builders/builder.hpp"
#include "bvh/ploc/presplit.hpp"
#include "bvh/reinsertion/rounds.hpp"
#include "kernels/build/arrange.hpp"
#include "kernels/build/joining.hpp"

namespace ballotcast::detail::ploc {

/// The steps of a build other than joining.
struct BuildSettings {
  bool presplit = false;  // first cut long triangles into fragments (bvh/ploc/presplit.hpp)
  u32 rounds = 0;         // rounds of reinsertion that follow joining
};

/// Builds trees over the same triangles. The memory is kept from one build to the next.
template <class Machine>
class Build {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// The number of nodes that `tree` copies to the host at a time. It limits the scratch memory on
  /// the machine, which holds so many nodes.
  static constexpr u32 kNodesAtOnce = 1u << 21;

  /// Requires at least one triangle.
  Build(Machine& machine, const TriangleView& triangles)
      : machine_(machine), triangles_(triangles), elements_(triangles), joining_(machine) {}

  /// The most bytes of the machine's memory that `build` and `tree` take for `triangles` triangles.
  /// The mesh is not included.
  static u64 bytes_to_build(u64 triangles, const BuildSettings& settings) {
    constexpr u64 kLoose = 2 * sizeof(Node2) + sizeof(u32);
    constexpr u64 kScratch = 64 << 20;
    const u64 count = settings.presplit ? Fragments<Machine>::most_fragments(triangles) : triangles;
    return JoinMemory::bytes_of_clusters(count) + JoinMemory::bytes_of_lefts(count) +
           JoinMemory::bytes_of_places(count) + kScratch +
           std::min<u64>(2 * count, kNodesAtOnce) * sizeof(Node2) +
           count * (sizeof(u32) + (settings.rounds > 0 ? kLoose : 0)) +
           (settings.presplit ? Fragments<Machine>::bytes_for(triangles) : 0) +
           (settings.rounds > 0 ? reinsertion::Rounds<Machine>::bytes_for(2 * count) : 0);
  }

  /// Builds a tree, and keeps it in the memory of the machine. A tree that is not `plain` is not
  /// improved by reinsertion here; the host does that.
  void build(const BuildSettings& settings) {
    rounds_.reset();
    fragments_.reset();
    elements_ = triangles_;
    joining_.find_grid(triangles_);
    if (settings.presplit) {
      machine_.stage("presplit");
      fragments_ = std::make_unique<Fragments<Machine>>(machine_, triangles_);
      elements_ = fragments_->view();
    }
    join();
    if (settings.rounds > 0 && plain() && all_.inner >= 2) improve(settings.rounds);
  }

  /// Converts the tree to nodes of a layout, and the triangles to TriangleRows. The tree must be
  /// `plain`.
  template <class Layout>
  void encode() {
    machine_.stage("nodes");
    using Node = typename Layout::Node;
    encoded_bytes_ = u64{all_.inner} * sizeof(Node);
    if (nodes_.size() < node_blocks()) nodes_ = machine_.template make<NodeBytes>(node_blocks());
    with_view([&](const auto& view, u32 elements) {
      machine_.template each<StoreNode<Layout>>("store nodes", elements, view, encoder<Layout>(),
                                                reinterpret_cast<Node*>(nodes_.data()),
                                                leaf_order_.data());
    });
    machine_.stage("triangles");
    if (rows_.size() < elements_.count)
      rows_ = machine_.template make<TriangleRows>(elements_.count);
    machine_.template each<StoreRows>("store triangles", elements_.count, triangles_,
                                      read(leaf_order_), rows_.data());
  }

  /// True if the host need not change the tree: its root is an inner node, and its depth is at most
  /// kDeepestLevel.
  bool plain() const { return !is_leaf(root_) && depth_ <= kDeepestLevel; }

  /// True if the rounds of reinsertion have been done.
  bool is_improved() const { return rounds_ != nullptr; }

  /// Copies the tree to the host, at most `nodes_at_once` nodes at a time. The tree may be deeper
  /// than kDeepestLevel.
  BinaryTree tree(u32 nodes_at_once = kNodesAtOnce) {
    BinaryTree tree;
    tree.depth = depth_;
    tree.nodes.resize(2 * std::size_t{all_.inner} + 1);
    tree.order.resize(elements_.count);
    with_view([&](const auto& view, u32 elements) {
      download_nodes(view, elements, nodes_at_once, tree.nodes);
      machine_.template each<StoreOrder>("store the order", elements, view, leaf_order_.data());
    });
    machine_.download(tree.order.data(), read(leaf_order_), elements_.count);
    return tree;
  }

  /// Copies the result of `encode` to the host.
  template <class Layout>
  EncodedBvh encoded() {
    EncodedBvh out;
    out.bytes = encoded_bytes_;
    out.nodes.resize(node_blocks());
    machine_.download(out.nodes.data(), read(nodes_), node_blocks());
    out.triangles.resize(elements_.count);
    machine_.download(out.triangles.data(), read(rows_), elements_.count);
    out.shape = encoder<Layout>().shape(0, depth_);
    out.layout = &Layout::info;
    return out;
  }

 private:
  /// Allocates the memory of joining, unless that of an earlier build is large enough.
  void make_room() {
    const u32 count = elements_.count;
    if (leaf_order_.size() >= count) return;
    clusters_ = join_block(machine_, JoinMemory::bytes_of_clusters(count));
    lefts_ = join_block(machine_, JoinMemory::bytes_of_lefts(count));
    places_ = join_block(machine_, JoinMemory::bytes_of_places(count));
    leaf_order_ = machine_.template make<u32>(count);
  }

  void join() {
    make_room();
    joined_ = joining_.join(elements_,
                            {clusters_.data(), lefts_.data(), places_.data(), elements_.count});
    machine_.download(&all_, joined_.before + elements_.count, 1);
    machine_.download(&root_, joined_.joints.clusters, 1);
    depth_ = height_of(root_);
  }

  /// Improves the tree by rounds of reinsertion: subtrees move to better parents.
  void improve(u32 rounds) {
    machine_.stage("loosen");
    loosen();
    rounds_ = std::make_unique<reinsertion::Rounds<Machine>>(machine_, loose_nodes_.data(),
                                                             2 * all_.inner + 1);
    machine_.stage("rounds");
    for (u32 i = 0; i < rounds; ++i) rounds_->round(i);
    machine_.stage("order");
    ordered_ = rounds_->ordered(loose_order_.data());
    depth_ = rounds_->depth();
  }

  /// Stores the joined tree in the form of BinaryTree, in the memory of the machine, so that rounds
  /// of reinsertion can change it (LooseTree).
  void loosen() {
    const std::size_t nodes = 2 * std::size_t{all_.inner} + 1;
    if (loose_nodes_.size() < nodes) loose_nodes_ = machine_.template make<Node2>(nodes);
    if (loose_order_.size() < elements_.count)
      loose_order_ = machine_.template make<u32>(elements_.count);
    store(joined_, elements_.count, loose_nodes_, loose_order_);
  }

  /// Stores a view of a tree in the form of BinaryTree.
  template <class View>
  void store(const View& view, u32 elements, Buffer<Node2>& nodes, Buffer<u32>& order) {
    machine_.template each<StoreTree>("store the tree", elements, view, nodes.data());
    machine_.template each<StoreOrder>("store the order", elements, view, order.data());
  }

  /// Copies the nodes of a view to the host, at most `at_once` at a time.
  template <class View>
  void download_nodes(const View& view, u32 elements, u32 at_once, std::vector<Node2>& to) {
    const u32 all = static_cast<u32>(to.size());
    auto nodes = machine_.template make<Node2>(all < at_once ? all : at_once);
    for (u32 first = 0; first < all; first += at_once) {
      const u32 count = all - first < at_once ? all - first : at_once;
      machine_.template each<StoreSliceOfTree>("store a slice of the tree", elements, view, first,
                                               count, nodes.data());
      machine_.download(to.data() + first, read(nodes), count);
    }
  }

  /// Calls use(view, number of elements) with a view of the last tree: the improved tree if there
  /// is one, else the joined tree.
  template <class Use>
  void with_view(Use use) {
    if (rounds_)
      use(ordered_, all_.inner);
    else
      use(joined_, elements_.count);
  }

  template <class T>
  static auto read(const T& buffer) {
    return static_cast<const std::decay_t<decltype(*buffer.data())>*>(buffer.data());
  }
  template <class Layout>
  typename Layout::Encoder encoder() const {
    return encoder_for<Layout>(Aabb{root_.low, root_.high});
  }

  std::size_t node_blocks() const {
    return (encoded_bytes_ + sizeof(NodeBytes) - 1) / sizeof(NodeBytes);
  }

  Machine& machine_;
  const TriangleView triangles_;  // the whole triangles, before fragments are cut
  TriangleView elements_;         // the elements of the last tree: triangles or fragments
  Joining<Machine> joining_;
  Buffer<JoinBytes> clusters_, lefts_, places_;
  JoinedView joined_{};  // the last tree, before it was improved
  Buffer<u32> leaf_order_;
  Buffer<NodeBytes> nodes_;
  Buffer<TriangleRows> rows_;
  u64 encoded_bytes_ = 0;
  // These describe the last tree. They are on the host.
  Before all_{};
  Cluster root_{};
  u32 depth_ = 0;
  std::unique_ptr<Fragments<Machine>> fragments_;
  // These describe the last tree after reinsertion.
  Buffer<Node2> loose_nodes_;
  Buffer<u32> loose_order_;
  std::unique_ptr<reinsertion::Rounds<Machine>> rounds_;
  reinsertion::OrderedTree ordered_{};
};

// The end of building, on the host: makes the tree shallow enough for walks, and does the rounds of
// reinsertion that the machine has not done.

/// The settings of Build for a builder, which must be one that machines support (`on_machines`).
inline BuildSettings settings_of(const Builder& builder) {
  return {builder.info->presplit, builder.rounds};
}

/// Copies the last tree of `build` to the host, and completes it there. The tree was built with
/// settings_of(builder). The result equals the tree of builder.build for the same triangles.
template <class Machine>
BinaryTree finished(Build<Machine>& build, const Builder& builder) {
  BinaryTree tree = shallow(build.tree());
  return build.is_improved() ? tree : reinserted(std::move(tree), builder.rounds);
}

}  // namespace ballotcast::detail::ploc
