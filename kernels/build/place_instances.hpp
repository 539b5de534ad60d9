// The first steps of building trees over instances on a machine: boxes, bounds and keys.
//
//   TakeTransforms -> PlaceInstances -> MakeWorldGrid -> MakeEntryKey     see moving_worlds.hpp
#pragma once

#include "kernels/build/make_keys.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// The WorldEntries of a scene, in the memory of a machine. An entry is an instance in a world.
struct WorldEntriesView {
  const u32* instances;  // for each entry: the index of its instance
  const u32* worlds;     // for each entry: its world
  const u32* firsts;     // for each entry: the first entry of its world
  const u32* ends;       // for each world: the entry behind its last entry
  u32 count;             // number of entries
};

/// Facts about a world that are collected while its tree is built. Starts as zeros.
struct WorldNotes {
  // The bounds of the centres of the boxes of instances that can be hit.
  ploc::OrderedBounds centers;
  // The largest InstanceBounds of the world, as bits: atomics compare floats of one sign as
  // integers.
  u32 magnitude, slack, least_slope;
  u32 balanced;  // 1: the joined tree is too deep, so the world gets a balanced tree

  BC_HD bool empty() const { return least_slope == 0u; }
};

/// Copies the transforms that the caller has set.
struct TakeTransforms {
  BC_HD static void item(u32 i, const Transform* from, SceneInstance* instances) {
    instances[i].to_scene = without_negative_zeros(from[i]);
  }
};

/// Computes the box of each entry and the WorldNotes of each world. The box is empty if no ray can
/// hit the instance.
struct PlaceInstances {
  static constexpr u32 kBlockSize = 128;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, WorldEntriesView entries,
                            const SceneInstance* instances, const Aabb* meshes, Aabb* boxes,
                            WorldNotes* notes) {
    const u32 entry = lane.id();
    const bool exists = entry < entries.count;
    const u32 world = exists ? entries.worlds[entry] : 0u;
    u32 most[9] = {};
    if (exists) {
      const SceneInstance& instance = instances[entries.instances[entry]];
      boxes[entry] = placed(instance, meshes[instance.mesh], most);
    }
    // If all entries of a warp are in one world, the warp needs one set of atomics.
    const u32 world_of_first = lane.shuffle(world, 0u);
    const bool together = lane.all(!exists || world == world_of_first);
    if (together) {
      for (u32 mask = kWarpSize / 2; mask > 0; mask /= 2) {
        BC_UNROLL
        for (u32 k = 0; k < 9; ++k) {
          const u32 other = lane.shuffle_xor(most[k], mask);
          most[k] = most[k] > other ? most[k] : other;
        }
      }
    }
    if (!exists || most[8] == 0u || (together && lane.lane() != 0u)) return;
    WorldNotes& to = notes[world];
    for (u32 k = 0; k < 6; ++k) lane.fetch_max(&to.centers.most[k], most[k]);
    lane.fetch_max(&to.magnitude, most[6]);
    lane.fetch_max(&to.slack, most[7]);
    lane.fetch_max(&to.least_slope, most[8]);
  }

 private:
  /// The box of an instance, empty if it can't be hit. Sets `most` to the values that the instance
  /// adds to WorldNotes: zeros if it can't be hit.
  BC_HD static Aabb placed(const SceneInstance& instance, const Aabb& mesh, u32 (&most)[9]) {
    Aabb box;
    const Transform& transform = instance.to_scene;
    if (hides(transform)) return box;
    const TransformSizes sizes = sizes_of(transform, inverse_of(transform));
    if (defect_of(sizes, largest_magnitude(mesh)) != TransformDefect::none) return box;
    transformed_box(transform, mesh.low, mesh.high, box.low, box.high);
    const vec3 center = ploc::center_of(box);
    const ploc::OrderedBounds at({center, center});
    for (u32 k = 0; k < 6; ++k) most[k] = at.most[k];
    const InstanceBounds bounds = bounds_of(sizes, largest_magnitude(mesh));
    most[6] = bits_of(bounds.magnitude);
    most[7] = bits_of(bounds.slack);
    most[8] = bits_of(bounds.least_slope);
    return box;
  }
};

/// Computes for each world the grid in which its entries get their Morton keys.
struct MakeWorldGrid {
  BC_HD static void item(u32 world, const WorldNotes* notes, ploc::KeyGrid* grids) {
    const ploc::OrderedBounds& centers = notes[world].centers;
    grids[world] = notes[world].empty() ? ploc::key_grid(vec3(0.0f), vec3(0.0f))
                                        : ploc::key_grid(centers.low(), centers.high());
  }
};

/// Computes the key of each entry. An instance that can't be hit gets a point as its box, so that
/// trees have a leaf for every entry.
struct MakeEntryKey {
  BC_HD static void item(u32 entry, WorldEntriesView entries, const WorldNotes* notes,
                         const ploc::KeyGrid* grids, Aabb* boxes, u64* keys, u32* order) {
    const u32 world = entries.worlds[entry];
    Aabb& box = boxes[entry];
    if (box.empty()) {
      const vec3 point = notes[world].empty() ? vec3(0.0f) : notes[world].centers.low();
      box = {point, point};
    }
    keys[entry] = ploc::key_in_tree(ploc::key_of(grids[world], ploc::center_of(box)), world);
    order[entry] = entry;
  }
};

}  // namespace ballotcast::detail
