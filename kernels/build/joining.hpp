// Joins elements into a tree on a machine. All work is only enqueued: nothing waits or allocates,
// and nothing is copied to the host, so the work may be captured in a CUDA graph.
//
//   find_grid:  triangles -> grid of keys
//   join:       elements -> keys -> sort -> leaves -> join -> prefix sum over slots
//
// The caller provides the memory. Some of the memory has several uses, one after another:
//
//   block      bytes per element   sorting             joining                numbering
//   clusters   32                                      clusters
//   lefts      40                  keys, and spares    lefts; heads,          lefts; before
//                                  of keys and order   meetings
//   places     10                  order               order, next, levels, slots
#pragma once

#include <cstddef>

#include "bvh/ploc/cluster.hpp"
#include "kernels/build/join.hpp"
#include "kernels/pipelines/machine.hpp"

namespace ballotcast::detail::ploc {

/// The unit in which memory is allocated. It is later divided into arrays of several types, each
/// aligned to 16 bytes.
struct alignas(16) JoinBytes {
  std::byte bytes[16];
};

/// The arrays of joining `count` elements, in three blocks of memory that are aligned to 16 bytes.
struct JoinMemory {
  u64 *keys, *spare_keys;
  u32 *order, *spare_order, *next, *heads, *meetings;
  Cluster *clusters, *lefts;
  u8 *levels, *slots;
  Before* before;

  JoinMemory() = default;
  JoinMemory(void* clusters_block, void* lefts_block, void* places_block, u64 count)
      : keys(static_cast<u64*>(lefts_block)),
        spare_keys(keys + count),
        order(static_cast<u32*>(places_block)),
        spare_order(reinterpret_cast<u32*>(spare_keys + count)),
        next(order + count),
        clusters(static_cast<Cluster*>(clusters_block)),
        lefts(static_cast<Cluster*>(lefts_block)),
        levels(reinterpret_cast<u8*>(next + count)),
        slots(levels + count),
        before(reinterpret_cast<Before*>(lefts + count)) {
    heads = reinterpret_cast<u32*>(before);
    meetings = heads + count;
  }

  /// The sizes of the blocks, in bytes, for `count` elements.
  static constexpr u64 bytes_of_clusters(u64 count) { return count * sizeof(Cluster); }
  static constexpr u64 bytes_of_lefts(u64 count) {
    return count * sizeof(Cluster) + (count + 1) * sizeof(Before);
  }
  static constexpr u64 bytes_of_places(u64 count) {
    return count * 2 * sizeof(u32) + (2 * count + 1) * sizeof(u8);
  }
  static_assert(2 * sizeof(u64) + sizeof(u32) <= sizeof(Cluster), "sorting fits where lefts are");
  static_assert(2 * sizeof(u32) <= sizeof(Before), "heads and meetings fit where before is");
};

/// A block of memory of at least `bytes` bytes.
template <class Machine>
auto join_block(Machine& machine, u64 bytes) {
  return machine.template make<JoinBytes>((bytes + sizeof(JoinBytes) - 1) / sizeof(JoinBytes));
}

/// Joins elements into trees. `memory` contains their keys, and 0, 1, 2 and so on as their order.
/// `key_bits`: the number of low bits of a key in use. `firsts`: see JoinedView. Afterwards, in the
/// memory of the machine, the cluster at the first place of a tree is its root, and the element of
/// `before` after those of all slots has the numbers of inner nodes and triangles of all trees.
template <class Machine>
JoinedView join_by_keys(Machine& machine, const TriangleView& elements, const JoinMemory& memory,
                        u32 key_bits, const u32* firsts) {
  const u32 count = elements.count;
  const Joints joints{memory.clusters, memory.lefts, memory.next, memory.slots,
                      elements.boxes && elements.ids ? memory.order : nullptr};
  const u64* const keys = memory.keys;
  const u8* const levels = memory.levels;
  machine.stage("sort");
  machine.sort_by_key(memory.keys, memory.order, memory.spare_keys, memory.spare_order, count,
                      key_bits);
  machine.stage("leaves");
  machine.template each<FindLevels>("levels", count, keys, count, firsts, memory.levels);
  machine.template each<MakeLeaves>("leaves", count, elements, levels, memory.order, joints);
  machine.stage("join");
  machine.ones(memory.meetings, count);
  machine.template launch<JoinClusters>(
      "join clusters", blocks_for(count, JoinClusters::kBlockSize), JoinClusters::kBlockSize,
      JoinView{levels, joints, memory.heads, memory.meetings, count});
  machine.stage("number");
  machine.sum_before(static_cast<const u8*>(memory.slots), count, memory.before);
  return {joints, memory.order, memory.before, firsts};
}

/// Joins elements into a tree. May be used many times.
template <class Machine>
class Joining {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  explicit Joining(Machine& machine)
      : machine_(machine),
        centers_(machine.template make<OrderedBounds>(1)),
        grid_(machine.template make<KeyGrid>(1)) {}

  /// Computes the grid from which keys are made in all later joins. Requires at least one triangle.
  void find_grid(const TriangleView& triangles) {
    machine_.stage("keys");
    machine_.zero(centers_);
    const u32 blocks = blocks_for(triangles.count, FindCenters::kBlockSize);
    machine_.template launch<FindCenters>(
        "find centres", blocks < FindCenters::kMostBlocks ? blocks : FindCenters::kMostBlocks,
        FindCenters::kBlockSize, triangles, centers_.data());
    machine_.template each<MakeGrid>("grid of keys", 1, centers(), grid_.data());
  }

  /// The grid, in the memory of the machine.
  const KeyGrid* grid() const { return grid_.data(); }
  /// The bounds of the centres of the triangles, in the memory of the machine.
  const OrderedBounds* centers() const { return centers_.data(); }

  /// Joins elements into a tree. `memory`: the memory for all intermediate results and the tree.
  JoinedView join(const TriangleView& elements, const JoinMemory& memory) {
    machine_.stage("keys");
    machine_.template each<MakeKeys>("keys", elements.count, elements, grid(), memory.keys,
                                     memory.order);
    return join_by_keys(machine_, elements, memory, kKeyBits, nullptr);
  }

 private:
  Machine& machine_;
  Buffer<OrderedBounds> centers_;
  Buffer<KeyGrid> grid_;
};

}  // namespace ballotcast::detail::ploc
