// Strategies cluster and red-async: blocks of a cluster add up in the shared memory of one of them.
//
// A cluster is a few blocks that run at the same time and reach each other's shared memory (compute
// capability 9.0). Its first block has the counter; one atomic on global memory adds that up.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// How many blocks a cluster has on a GPU: the most that every GPU with clusters can run.
inline constexpr u32 kClusterBlocks = 8;

/// The oldest compute capability that has clusters, times 10.
inline constexpr u32 kOldestWithClusters = 90;

/// A sum in the shared memory of the first block, and how it knows that all blocks have added.
struct ClusterSum {
  u64 arrived;  // a barrier that counts bytes
  u32 sum;
};

/// What lanes of a cluster do together. This is a cluster of one block, as emulated lanes have. The
/// clusters of a GPU are in backends/cuda/clusters.cuh.
template <class Lane>
struct Cluster {
  BC_DEVICE static bool is_first() { return true; }
  /// A barrier of the cluster in two halves: what a lane stored before it arrived is there for all
  /// that have waited.
  BC_DEVICE static void arrive(Lane&) {}
  BC_DEVICE static void wait(Lane& lane) { lane.sync_block(); }
  /// Adds to the sum of the first block.
  BC_DEVICE static void add(ClusterSum& own, u32 value) { own.sum += value; }
  /// The same, but it does not wait. Each block must call begin() before, between the barriers of
  /// the cluster, and then this once.
  BC_DEVICE static void begin(ClusterSum&) {}
  BC_DEVICE static void add_later(ClusterSum& own, u32 value) { own.sum += value; }
  /// Waits in the first block until all have added.
  BC_DEVICE static void wait_for_sum(ClusterSum&) {}
};

/// Each block counts at a barrier and adds the number to the counter of its cluster; a barrier of
/// the cluster; then the first block adds the sum up. Cost: three barriers per block, two of them
/// of the cluster, and at most one atomic per block in shared memory and one per cluster.
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

/// The same, but adding completes by itself, and only the first block waits for it.
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
