// A warp walks through the tree with 64 rays that start at one point, as one group.
//
// Neighbouring rays of a picture visit mostly the same nodes. With one ray per lane, all lanes test
// the same boxes. Here the lanes test different boxes, each for the whole group at once. Only the
// boxes of leaves are tested for each ray:
//
//   one stack per warp     [ root side ..... | C | B | A ]         A is the nearest
//
//   if A is a node:        up to four nodes are taken from the stack. Eight lanes share a node:
//                          they look at the boxes three levels below it (three_levels.hpp). A lane
//                          pushes its box if some ray of the group may enter it. All lanes learn
//                          which boxes are pushed, so each knows how many lie below its own.
//
//   if A is a leaf:        each ray tests the box of A, and then A's triangles
//
// In a scene of many small triangles this gains nothing, because no single ray enters most of the
// boxes that the group enters. Then the group gives up, and its rays walk one per lane; see
// groups.hpp.
#pragma once

#include "geometry/frustum.hpp"
#include "kernels/lane.hpp"
#include "kernels/pipelines/warp/three_levels.hpp"

namespace ballotcast::detail {

/// The number of rays that walk as one group.
inline constexpr u32 kGroupRays = 64;

/// How the walk of a group ended. `unfit`: the rays can't walk as a group; no hit is stored.
/// `unfinished`: the group gave up; the best hits so far are stored.
enum class GroupEnd : u32 { done, unfit, unfinished };

/// The data that the lanes of a warp share while they walk as a group.
template <class Layout>
struct GroupView {
  typename Layout::Sight sight;
  Frustum frustum;
  vec3 origin;  // the origin of all rays, with its coordinates in the order kx, ky, kz
  float t_min;
  GroupSigns signs;
};

template <class View>
class GroupWalk {
 public:
  using Layout = typename View::LayoutType;
  static constexpr u32 kStack = 128;
  static constexpr u32 kWords = kWarpSize + 3 * kStack;  // words of shared memory per warp
  static_assert(sizeof(GroupView<Layout>) <= kWarpSize * sizeof(u32));

  /// `words`: kWords words of shared memory that only this warp uses.
  BC_DEVICE explicit GroupWalk(u32* words) : words_(kept(words)) {}

  /// Casts the 64 rays that are cast as numbers `first` to `first` + 63 in the order of the cast;
  /// order() returns that order (rows.hpp). The group gives up when its cost exceeds `patience`: a
  /// leaf that it looks at costs 1, and taking nodes from the stack costs 2 each time. All lanes
  /// of the warp must call this.
  template <class Lane, class Order>
  BC_DEVICE GroupEnd run(Lane& lane, const View& view, const RayBatch<Layout>& batch, Order order,
                         u32 first, i32 patience) {
    if (first + kGroupRays > batch.count) return GroupEnd::unfit;
    if (!begin(lane, view, batch, order(), first)) return GroupEnd::unfit;
    const bool done = walk(lane, view, patience);
    const auto same = order();  // computed again, so that it needs no registers during the walk
    batch.hits[same.place(first + lane.lane())] = rays_[0].best;
    batch.hits[same.place(first + kWarpSize + lane.lane())] = rays_[1].best;
    return done ? GroupEnd::done : GroupEnd::unfinished;
  }

 private:
  /// A ray of this lane with its best hit so far. Each lane has two rays of the group.
  struct Ours : GroupRay {
    Hit best;
  };

  template <class Lane, class Order>
  BC_DEVICE bool begin(Lane& lane, const View& view, const RayBatch<Layout>& batch,
                       const Order& order, u32 first) {
    const u32 lead_place = order.place(first);
    const WalkFrame frame = view.frame(lead_place);
    if (!is_node(frame.shape.root)) return false;
    const Ray lead = batch.rays[lead_place];
    const u32 kz = longest_axis(lead.direction);
    const bool down_z = component(lead.direction, kz) < 0.0f;
    bool fits = lead.t_min >= 0.0f && !is_far(lead, frame.magnitude);
    u32 ways = 0u;
    BC_UNROLL
    for (u32 r = 0; r < 2; ++r) {
      const Ray ray = batch.rays[order.place(first + r * kWarpSize + lane.lane())];
      const Shear shear = make_shear(ray);
      const vec3 o = ray.origin;
      fits = fits & shear.valid & (o.x == lead.origin.x) & (o.y == lead.origin.y) &
             (o.z == lead.origin.z) & (ray.t_min == lead.t_min) & (shear.kz == kz) &
             ((shear.sz < 0.0f) == down_z);
      rays_[r] = {group_ray(shear, ray.direction), miss_of(ray)};
      ways |= ways_of(rays_[r]);
    }
    if (!lane.all(fits)) return false;
    const GroupSigns signs = group_signs(kz, lane.reduce_or(ways), down_z);
    for (Ours& ray : rays_) turn_round(ray, signs);
    const Frustum frustum = frustum_of(signs, OfWarp<Lane>{lane, rays_});
    if (lane.lane() == 0u) {
      const vec3 origin = in_order_of(kz, lead.origin);
      group() = {Layout::sight_from(origin, signs, slack_for(lead, frame.magnitude), frame.shape),
                 frustum, origin, lead.t_min, signs};
      put(0u, frame.shape.root, 0, 0u);
    }
    lane.sync_warp();
    return true;
  }

  /// The reductions over the warp that frustum_of needs. Nonnegative floats are compared as
  /// integers, which have the same order.
  template <class Lane>
  struct OfWarp {
    Lane& lane;
    const Ours (&rays)[2];

    template <class Of>
    BC_DEVICE float least(Of f) const {
      return from(lane.reduce_min(signed_bits_of(either_min(f(rays[0]), f(rays[1])))));
    }
    template <class Of>
    BC_DEVICE float most(Of f) const {
      return from(lane.reduce_max(signed_bits_of(either_max(f(rays[0]), f(rays[1])))));
    }
    template <class Of>
    BC_DEVICE float least_signed(Of f) const {
      const float least = either_min(f(rays[0]), f(rays[1]));
      return from(in_order(lane.reduce_min(in_order(signed_bits_of(least)))));
    }
    template <class Of>
    BC_DEVICE float most_signed(Of f) const {
      const float most = either_max(f(rays[0]), f(rays[1]));
      return from(in_order(lane.reduce_max(in_order(signed_bits_of(most)))));
    }

   private:
    BC_DEVICE static float from(i32 bits) { return float_of(static_cast<u32>(bits)); }
  };

  /// Walks until the stack is empty. Returns false if the group gives up.
  template <class Lane>
  BC_DEVICE bool walk(Lane& lane, const View& view, i32 patience) {
    u32 top = 0u;  // number of entries on the stack
    i32 limit = farthest_best(lane);
    // The whole warp takes the root. (Four teams would use only eight lanes for it.)
    if (!push_below<kWarpSize>(lane, view, reference(0u), limit, 0u, top)) return false;
    while (top > 0u) {
      // Lane k looks at the k-th entry from the top. If the stack has fewer entries, the lane reads
      // other words of shared memory, which are ignored.
      const u32 at = top - 1u - lane.lane();
      const u32 live = lane.ballot((lane.lane() < top) & (entry(at) <= limit));
      if (live == 0u) {
        top = top > kWarpSize ? top - kWarpSize : 0u;
        continue;
      }
      const u32 leaves = lane.ballot(is_leaf(reference(at))) & live;
      // The topmost live entry: lane 0 looks at the top of the stack.
      const u32 next = live & (0u - live);
      if ((leaves & next) != 0u) {
        top -= lowest_bit(next);
        if (test_leaf(lane, view, slot(top - 1u))) limit = farthest_best(lane);
        patience -= kLeafCost;
        --top;
      } else {
        const u32 above_leaves = live & ~leaves & (leaves - 1u);
        if (!take_nodes(lane, view, above_leaves, limit, top)) return false;
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

  /// Replaces up to four nodes on the stack by the boxes three levels below them that the group may
  /// enter. `nodes`: bit k is the k-th entry from the top. Returns false if the stack is full.
  template <class Lane>
  BC_DEVICE bool take_nodes(Lane& lane, const View& view, u32 nodes, i32 limit, u32& top) {
    const Taken taken = take_one_per_team(lane, nodes);
    const bool takes = taken.mine != 0u;
    const u32 node = reference(takes ? top - 1u - lowest_bit(taken.mine) : 0u);
    return push_below<kTeam>(lane, view, takes ? node : kNowhere, limit,
                             top - 1u - highest_bit(taken.all), top);
  }

  /// Pushes the boxes below a node that the group may enter. `node`: the node of this lane's team
  /// of `kLanes` lanes. `rest`: the number of entries that stay at the bottom of the stack.
  template <u32 kLanes, class Lane>
  BC_DEVICE bool push_below(Lane& lane, const View& view, u32 node, i32 limit, u32 rest, u32& top) {
    lane.sync_warp();  // all lanes have read their entries; now these may be overwritten
    const BoxBelow<Layout> below = look_below<Layout, kLanes>(lane, view.nodes, node);
    const SeenBox box = Layout::seen(below.child, group().sight, group().signs.kz);
    BoxEntry entry = enter_box(group().frustum, box, limit);
    entry.enters = entry.enters & is_somewhere(below.reference);
    const PushPlace place = place_to_push<kLanes>(lane, entry);
    if (rest + place.count > kStack) return false;
    if (entry.enters) put(rest + place.below, below.reference, entry.entry, below.slot);
    top = rest + place.count;
    lane.sync_warp();
    return true;
  }

  /// Tests the rays that enter a leaf against its triangles. Returns false if no ray enters it.
  template <class Lane>
  BC_DEVICE bool test_leaf(Lane& lane, const View& view, u32 slot) {
    const typename Layout::Child leaf = Layout::child(view.nodes, slot);
    const GroupSigns signs = group().signs;
    const SeenBox box = Layout::seen(leaf, group().sight, signs.kz);
    bool in_a, in_b;
    if (signs.mixed == 0u) {
      in_a = enters_box(rays_[0], box, rays_[0].best.t);
      in_b = enters_box(rays_[1], box, rays_[1].best.t);
    } else {
      in_a = enters_box(rays_[0], turned_for(rays_[0], box), rays_[0].best.t);
      in_b = enters_box(rays_[1], turned_for(rays_[1], box), rays_[1].best.t);
    }
    if (!lane.any(in_a || in_b)) return false;
    if (in_a || in_b) test_triangles(view, leaf.reference, signs.kz, in_a, in_b);
    return true;
  }

  /// Tests both rays of the lane against a leaf's triangles, as intersect_rows does for one.
  /// `in_a`, `in_b`: whether to test the first and the second ray. (One loop for this
  /// function and intersect_rows would make any-hit casts of single rays 2.5 % slower on an H200,
  /// because nvcc would reorder the loads.)
  BC_DEVICE void test_triangles(const View& view, u32 leaf, u32 kz, bool in_a, bool in_b) {
    const vec3 o = group().origin;
    const float t_min = group().t_min;
    const RaySetup a = from_zero(rays_[0], kz), b = from_zero(rays_[1], kz);
    const EveryHit accepts{};
    const LeafRows rows = view.rows_of(leaf);
    const TriangleRow* row = rows.row;
    u32 left = rows.count;
    BC_NO_UNROLL
    do {
      const TriangleRow x = moved(read_whole(row + a.kx()), o.x);
      const TriangleRow y = moved(read_whole(row + a.ky()), o.y);
      const TriangleRow z = moved(read_whole(row + kz), o.z);
      if (in_a) intersect_triangle(a, t_min, x, y, z, rays_[0].best, accepts);
      if (in_b) intersect_triangle(b, t_min, x, y, z, rays_[1].best, accepts);
      row += 3;
      --left;
    } while (left > 0u);
  }

  // Both rays of a lane start at one point, so they share the differences of a triangle's corners
  // to that point: the corners are moved, and the rays start at 0. The differences have the bits
  // that the triangle test computes for each ray itself.
  BC_DEVICE static TriangleRow moved(const TriangleRow& row, float origin) {
    return {row.a - origin, row.b - origin, row.c - origin, row.id};
  }
  BC_DEVICE static RaySetup from_zero(const GroupRay& ray, u32 kz) {
    return {kz, ray.sx, ray.sy, ray.sz, 0.0f, 0.0f, 0.0f, vec3(0.0f), 0.0f, true};
  }

  BC_DEVICE GroupView<Layout>& group() const {
    return *reinterpret_cast<GroupView<Layout>*>(words_);
  }

  // The k-th entry of the stack, counted from the bottom: its node or leaf, its distance, its slot.
  BC_DEVICE u32& reference(u32 k) const { return words_[kWarpSize + k]; }
  BC_DEVICE i32& entry(u32 k) const {
    return reinterpret_cast<i32*>(words_)[kWarpSize + kStack + k];
  }
  BC_DEVICE u32& slot(u32 k) const { return words_[kWarpSize + 2 * kStack + k]; }
  BC_DEVICE void put(u32 k, u32 box, i32 at, u32 in_slot) const {
    reference(k) = box;
    entry(k) = at;
    slot(k) = in_slot;
  }

  u32* words_;
  Ours rays_[2];
};

}  // namespace ballotcast::detail
