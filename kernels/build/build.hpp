// Builds a tree on a machine. It has the same bytes as the tree of the host's twin
// (bvh/builders/ploc.cpp).
//
//   triangles -> keys -> sort -> leaves -> join -> prefix sum over slots -> nodes and triangles
//
// Besides what pipelines ask of a Machine (kernels/pipelines/machine.hpp), it offers:
//   zero(buffer), ones(buffer)          sets every bit of a buffer to 0 or to 1
//   sort_by_key(keys, values, count, bits)
//                                       sorts two buffers by the lowest `bits` bits of the keys;
//                                       equal keys keep their order
//   sum_before(slots, count, before)    before[i] = sum of counted(slots[j]) over all j < i
#pragma once

#include "kernels/build/arrange.hpp"
#include "kernels/pipelines/machine.hpp"

namespace ballotcast::detail::ploc {

/// Builds trees of the same triangles again and again. The memory is kept between two trees.
template <class Machine>
class Build {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// Makes room for all but the tree itself. There must be at least one triangle.
  Build(Machine& machine, const TriangleView& triangles)
      : machine_(machine), triangles_(triangles), count_(triangles.count) {
    keys_ = machine_.template make<u64>(count_);
    order_ = machine_.template make<u32>(count_);
    clusters_ = machine_.template make<Cluster>(count_);
    lefts_ = machine_.template make<Cluster>(count_);
    next_ = machine_.template make<u32>(count_);
    slots_ = machine_.template make<u8>(count_ + 1);
    heads_ = machine_.template make<u32>(count_);
    meetings_ = machine_.template make<u32>(count_);
    before_ = machine_.template make<Before>(count_ + 1);
    bounds_ = machine_.template make<OrderedBounds>(1);
    grid_ = machine_.template make<KeyGrid>(1);
    leaf_order_ = machine_.template make<u32>(count_);
  }

  /// The most memory of the machine that `join` and `tree` take for `count` triangles, in bytes,
  /// besides the mesh. Sorting takes another array of keys and one of values.
  static u64 bytes_to_build(u64 count) {
    constexpr u64 kPerTriangle = 2 * sizeof(u64) + 6 * sizeof(u32) + 2 * sizeof(Cluster) +
                                 sizeof(u8) + sizeof(Before) + 2 * sizeof(Node2);
    constexpr u64 kScratch = 64 << 20;
    return count * kPerTriangle + kScratch;
  }

  /// Joins the triangles to a tree, which is not yet in a form that others understand.
  void join() {
    machine_.stage("keys");
    machine_.zero(bounds_);
    const u32 blocks = blocks_for(count_, FindCenters::kBlockSize);
    machine_.template launch<FindCenters>(
        "find centres", blocks < FindCenters::kMostBlocks ? blocks : FindCenters::kMostBlocks,
        FindCenters::kBlockSize, triangles_, bounds_.data());
    machine_.template each<MakeGrid>("grid of keys", 1, read(bounds_), grid_.data());
    machine_.template each<MakeKeys>("keys", count_, triangles_, read(grid_), keys_.data(),
                                     order_.data());
    machine_.stage("sort");
    machine_.sort_by_key(keys_, order_, count_, kKeyBits);
    machine_.stage("leaves");
    machine_.template each<MakeLeaves>("leaves", count_, triangles_, read(order_), joints());
    machine_.stage("join");
    machine_.ones(meetings_);
    machine_.template launch<JoinClusters>(
        "join clusters", blocks_for(count_, JoinClusters::kBlockSize), JoinClusters::kBlockSize,
        JoinView{keys_.data(), joints(), heads_.data(), meetings_.data(), count_});
    machine_.stage("number");
    machine_.sum_before(slots_, count_, before_);
    machine_.download(&all_, read(before_) + count_, 1);
    machine_.download(&root_, read(clusters_), 1);
  }

  /// Turns the tree into nodes of a layout, and the triangles into rows. The root must be an inner
  /// node that is not too deep: see `plain`.
  template <class Layout>
  void encode() {
    machine_.stage("nodes");
    using Node = typename Layout::Node;
    encoded_bytes_ = u64{all_.inner} * sizeof(Node);
    if (nodes_.size() < node_blocks()) nodes_ = machine_.template make<NodeBytes>(node_blocks());
    machine_.template each<StoreNode<Layout>>("store nodes", count_, view(), encoder<Layout>(),
                                              reinterpret_cast<Node*>(nodes_.data()),
                                              leaf_order_.data());
    machine_.stage("triangles");
    if (rows_.size() < count_) rows_ = machine_.template make<TriangleRows>(count_);
    machine_.template each<StoreRows>("store triangles", count_, triangles_, read(leaf_order_),
                                      rows_.data());
  }

  /// True if `encode` can be used: not for the few trees that need care on the host.
  bool plain() const { return !is_leaf(root_) && height_of(root_) <= kDeepestLevel; }

  /// Copies the tree to the host. It may be deeper than kDeepestLevel.
  BinaryTree tree() {
    BinaryTree tree;
    tree.depth = height_of(root_);
    tree.nodes.resize(2 * std::size_t{all_.inner} + 1);
    tree.order.resize(count_);
    auto nodes = machine_.template make<Node2>(tree.nodes.size());
    machine_.template each<StoreTree>("store the tree", count_, view(), nodes.data());
    machine_.template each<StoreOrder>("store the order", count_, view(), leaf_order_.data());
    machine_.download(tree.nodes.data(), read(nodes), tree.nodes.size());
    machine_.download(tree.order.data(), read(leaf_order_), count_);
    return tree;
  }

  /// Copies what `encode` made to the host. There must be an inner node.
  template <class Layout>
  EncodedBvh encoded() {
    EncodedBvh out;
    out.bytes = encoded_bytes_;
    out.nodes.resize(node_blocks());
    machine_.download(out.nodes.data(), read(nodes_), node_blocks());
    out.triangles.resize(count_);
    machine_.download(out.triangles.data(), read(rows_), count_);
    out.shape = encoder<Layout>().shape(0, height_of(root_));
    out.layout = &Layout::info;
    return out;
  }

 private:
  template <class T>
  static auto read(const T& buffer) {
    return static_cast<const std::decay_t<decltype(*buffer.data())>*>(buffer.data());
  }
  template <class Layout>
  typename Layout::Encoder encoder() const {
    const float magnitude = max_of(largest_magnitude(root_.low), largest_magnitude(root_.high));
    return Layout::Encoder::around(root_.low, root_.high, magnitude);
  }

  std::size_t node_blocks() const {
    return (encoded_bytes_ + sizeof(NodeBytes) - 1) / sizeof(NodeBytes);
  }

  Joints joints() { return {clusters_.data(), lefts_.data(), next_.data(), slots_.data()}; }
  JoinedView view() { return {joints(), order_.data(), before_.data()}; }

  Machine& machine_;
  const TriangleView triangles_;
  const u32 count_;
  Buffer<u64> keys_;
  Buffer<u32> order_, next_, heads_, meetings_, leaf_order_;
  Buffer<Cluster> clusters_, lefts_;
  Buffer<u8> slots_;
  Buffer<Before> before_;
  Buffer<OrderedBounds> bounds_;
  Buffer<KeyGrid> grid_;
  Buffer<NodeBytes> nodes_;
  Buffer<TriangleRows> rows_;
  u64 encoded_bytes_ = 0;
  // Of the last tree, on the host.
  Before all_{};
  Cluster root_{};
};

}  // namespace ballotcast::detail::ploc
