#include "bvh/ploc/host_join.hpp"

#include <algorithm>
#include <mutex>

#include "bvh/host_build_machine.hpp"
#include "support/give_back.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::ploc {

namespace {

constexpr u32 kGrain = 4096;                // triangles per task
constexpr u32 kJoinInParallelAbove = 8192;  // triangles; one thread builds smaller subtrees

/// Says whether the pair of elements i and i + r + 1 starts at an odd multiple of r + 1; see
/// rank_of_pair.
struct OddStarts {
  i32 odd[kRadius][kLongestList];

  constexpr OddStarts() : odd() {
    for (u32 r = 0; r < kRadius; ++r)
      for (u32 i = 0; i < kLongestList; ++i) odd[r][i] = static_cast<i32>(i / (r + 1) & 1u);
  }
};
constexpr OddStarts kOddStarts;

/// A list of clusters in the order of their heads. Neighbours in the list are joined.
class List {
 public:
  explicit List(const Joints& joints) : joints_(joints) {}

  u32 size() const { return size_; }
  const Cluster& operator[](u32 i) const { return clusters_[i]; }
  void add(u32 head) { clusters_[size_++] = joints_.clusters[head]; }

  /// Joins all pairs of clusters for which each is the best partner of the other within kRadius.
  void join_pairs() {
    find_best();
    u32 kept = 0;
    for (u32 i = 0; i < size_; ++i) {
      const u32 partner = partner_of(i);
      const bool mutual = best_[partner] == best_[i];
      if (mutual && partner < i) continue;
      clusters_[kept++] = mutual ? joined(clusters_[i], clusters_[partner], joints_) : clusters_[i];
    }
    size_ = kept;
  }

 private:
  /// Finds, for each cluster, the best rank of all pairs to which it belongs.
  void find_best() {
    float low[3][kLongestList], high[3][kLongestList];
    for (u32 i = 0; i < size_; ++i) {
      const Cluster& c = clusters_[i];
      low[0][i] = c.low.x, low[1][i] = c.low.y, low[2][i] = c.low.z;
      high[0][i] = c.high.x, high[1][i] = c.high.y, high[2][i] = c.high.z;
    }
    std::fill_n(best_, size_, static_cast<i32>(kNoPair));
    i32 ranks[kLongestList];
    for (u32 distance = 1; distance <= kRadius && distance < size_; ++distance) {
      const u32 pairs = size_ - distance;
      for (u32 i = 0; i < pairs; ++i) {
        const u32 j = i + distance;
        const vec3 l = {min_of(low[0][i], low[0][j]), min_of(low[1][i], low[1][j]),
                        min_of(low[2][i], low[2][j])};
        const vec3 h = {max_of(high[0][i], high[0][j]), max_of(high[1][i], high[1][j]),
                        max_of(high[2][i], high[2][j])};
        ranks[i] = static_cast<i32>(rank_of_pair(
            half_area_of(l, h), distance, static_cast<u32>(kOddStarts.odd[distance - 1][i])));
      }
      for (u32 i = 0; i < pairs; ++i) best_[i] = std::min(best_[i], ranks[i]);
      for (u32 i = 0; i < pairs; ++i) best_[i + distance] = std::min(best_[i + distance], ranks[i]);
    }
  }

  /// The partner of cluster `i` in its best pair.
  u32 partner_of(u32 i) const {
    const u32 rank = static_cast<u32>(best_[i]), distance = distance_of_rank(rank);
    return odd_of_rank(rank) == (i / distance & 1u) ? i + distance : i - distance;
  }

  const Joints joints_;
  u32 size_ = 0;
  Cluster clusters_[kLongestList];
  i32 best_[kLongestList];
};

class Join {
 public:
  Join(const TriangleView& elements, const KeyGrid& grid, const Progress& report)
      : elements_(elements), grid_(grid), report_(report), count_(elements.count) {}

  JoinedClusters run() {
    sort();
    out_.clusters = std::make_unique_for_overwrite<Cluster[]>(count_);
    out_.lefts = std::make_unique_for_overwrite<Cluster[]>(count_);
    out_.next = std::make_unique_for_overwrite<u32[]>(count_);
    out_.slots = std::make_unique_for_overwrite<u8[]>(count_);
    out_.slots[0] = 0;
    heads_ = std::make_unique_for_overwrite<u32[]>(count_);
    for_each_range<u32>(count_, kGrain, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) {
        const u32 element = out_.order[i];
        const Aabb box = elements_.box(element);
        out_.clusters[i] = leaf_of(i, box.low, box.high);
        out_.order[i] = elements_.id(element);
      }
    });
    if (count_ > 1) join(0, count_ - 1);
    return std::move(out_);
  }

 private:
  /// Sorts the elements by their keys.
  void sort() {
    out_.order.resize(count_);
    keys_.resize(count_);
    for_each_range<u32>(count_, kGrain, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) {
        out_.order[i] = i;
        keys_[i] = key_of(grid_, elements_, i);
      }
    });
    sort_by_key(keys_, out_.order, kKeyBits);
  }

  /// The places [first, last] are a node of the tree of keys. Returns the last place of its left
  /// child: the place whose key differs most from the next key.
  u32 split_of(u32 first, u32 last) const {
    if (keys_[first] == keys_[last]) {
      const u64 bit = u64{1} << highest_bit(first ^ last);
      return static_cast<u32>((last & ~(bit - 1u)) - 1u);
    }
    const u64 bit = u64{1} << highest_bit(keys_[first] ^ keys_[last]);
    const u64* const above = std::partition_point(keys_.data() + first, keys_.data() + last,
                                                  [bit](u64 key) { return (key & bit) == 0; });
    return static_cast<u32>(above - keys_.data()) - 1u;
  }

  /// Joins the clusters in the places [first, last] until kKept clusters are left, or one at the
  /// root.
  void join(u32 first, u32 last) {
    const u32 size = last - first + 1;
    const bool root = size == count_;
    if (size <= kKept && !root) return;
    const u32 split = split_of(first, last);
    const auto left = [&] { join(first, split); };
    const auto right = [&] { join(split + 1, last); };
    if (size > kJoinInParallelAbove) {
      in_parallel(left, right);
    } else {
      left();
      right();
    }
    List list(joints());
    for (const auto& [from, to] : {std::pair{first, split}, {split + 1, last}})
      for (u32 i = from; i <= to && i < from + kKept; ++i) {
        // If there are fewer places than kKept, they were not joined before: each is a separate
        // cluster, and no list is stored.
        const u32 head = to - from < kKept ? i : heads_[i];
        if (head == kNowhere) break;
        list.add(head);
      }
    while (list.size() > (root ? 1u : kKept)) list.join_pairs();
    for (u32 i = 0; i < kKept && i < size; ++i)
      heads_[first + i] = i < list.size() ? head_of(list[i]) : kNowhere;
    if (report_ && size > kJoinInParallelAbove) tell(size);
  }

  Joints joints() {
    return {out_.clusters.get(), out_.lefts.get(), out_.next.get(), out_.slots.get(),
            elements_.boxes ? out_.order.data() : nullptr};
  }

  /// Reports progress as the size of the largest finished subtree.
  void tell(u32 size) {
    const std::lock_guard lock(report_mutex_);
    most_done_ = std::max(most_done_, size);
    report_(most_done_, count_);
  }

  const TriangleView& elements_;
  const KeyGrid& grid_;
  const Progress& report_;
  const u32 count_;
  JoinedClusters out_;
  std::vector<u64> keys_;
  // The heads of the clusters of each node of the tree of keys, stored from the first place of the
  // node on
  std::unique_ptr<u32[]> heads_;
  std::mutex report_mutex_;
  u32 most_done_ = 0;
};

}  // namespace

KeyGrid grid_of(const TriangleView& triangles) {
  const Aabb centers = reduce_ranges<u32>(
      0, triangles.count, kGrain, Aabb{},
      [&](u32 begin, u32 end, Aabb box) {
        for (u32 i = begin; i < end; ++i) box.include(center_of(triangles.box(i)));
        return box;
      },
      [](Aabb a, const Aabb& b) {
        a.include(b);
        return a;
      });
  return key_grid(centers.low, centers.high);
}

JoinedClusters join_on_host(const TriangleView& elements, const KeyGrid& grid,
                            const Progress& report) {
  return Join(elements, grid, report).run();
}

BinaryTree tree_of(JoinedClusters joined) {
  const auto count = static_cast<u32>(joined.order.size());
  HostBuildMachine machine;
  const auto before = std::make_unique_for_overwrite<Before[]>(count + 1);
  machine.sum_before(joined.slots.get(), count, before.get());
  const JoinedView view{
      {joined.clusters.get(), joined.lefts.get(), joined.next.get(), joined.slots.get()},
      joined.order.data(),
      before.get()};
  BinaryTree tree;
  tree.depth = height_of(joined.root());
  tree.order.resize(count);
  const std::size_t nodes = 2 * std::size_t{before[count].inner} + 1;
  tree.nodes.reserve(nodes);
  // Clusters are read once and in order, except for the root. Nodes are written in the same order,
  // except for the root's children. So the memory of clusters can be freed while that of nodes
  // grows. Otherwise both arrays together would be the peak memory of a build.
  constexpr u32 kBlock = 1 << 18;  // places; the memory of their clusters is freed together
  for (u32 begin = 0; begin < count; begin += kBlock) {
    const u32 block = std::min(kBlock, count - begin);
    tree.nodes.resize(std::min(nodes, 2 * std::size_t{before[begin + block].inner} + 3));
    for_each_range<u32>(block, kGrain, [&](u32 from, u32 to) {
      for (u32 slot = begin + from; slot < begin + to; ++slot) {
        StoreTree::item(slot, view, tree.nodes.data());
        StoreOrder::item(slot, view, tree.order.data());
      }
    });
    const u32 kept = begin == 0 ? 1 : 0;
    give_back_pages(&joined.clusters[begin + kept], (block - kept) * sizeof(Cluster));
    give_back_pages(&joined.lefts[begin], block * sizeof(Cluster));
  }
  return tree;
}

}  // namespace ballotcast::detail::ploc
