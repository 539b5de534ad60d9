// A warp walks through the tree with 64 rays that start at one point, as one group.
//
// Neighbouring rays of a picture visit much the same nodes. If each lane walks with a ray of its
// own, all lanes test the same boxes. Here the lanes test different boxes, each for the whole group
// at once; only the boxes of leaves are tested for each ray:
//
//   one stack per warp     [ root side ..... | C | B | A ]         A is the nearest
//
//   if A is a node:        up to four nodes are taken. Eight lanes share a node: they look at what
//                          lies three levels below it (three_levels.hpp). A lane pushes its box if
//                          some ray of the group may enter it. The lanes share which boxes are
//                          pushed, so each lane knows how many lie below its own.
//
//   if A is a leaf:        each ray tests the box of A, and then A's triangles
//
// A group over many small triangles gains nothing from this: most boxes that the group enters are
// entered by no ray. Such a group gives up, and its rays go on one per lane; see groups.hpp.
#pragma once

#include "geometry/frustum.hpp"
#include "kernels/lane.hpp"
#include "kernels/pipelines/warp/three_levels.hpp"

namespace ballotcast::detail {

inline constexpr u32 kGroupRays = 64;

/// How the walk of a group ended. `unfit`: it did not begin, and no hit is stored. `unfinished`: it
/// gave up; the best hits so far are stored.
enum class GroupEnd : u32 { done, unfit, unfinished };

/// What the lanes of a warp share while they walk as a group.
template <class Layout>
struct GroupView {
  typename Layout::Sight sight;
  Frustum frustum;
  vec3 origin;  // in the order kx, ky, kz
  float t_min;
  GroupSigns signs;
};

template <class View>
class GroupWalk {
 public:
  using Layout = typename View::LayoutType;
  static constexpr u32 kStack = 128;
  static constexpr u32 kStackWords = 3 * kStack;  // of a warp
  static_assert(sizeof(GroupView<Layout>) < kWarpSize * sizeof(u32));

  /// `shared`: 31 words, `stack`: kStackWords words, both of this warp alone.
  BC_DEVICE GroupWalk(u32* shared, u32* stack)
      : group_(*reinterpret_cast<GroupView<Layout>*>(shared)),
        references_(stack),
        entries_(reinterpret_cast<i32*>(stack + kStack)),
        slots_(stack + 2 * kStack) {}

  /// Casts the rays from `first` on. The group gives up when its leaves and rounds have cost more
  /// than `patience`. All lanes of the warp must call this.
  template <class Lane>
  BC_DEVICE GroupEnd run(Lane& lane, const View& view, const RayBatch<Layout>& batch, u32 first,
                         i32 patience) {
    if (first + kGroupRays > batch.count) return GroupEnd::unfit;
    if (!begin(lane, view, batch, first)) return GroupEnd::unfit;
    const bool done = walk(lane, view, patience);
    batch.hits[first + lane.lane()] = rays_[0].best;
    batch.hits[first + kWarpSize + lane.lane()] = rays_[1].best;
    return done ? GroupEnd::done : GroupEnd::unfinished;
  }

 private:
  /// A ray with its best hit so far: two per lane.
  struct Ours : GroupRay {
    Hit best;
  };

  template <class Lane>
  BC_DEVICE bool begin(Lane& lane, const View& view, const RayBatch<Layout>& batch, u32 first) {
    const WalkFrame frame = view.frame(first);
    if (!is_node(frame.shape.root)) return false;
    const Ray lead = batch.rays[first];
    const u32 kz = longest_axis(lead.direction);
    const bool down_z = component(lead.direction, kz) < 0.0f;
    bool fits = lead.t_min >= 0.0f && !is_far(lead, frame.magnitude);
    u32 ways = 0u;
    RaySetup setup;
    BC_UNROLL
    for (u32 r = 0; r < 2; ++r) {
      const Ray ray = batch.rays[first + r * kWarpSize + lane.lane()];
      setup = make_setup(ray, frame.magnitude);
      const vec3 o = ray.origin;
      fits = fits & setup.valid & (o.x == lead.origin.x) & (o.y == lead.origin.y) &
             (o.z == lead.origin.z) & (ray.t_min == lead.t_min) & (setup.kz == kz) &
             ((setup.sz < 0.0f) == down_z);
      rays_[r] = {group_ray(setup), miss_of(ray)};
      ways |= ways_of(rays_[r]);
    }
    if (!lane.all(fits)) return false;
    const GroupSigns signs = group_signs(kz, lane.reduce_or(ways), down_z);
    for (Ours& ray : rays_) turn_round(ray, signs);
    const Frustum frustum = frustum_of(
        signs,
        [&](auto f) {
          return reduced(either_min(f(rays_[0]), f(rays_[1])),
                         [&](i32 value) { return lane.reduce_min(value); });
        },
        [&](auto f) {
          return reduced(either_max(f(rays_[0]), f(rays_[1])),
                         [&](i32 value) { return lane.reduce_max(value); });
        });
    if (lane.lane() == 0u) {
      const vec3 origin{setup.ox, setup.oy, setup.oz};
      group_ = {Layout::sight_from(origin, signs, setup.slack, frame.shape), frustum, origin,
                lead.t_min, signs};
      references_[0] = frame.shape.root;
      entries_[0] = 0;
      slots_[0] = 0u;
    }
    lane.sync_warp();
    return true;
  }

  /// A float, reduced over the warp as an integer in the order of floats.
  template <class Reduce>
  BC_DEVICE static float reduced(float value, Reduce reduce) {
    return float_of(static_cast<u32>(in_order(reduce(in_order(signed_bits_of(value))))));
  }

  /// Returns false if the group gives up.
  template <class Lane>
  BC_DEVICE bool walk(Lane& lane, const View& view, i32 patience) {
    u32 top = 1u;  // entries on the stack
    i32 limit = farthest_best(lane);
    while (top > 0u) {
      // Lane k looks at the k-th entry from the top.
      const bool there = lane.lane() < top;
      const u32 at = there ? top - 1u - lane.lane() : 0u;
      const u32 live = lane.ballot(there && entries_[at] <= limit);
      if (live == 0u) {
        top = top > kWarpSize ? top - kWarpSize : 0u;
        continue;
      }
      const u32 leaves = lane.ballot(is_leaf(references_[at])) & live;
      const u32 next = live & (0u - live);  // only the highest live entry
      if ((leaves & next) != 0u) {
        top -= lowest_bit(next);
        if (test_leaf(lane, view, slots_[top - 1u])) limit = farthest_best(lane);
        patience -= kLeafCost;
        --top;
      } else {
        // The nodes above the highest live leaf, at most four.
        const u32 above = leaves != 0u ? (leaves & (0u - leaves)) - 1u : 0xffffffffu;
        if (!take_nodes(lane, view, live & above, limit, top)) return false;
        patience -= kRoundCost;
      }
      if (patience < 0) return false;
    }
    return true;
  }

  static constexpr i32 kLeafCost = 1, kRoundCost = 2;

  template <class Lane>
  BC_DEVICE i32 farthest_best(Lane& lane) const {
    return lane.reduce_max(signed_bits_of(either_max(rays_[0].best.t, rays_[1].best.t)));
  }

  /// Replaces up to four nodes on the stack by what the group may enter three levels below them.
  /// `nodes`: bit k is the k-th entry from the top. Returns false if the stack is full.
  template <class Lane>
  BC_DEVICE bool take_nodes(Lane& lane, const View& view, u32 nodes, i32 limit, u32& top) {
    const Taken taken = take_one_per_team(lane, nodes);
    const u32 node = taken.mine != 0u ? references_[top - 1u - lowest_bit(taken.mine)] : kNowhere;
    const u32 rest = top - 1u - lowest_bit(taken.last);
    lane.sync_warp();  // everyone has read; now the places may be used again

    const BoxBelow<Layout> below = look_below<Layout>(lane, view.nodes, node);
    BoxEntry entry{0, false};
    if (is_somewhere(below.reference))
      entry = enter_box(group_.frustum, Layout::seen(below.child, group_.sight, group_.signs.kz),
                        limit);
    const PushPlace place = place_to_push(lane, entry);
    if (rest + place.count > kStack) return false;
    if (entry.enters) {
      const u32 to = rest + place.below;
      references_[to] = below.reference;
      entries_[to] = entry.entry;
      slots_[to] = below.slot;
    }
    top = rest + place.count;
    lane.sync_warp();
    return true;
  }

  /// Tests the rays that enter a leaf against its triangles. Returns true if there are any.
  template <class Lane>
  BC_DEVICE bool test_leaf(Lane& lane, const View& view, u32 slot) {
    const typename Layout::Child leaf = Layout::child(view.nodes, slot);
    const u32 kz = group_.signs.kz;
    const SeenBox box = Layout::seen(leaf, group_.sight, kz);
    const bool in_a = enters_box(rays_[0], group_.signs, box, rays_[0].best.t);
    const bool in_b = enters_box(rays_[1], group_.signs, box, rays_[1].best.t);
    if (!lane.any(in_a || in_b)) return false;
    if (in_a) test(view, leaf.reference, kz, rays_[0]);
    if (in_b) test(view, leaf.reference, kz, rays_[1]);
    return true;
  }

  BC_DEVICE void test(const View& view, u32 leaf, u32 kz, Ours& ray) {
    const vec3 o = group_.origin;
    const RaySetup setup{kz, ray.sx, ray.sy, ray.sz, o.x, o.y, o.z, vec3(0.0f), 0.0f, true};
    intersect_rows(setup, group_.t_min, view.triangles, leaf, 0u, RayKind::closest, ray.best,
                   [](const Hit&) { return true; });
  }

  GroupView<Layout>& group_;
  u32* references_;
  i32* entries_;
  u32* slots_;
  Ours rays_[2];
};

}  // namespace ballotcast::detail
