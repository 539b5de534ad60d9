// Joins clusters, from single triangles to the root: H-PLOC (C. Benthin et al., Hierarchical
// Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction, 2024).
//
// The sorted keys form a binary tree: a node is split where its keys differ in the highest bit.
// Each lane starts at a leaf and climbs towards the root. Where two children meet, the first lane
// stops, and the second goes on with the node:
//
//                     meeting 2, named after the last place of the left child
//                    |                |
//        lane 0: comes first      lane 3: comes second, goes on with places 0 .. 4
//        places 0 .. 2            places 3 .. 4
//
// The keys of several trees may lie one behind the other. Then lanes climb to the root of their own
// tree.
//
// In a node of more than kKept places, the whole warp joins clusters until kKept are left. The
// result does not depend on which lane comes second: it depends only on the clusters of both
// children, in the order of their places.
#pragma once

#include "bvh/ploc/cluster.hpp"
#include "bvh/ploc/keys.hpp"
#include "kernels/build/make_keys.hpp"

namespace ballotcast::detail::ploc {

/// The value in JoinView::meetings before a child has arrived.
inline constexpr u32 kNobody = 0xffffffffu;

/// The arrays of JoinClusters. Each has one element per place, which is a position in the sorted
/// keys.
struct JoinView {
  const u8* levels;  // how much neighbouring keys differ: see level_between; the last is kTopLevel
  Joints joints;     // the clusters are leaves at first
  // For each node with more than kKept places: the list of its clusters, from its first place on.
  u32* heads;
  // The far end (first or last place) of the child that arrived first; kNobody before.
  u32* meetings;
  u32 count;  // number of places; at least 1

  /// How much the key of a place differs from the key before it, and from the key after it.
  BC_HD u32 before(u32 place) const { return place > 0 ? levels[place - 1] : kTopLevel; }
  BC_HD u32 after(u32 place) const { return levels[place]; }
};

/// Computes the level of each place from the sorted keys. Joining needs only this byte per place.
struct FindLevels {
  BC_HD static void item(u32 i, const u64* keys, u32 count, const u32* firsts, u8* levels) {
    const u32 first = firsts ? firsts[i] : 0u;
    levels[i] = i + 1u < count ? level_between(keys[i], keys[i + 1u], i - first) : kTopLevel;
  }
};

/// Makes a leaf of each element. From now on, `order` contains ids of triangles. The first slot of
/// each tree, and the slot behind the last slot of all trees, belong to no node.
struct MakeLeaves {
  BC_HD static void item(u32 place, TriangleView view, const u8* levels, u32* order,
                         Joints joints) {
    const u32 element = order[place];
    const Aabb box = view.box(element);
    joints.clusters[place] = leaf_of(place, box.low, box.high);
    order[place] = view.id(element);
    if (place == 0) joints.slots[view.count] = 0;
    if (place == 0 || levels[place - 1] == kTopLevel) joints.slots[place] = 0;
  }
};

struct JoinClusters {
  static constexpr u32 kBlockSize = 128;

  /// The list of clusters that each warp of the block joins.
  struct Shared {
    struct alignas(16) Half {
      float x, y, z;
      u32 word;
    };
    Half low[kBlockSize / kWarpSize][kLongestList], high[kBlockSize / kWarpSize][kLongestList];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, JoinView view) {
    u32 first = lane.id(), last = first, split = first;
    const bool exists = first < view.count;
    u32 before = exists ? view.before(first) : 0, after = exists ? view.after(last) : 0;
    const auto at_root = [&] { return before == kTopLevel && after == kTopLevel; };
    bool climbs = exists && !at_root();
    while (lane.any(climbs)) {
      bool joins = false;
      if (climbs) {
        const bool from_left = after < before;
        split = from_left ? last : first - 1u;
        // The lane from the other child may read what was stored.
        if (last - first >= kKept) lane.fence();
        const u32 far_end = lane.exchange(&view.meetings[split], from_left ? first : last);
        climbs = far_end != kNobody;
        if (climbs) {
          (from_left ? last : first) = far_end;
          if (from_left)
            after = view.after(last);
          else
            before = view.before(first);
          climbs = !at_root();
          joins = last - first >= kKept || !climbs;
          if (joins) lane.fence();  // so that this lane reads what the other child's lane stored
        }
      }
      for (u32 waiting = lane.ballot(joins); waiting != 0; waiting &= waiting - 1u) {
        const u32 who = lowest_bit(waiting);
        join_node(lane, shared, view, lane.shuffle(first, who), lane.shuffle(split, who),
                  lane.shuffle(last, who));
      }
    }
  }

 private:
  /// Joins the clusters of a node. Its children are the places [first, split] and [split + 1,
  /// last]. All lanes of the warp call this with the same node.
  template <class Lane>
  BC_DEVICE static void join_node(Lane& lane, Shared& shared, const JoinView& view, u32 first,
                                  u32 split, u32 last) {
    lane.sync_warp();  // the climbing lane has seen the other child's stores; now all lanes do
    u32 size = load_list(lane, shared, view, first, split, last);
    const bool at_root = view.before(first) == kTopLevel && view.after(last) == kTopLevel;
    const u32 wanted = at_root ? 1u : kKept;
    while (size > wanted) size = join_pairs(lane, shared, view, size);
    const u32 i = lane.lane();
    if (i < kKept && i <= last - first)
      view.heads[first + i] = i < size ? head_of(get(shared, lane.warp(), i)) : kNowhere;
    lane.sync_warp();
  }

  /// Loads the clusters of both children into the list. Returns the size of the list.
  template <class Lane>
  BC_DEVICE static u32 load_list(Lane& lane, Shared& shared, const JoinView& view, u32 first,
                                 u32 split, u32 last) {
    const bool right = lane.lane() >= kKept;
    const u32 from = right ? split + 1u : first, to = right ? last : split;
    const u32 i = lane.lane() % kKept;
    bool there = i <= to - from;
    u32 head = from + i;
    // For smaller nodes no list is stored: each place is a cluster.
    if (there && to - from >= kKept) {
      head = view.heads[head];
      there = head != kNowhere;
    }
    const u32 all = lane.ballot(there);
    if (there)
      put(shared, lane.warp(), count_bits(all & lane.lanes_below()), view.joints.clusters[head]);
    lane.sync_warp();
    return count_bits(all);
  }

  /// Joins all pairs of clusters of which each is the best partner of the other within kRadius
  /// positions. Returns the new size of the list.
  template <class Lane>
  BC_DEVICE static u32 join_pairs(Lane& lane, Shared& shared, const JoinView& view, u32 size) {
    const u32 i = lane.lane(), warp = lane.warp();
    const bool mine = i < size;
    Cluster own = get(shared, warp, i);
    u32 best = kNoPair, partner = i;
    BC_UNROLL
    for (u32 distance = 1; distance <= kRadius; ++distance) {
      u32 rank = kNoPair;
      if (i + distance < size)
        rank = rank_of_pair(joined_area(own, get(shared, warp, i + distance)), distance,
                            i / distance & 1u);
      if (rank < best) best = rank, partner = i + distance;
      const u32 rank_below = lane.shuffle_up(rank, distance);
      if (i >= distance && rank_below < best) best = rank_below, partner = i - distance;
    }
    const u32 best_of_partner = lane.shuffle(best, partner);
    const bool mutual = mine && best_of_partner == best;
    if (mutual && partner > i) own = joined(own, get(shared, warp, partner), view.joints);
    const bool stays = mine && (!mutual || partner > i);
    const u32 all = lane.ballot(stays);
    lane.sync_warp();  // all lanes have read the list
    if (stays) put(shared, warp, count_bits(all & lane.lanes_below()), own);
    lane.sync_warp();
    return count_bits(all);
  }

  BC_DEVICE static Cluster get(const Shared& shared, u32 warp, u32 i) {
    const auto low = shared.low[warp][i], high = shared.high[warp][i];
    return {{low.x, low.y, low.z}, low.word, {high.x, high.y, high.z}, high.word};
  }
  BC_DEVICE static void put(Shared& shared, u32 warp, u32 i, const Cluster& c) {
    shared.low[warp][i] = {c.low.x, c.low.y, c.low.z, c.mark};
    shared.high[warp][i] = {c.high.x, c.high.y, c.high.z, c.link};
  }
};

}  // namespace ballotcast::detail::ploc
