// Strategies cluster and red-async: the blocks of a cluster add to a counter in the shared memory
// of its first block, which then adds the sum to global memory by one atomic.
//
// A thread block cluster is a group of blocks that run at the same time and can access each other's
// shared memory (compute capability 9.0 and later).
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The number of blocks of a cluster on a GPU: the most that every GPU with clusters supports.
inline constexpr u32 kClusterBlocks = 8;

/// The lowest compute capability that has clusters, times 10.
inline constexpr u32 kOldestWithClusters = 90;

/// The shared memory of a block of a cluster. Only the members of the first block are the sum of
/// the cluster, and a barrier at which this block waits for all additions.
struct ClusterSum {
  u64 arrived;  // an mbarrier, which counts the bytes of additions that have arrived
  u32 sum;
};

/// The operations of a cluster. This template is for emulated lanes, where a cluster has one block;
/// the specialization for GPUs is in backends/cuda/clusters.cuh.
template <class Lane>
struct Cluster {
  /// True in the first block of the cluster.
  BC_DEVICE static bool is_first() { return true; }
  /// arrive() and wait() are the two halves of a barrier of the cluster: what any lane has stored
  /// before arrive() is visible to all lanes of the cluster after wait().
  BC_DEVICE static void arrive(Lane&) {}
  BC_DEVICE static void wait(Lane& lane) { lane.sync_block(); }
  /// Adds `value` to the sum of the first block.
  BC_DEVICE static void add(ClusterSum& own, u32 value) { own.sum += value; }
  /// Prepares add_later(). One lane of each block must call it before a barrier of the cluster.
  BC_DEVICE static void begin(ClusterSum&) {}
  /// Adds `value` to the sum of the first block, asynchronously. Each block must call it once,
  /// after the barrier.
  BC_DEVICE static void add_later(ClusterSum& own, u32 value) { own.sum += value; }
  /// Waits in the first block until the additions of all blocks have arrived.
  BC_DEVICE static void wait_for_sum(ClusterSum&) {}
};

/// Each block counts its lanes that hit at a barrier, and adds the number to the counter of its
/// cluster. After a barrier of the cluster, the first block adds the sum to global memory. Cost:
/// three barriers per block, two of them of the cluster, at most one atomic per block on shared
/// memory, and at most one per cluster on global memory.
struct ClusterCount {
  static constexpr StrategyInfo info{"cluster",
                                     Use::report,
                                     CounterMeaning::rays,
                                     AtomicsPer::cluster,
                                     "a counter in shared memory of 8 blocks; one atomic per 8",
                                     1,
                                     kOldestWithClusters};
  using Shared = ClusterSum;

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    using Here = Cluster<Lane>;
    if (lane.thread() == 0u) shared.sum = 0u;
    Here::arrive(lane);
    const u32 ayes = lane.block_count(staged);
    Here::wait(lane);
    if (lane.thread() == 0u && ayes != 0u) Here::add(shared, ayes);
    Here::arrive(lane);
    Here::wait(lane);
    if (lane.thread() == 0u && Here::is_first() && shared.sum != 0u)
      lane.fetch_add(counter.value, shared.sum);
  }
};

/// As ClusterCount, but additions to the counter of the cluster complete asynchronously, and only
/// the first block waits for them, instead of all blocks at a second barrier of the cluster.
struct RedAsync {
  static constexpr StrategyInfo info{"red-async",
                                     Use::report,
                                     CounterMeaning::rays,
                                     AtomicsPer::cluster,
                                     "as cluster, by additions that only their receiver waits for",
                                     1,
                                     kOldestWithClusters};
  using Shared = ClusterSum;

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    using Here = Cluster<Lane>;
    if (lane.thread() == 0u) {
      shared.sum = 0u;
      Here::begin(shared);
    }
    Here::arrive(lane);
    const u32 ayes = lane.block_count(staged);
    Here::wait(lane);
    if (lane.thread() != 0u) return;
    Here::add_later(shared, ayes);
    if (!Here::is_first()) return;
    Here::wait_for_sum(shared);
    const u32 sum = lane.load(&shared.sum);
    if (sum != 0u) lane.fetch_add(counter.value, sum);
  }
};

}  // namespace ballotcast::detail
