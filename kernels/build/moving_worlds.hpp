// Rebuilds the trees over instances that move, for all worlds at once, in the memory of a machine.
// A world is a group of instances that has a tree of its own. All work is only enqueued: nothing
// waits or allocates, so the work may be captured in a CUDA graph.
//
//  transforms --> boxes, bounds of --> keys: world, --> sort, join --> nodes of the layout,
//                 each world           place in it      (joining.hpp)  WalkInstances, WorldTrees
//
// The trees equal those of builder ploc. If a world's tree would be too deep for the stacks of
// walks, the world gets a balanced tree over the sorted instances instead. Rays have the same hits
// with both trees.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/build/arrange.hpp"
#include "kernels/build/joining.hpp"
#include "kernels/build/place_instances.hpp"
#include "scene/instances/instances.hpp"

namespace ballotcast::detail {

/// Stores what walks must know about a world, except for the nodes of its tree.
template <class Layout>
struct StoreWorld {
  BC_HD static void item(u32 world, WorldEntriesView entries, ploc::JoinedView joined, u32 deepest,
                         WorldNotes* notes, WorldTree* worlds) {
    const u32 first = world > 0u ? entries.ends[world - 1u] : 0u, end = entries.ends[world];
    WorldNotes& note = notes[world];
    if (first == end || note.empty()) {
      worlds[world] = empty_world();
      return;
    }
    const ploc::Cluster& root = joined.joints.clusters[first];
    u32 depth = ploc::height_of(root);
    note.balanced = depth > deepest ? 1u : 0u;
    u32 reference = first;
    if (is_leaf(root) && !Layout::kRootIsNode) {
      reference = leaf_reference(first, triangles_of(root));
    } else if (note.balanced != 0u) {
      reference = first + (end - first) / 2u;
      for (depth = 1u; (1u << depth) < end - first;) ++depth;
    }
    const auto encoder = ploc::encoder_for<Layout>(Aabb{root.low, root.high});
    WorldTree& to = worlds[world];
    to = {{encoder.shape(reference, depth), float_of(note.magnitude)},
          float_of(note.slack),
          float_of(note.least_slope)};
    to.frame.shape.root = reference;  // layouts whose root is always node 0 have not stored it
  }
};

/// Stores the nodes of the worlds' trees, and the instances in their leaves.
template <class Layout>
struct StoreUpperNode {
  using Node = typename Layout::Node;
  using Encoder = typename Layout::Encoder;

  BC_HD static void item(u32 slot, WorldEntriesView entries, ploc::JoinedView joined,
                         const WorldNotes* notes, const Aabb* boxes, Node* nodes,
                         u32* leaf_entries) {
    const u32 first = joined.first(slot), world = entries.worlds[slot];
    const ploc::Cluster& root = joined.joints.clusters[first];
    const Encoder encoder = ploc::encoder_for<Layout>(Aabb{root.low, root.high});
    if (notes[world].balanced != 0u) {
      leaf_entries[slot] = joined.order[slot];
      store_balanced(encoder, slot, first, entries.ends[world], joined.order, boxes, nodes);
      return;
    }
    if (slot == first) {
      if (is_leaf(root) && Layout::kRootIsNode)
        encoder.store(nodes, first, ploc::encoded(joined.root(first)), no_child());
      encoder.link(nodes, first, first);
    }
    if (joined.has(slot))
      ploc::store_node<Layout>(encoder, nodes, joined.number(slot),
                               ploc::encoded(joined.left(slot)), ploc::encoded(joined.right(slot)));
    StoreOrder::item(slot, joined, leaf_entries);
  }

 private:
  /// Stores a node of the balanced tree. Each slot except the first is the middle of exactly one
  /// range of places, and is the number of the node that halves this range.
  BC_HD static void store_balanced(const Encoder& encoder, u32 slot, u32 first, u32 end,
                                   const u32* order, const Aabb* boxes, Node* nodes) {
    const auto middle = [](u32 low, u32 high) { return low + (high - low) / 2u; };
    if (slot == first) {
      encoder.link(nodes, middle(first, end), middle(first, end));
      return;
    }
    u32 low = first, high = end;
    while (middle(low, high) != slot) (slot < middle(low, high) ? high : low) = middle(low, high);
    const auto child = [&](u32 from, u32 to) -> EncodedChild {
      Aabb box;
      for (u32 place = from; place < to; ++place) box.include(boxes[order[place]]);
      return {box.low, box.high, to - from == 1u ? leaf_reference(from, 1u) : middle(from, to)};
    };
    ploc::store_node<Layout>(encoder, nodes, slot, child(low, slot), child(slot, high));
  }
};

/// The instances whose transforms cannot be used. (On the host, such transforms are refused.)
struct UnusableInstances {
  u32 count;
  // The smallest index of such an instance, with all bits inverted, so that an atomic maximum finds
  // it.
  u32 first_inverted;
};

/// For each instance in leaf order: stores what a ray needs to enter it, and the transform back to
/// the scene.
struct StoreWalkInstance {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 place, WorldEntriesView entries, const u32* leaf_entries,
                         const SceneInstance* instances, const Aabb* meshes,
                         const WorldNotes* notes, WalkInstance* to, Transform* to_scene,
                         UnusableInstances* unusable) {
    const u32 index = entries.instances[leaf_entries[place]];
    const SceneInstance& instance = instances[index];
    WalkInstance walk = walk_instance(instance, index);
    if (!hides(instance.to_scene)) {
      const TransformSizes sizes = sizes_of(instance.to_scene, walk.to_mesh);
      const float magnitude = float_of(notes[entries.worlds[place]].magnitude);
      if (defect_of(sizes, largest_magnitude(meshes[instance.mesh])) != TransformDefect::none ||
          !fits_in(sizes, magnitude)) {
        walk.to_mesh = kHidden;
        lane.fetch_add(&unusable->count, 1u);
        lane.fetch_max(&unusable->first_inverted, ~index);
      }
    }
    to[place] = walk;
    to_scene[place] = instance.to_scene;
  }
};

/// The trees over the instances of all worlds, in the memory of a machine.
template <class Machine>
class MovingWorlds {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// Allocates all memory that `follow` needs. `meshes`: the boxes of the scene's meshes. A world
  /// whose tree would be deeper than `deepest` gets a balanced tree.
  MovingWorlds(Machine& machine, const WorldEntries& entries, const std::vector<Aabb>& meshes,
               u32 deepest)
      : count_(static_cast<u32>(entries.instances.size())),
        world_count_(entries.world_count()),
        deepest_(deepest),
        instances_(machine.upload(entries.instances.data(), count_)),
        ends_(machine.upload(entries.firsts.data() + 1, world_count_)),
        meshes_(machine.upload(meshes.data(), meshes.size())),
        boxes_(machine.template make<Aabb>(count_)),
        leaf_entries_(machine.template make<u32>(count_)),
        notes_(machine.template make<WorldNotes>(world_count_)),
        grids_(machine.template make<ploc::KeyGrid>(world_count_)),
        unusable_(machine.template make<UnusableInstances>(1)),
        clusters_(ploc::join_block(machine, ploc::JoinMemory::bytes_of_clusters(count_))),
        lefts_(ploc::join_block(machine, ploc::JoinMemory::bytes_of_lefts(count_))),
        places_(ploc::join_block(machine, ploc::JoinMemory::bytes_of_places(count_))) {
    std::vector<u32> worlds, firsts;
    for (u32 w = 0; w < world_count_; ++w) {
      worlds.resize(entries.firsts[w + 1], w);
      firsts.resize(entries.firsts[w + 1], entries.firsts[w]);
    }
    worlds_ = machine.upload(worlds.data(), count_);
    firsts_ = machine.upload(firsts.data(), count_);
    machine.zero(unusable_);
  }

  u32 entries() const { return count_; }
  /// The number of bits of a key that are sorted: those of ploc, and the bits of the world.
  u32 key_bits() const {
    u32 bits = ploc::kKeyBits;
    for (u32 most = world_count_ - 1u; most > 0u; most >>= 1) ++bits;
    return bits;
  }

  /// Rebuilds all trees. `nodes`, `walks` and `to_scene` have one element per entry (an instance in
  /// a world), `worlds` one per world.
  template <class Layout>
  void follow(Machine& machine, const SceneInstance* instances, typename Layout::Node* nodes,
              WalkInstance* walks, Transform* to_scene, WorldTree* worlds) {
    if (count_ == 0) return;
    const WorldEntriesView entries{instances_.data(), worlds_.data(), firsts_.data(), ends_.data(),
                                   count_};
    const ploc::JoinMemory memory(clusters_.data(), lefts_.data(), places_.data(), count_);
    const Aabb* const boxes = boxes_.data();
    const WorldNotes* const notes = notes_.data();
    machine.stage("place instances");
    machine.zero(notes_);
    machine.zero(unusable_);
    machine.template launch<PlaceInstances>(
        "place instances", blocks_for(count_, PlaceInstances::kBlockSize),
        PlaceInstances::kBlockSize, entries, instances, static_cast<const Aabb*>(meshes_.data()),
        boxes_.data(), notes_.data());
    machine.template each<MakeWorldGrid>("grids of keys", world_count_, notes, grids_.data());
    machine.template each<MakeEntryKey>("keys", count_, entries, notes,
                                        static_cast<const ploc::KeyGrid*>(grids_.data()),
                                        boxes_.data(), memory.keys, memory.order);
    const ploc::TriangleView elements{nullptr, nullptr, nullptr, count_, boxes};
    const ploc::JoinedView joined =
        ploc::join_by_keys(machine, elements, memory, key_bits(), entries.firsts);
    machine.stage("store trees");
    machine.template each<StoreWorld<Layout>>("store worlds", world_count_, entries, joined,
                                              deepest_, notes_.data(), worlds);
    machine.template each<StoreUpperNode<Layout>>("store nodes", count_, entries, joined, notes,
                                                  boxes, nodes, leaf_entries_.data());
    machine.template each_lane<StoreWalkInstance>(
        "store instances", count_, entries, static_cast<const u32*>(leaf_entries_.data()),
        instances, static_cast<const Aabb*>(meshes_.data()), notes, walks, to_scene,
        unusable_.data());
  }

  /// The instances that the last `follow` could not use, in the memory of the machine.
  const UnusableInstances* unusable() const { return unusable_.data(); }

 private:
  const u32 count_, world_count_, deepest_;
  Buffer<u32> instances_, worlds_, firsts_, ends_;  // WorldEntriesView
  Buffer<Aabb> meshes_, boxes_;
  Buffer<u32> leaf_entries_;
  Buffer<WorldNotes> notes_;
  Buffer<ploc::KeyGrid> grids_;
  Buffer<UnusableInstances> unusable_;
  Buffer<ploc::JoinBytes> clusters_, lefts_, places_;  // the memory of JoinMemory
};

}  // namespace ballotcast::detail
