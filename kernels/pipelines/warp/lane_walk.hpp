// The walk of a lane with a ray of its own, and how the lanes of a warp walk together.
#pragma once

#include "kernels/lane.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// The number of lanes in a block, in most kernels of pipeline warp. The fastest value on an H200:
/// see docs/results/rays-notes.md.
inline constexpr u32 kWarpBlock = 128;

/// The number of words in the stack of a lane: one word marks the end of the walk, and one word per
/// tree level holds the farther child.
BC_HD inline u32 stack_words(u32 depth) { return depth + 1u; }
/// The number of words for a walk through a view. In a scene with instances, the walk through a
/// mesh goes on in the same stack; one more word marks its end.
template <class View>
BC_HD inline u32 words_for(const View& view) {
  if constexpr (View::kHasInstances) return stack_words(view.shape.depth + view.lower_depth + 1u);
  return stack_words(view.shape.depth);
}

/// In which tree of a scene a lane walks. Empty if there is only one.
template <class View, bool = View::kHasInstances>
struct TreeOfWalk {};
template <class View>
struct TreeOfWalk<View, true> {
  const typename View::LayoutType::Node* nodes;  // of the upper tree, or of a mesh
  // In a mesh: the leaf of the upper tree, without the instances that the walk is done with; its
  // first instance is the one that the walk is in. In the upper tree: kNowhere.
  u32 instances;
};

/// A lane's walk with one ray. The lane is at a node, at a leaf, or done. The stack is in shared
/// memory, in one column per lane, or in local memory: word k is bottom[k * kStride].
///
/// In a scene with instances, the lane walks through the upper tree and the meshes in one loop, so
/// lanes in different meshes take steps at the same time:
///
///   at a leaf of the upper tree   the ray is transformed, and the walk goes to the root of the
///   mesh at a leaf of a mesh           triangles are tested at kEndOfMesh                 the next
///   instance of the leaf; or back into the upper tree, with
///                                 the ray as it was given
///
/// `View`: a TraceView, a MovingTraceView or an InstancedView. `kPlain`: every hit counts
/// (TraceView::may_refuse), and leaf visits are not counted.
template <class View, RayKind kKind, bool kPlain, u32 kStride = kWarpBlock>
class LaneWalk : TreeOfWalk<View> {
 public:
  using Layout = typename View::LayoutType;

  /// Creates a walk without a ray. `bottom`: the lowest word of the lane's stack.
  BC_DEVICE explicit LaneWalk(u32* bottom) : place_(kNone), at_(kNowhere), top_(bottom) {}

  /// True if the lane has a ray whose walk is not done.
  BC_DEVICE bool busy() const { return is_somewhere(at_); }

  /// Begins with ray `place` of the batch.
  BC_DEVICE void begin(u32* bottom, u32 place, const View& view, const RayBatch<Layout>& batch) {
    place_ = place;
    ray_ = batch.rays[place];
    const WalkFrame frame = view.frame(place);
    // Prepares the ray as ray_to_cast does. If the ray starts far away, stores for `end` how it was
    // moved.
    if (is_far(ray_, frame.magnitude)) {
      const MovedRay moved = moved_near(ray_, frame.magnitude);
      batch.hits[place] = far_note(ray_.t_max, moved.shift);
      place_ |= kMoved;
      ray_ = moved.ray;
    }
    best_ = miss_of(ray_);
    begin_at_top(place, view, frame);
    visits_ = 0u;
    top_ = bottom;
    *bottom = kNowhere;
    at_ = setup_.valid ? frame.shape.root : kNowhere;
  }

  /// Sets the best hit, if one is known from an earlier walk. Call this after `begin`.
  BC_DEVICE void continue_from(const Hit& best) {
    best_ = best;
    limit_ = Layout::limit_of(slabs_, best.t);
  }

  /// What remains of the lane's walk.
  struct Rest {
    u32 place;  // index of the ray in the batch
    u32 at;     // the node or leaf where the walk is; kNowhere if it is done
    u32 boxes;  // number of nodes and leaves on the stack
    Hit best;   // the best hit so far; unset with RayKind::any: its first hit ends the walk
  };
  BC_DEVICE Rest rest() const {
    Rest rest{place_ & ~kMoved, at_, 0u, {}};
    if constexpr (kKind == RayKind::closest) rest.best = best_;
    // This counts instead of subtracting pointers: with a subtraction, nvcc forgets that they point
    // to shared memory, and all walks become 6 % slower.
    if (busy())
      for (const u32* word = top_; is_somewhere(*word); word -= kStride) ++rest.boxes;
    return rest;
  }

  /// Ends a walk that other lanes have completed. `hit` is its result. Does nothing if the walk was
  /// done already.
  BC_DEVICE void finish(const Hit& hit, const RayBatch<Layout>& batch) {
    if (!busy()) return;
    // Reads the ray again, so that the walk needs no registers for it.
    if (kKind == RayKind::closest)
      best_ = hit;
    else if (hit.found())
      store(answer_of(batch.rays[place_ & ~kMoved], true), batch);
    at_ = kNowhere;
  }

  /// Stores the result of the lane's ray, unless the lane has no ray or the result is stored
  /// already.
  BC_DEVICE void end(const RayBatch<Layout>& batch) {
    if (place_ == kNone) return;
    // With RayKind::any, a hit is stored as soon as it is found. So a ray that gets here has none.
    store(kKind == RayKind::any ? miss_of(ray_) : best_, batch);
  }

  /// All lanes of the warp walk until at most `fewest` of them are busy, and then for at most
  /// `kMore` more turns. In each turn, ballots count the lanes at nodes and the lanes at leaves.
  /// The warp then does what most of its lanes need: a few steps through nodes, or the test of one
  /// leaf per lane. A lane at a leaf has the weight `kLeafWeight` (majority votes: after S. Frey,
  /// G. Reina, T. Ertl, SIMT Microscheduling, 2011).
  template <u32 kLeafWeight, u32 kMore = 0u, class Lane>
  BC_DEVICE void walk_by_votes(Lane& lane, u32 fewest, const View& view,
                               const RayBatch<Layout>& batch) {
    u32 more = kMore;
    for (;;) {
      const u32 at_node = lane.ballot(is_node(at_));
      const u32 at_leaf = lane.ballot(is_leaf(at_));
      const u32 nodes = count_bits(at_node), leaves = count_bits(at_leaf);
      if (nodes + leaves <= fewest) {
        // If kMore is 0, `more` is always 0. nvcc does not see that, and would count `more` down in
        // every turn.
        if (kMore == 0u || more == 0u || nodes + leaves == 0u) return;
        --more;
      }
      const bool to_nodes = nodes >= kLeafWeight * leaves;
      if constexpr (kKind == RayKind::any) {
        if (to_nodes)
          some_steps(view);
        else if (is_leaf(at_))
          test(view, batch);
      } else {
        // After a leaf, most lanes are at a node. So the warp takes steps without another vote.
        if (!to_nodes && is_leaf(at_)) test(view, batch);
        some_steps(view);
      }
    }
  }

 private:
  // Steps through nodes between two votes: the fastest number on an H200, see
  // docs/results/rays-notes.md.
  static constexpr u32 kStepsAVote = 4;
  static constexpr u32 kNone = 0xffffffffu;
  /// This bit of `place_` marks a moved ray (geometry/far_origin.hpp). No index uses this bit,
  /// because batches have fewer than 2^31 rays.
  static constexpr u32 kMoved = 0x80000000u;

  BC_DEVICE void store(const Hit& hit, const RayBatch<Layout>& batch) {
    if ((place_ & kMoved) == 0u) {
      batch.hits[place_] = hit;
    } else {
      place_ &= ~kMoved;
      Hit& to = batch.hits[place_];
      to = {kKind == RayKind::any ? to.t : noted_t(to, hit), hit.triangle, hit.u, hit.v};
    }
    if (batch.visits) batch.visits[place_] = visits_;
    place_ = kNone;
  }

  /// The nodes of the tree in which the lane walks.
  BC_DEVICE const typename Layout::Node* nodes(const View& view) const {
    if constexpr (View::kHasInstances) return this->TreeOfWalk<View>::nodes;
    return view.nodes;
  }

  /// Prepares the ray `place` for the tree of the scene, or for the upper tree of its world.
  BC_DEVICE void begin_at_top(u32 place, const View& view, const WalkFrame& frame) {
    setup_ = make_setup(ray_, frame.magnitude);
    view.adapt(place, ray_, setup_);
    slabs_ = Layout::slabs_of(setup_, ray_, frame.shape);
    limit_ = Layout::limit_of(slabs_, best_.t);
    if constexpr (View::kHasInstances) tree() = {view.nodes, kNowhere};
  }

  BC_DEVICE void step(const View& view) {
    const ChildOrder order = Layout::cross(nodes(view), at_, slabs_, limit_);
    if (order.both) push(order.farther);
    at_ = order.nearer;
    if (!order.any) pop();
  }

  BC_DEVICE void some_steps(const View& view) {
    BC_UNROLL
    for (u32 k = 0; k < kStepsAVote; ++k) {
      if (!is_node(at_)) break;
      step(view);
    }
  }

  BC_DEVICE void push(u32 reference) {
    top_ += kStride;
    *top_ = reference;
  }

  BC_DEVICE void pop() {
    at_ = *top_;
    top_ -= kStride;
  }

  /// What a lane does that is at a leaf.
  BC_DEVICE void test(const View& view, const RayBatch<Layout>& batch) {
    if constexpr (View::kHasInstances) {
      if (at_ == kEndOfMesh) return leave_mesh(view, batch);
      if (!is_somewhere(tree().instances)) {
        if constexpr (!kPlain) ++visits_;
        tree().instances = at_;
        return enter_instances(view, batch);
      }
      const RayInMesh at =
          in_mesh(view, view.instances[leaf_first(tree().instances)], ray_, setup_);
      if (test_with(batch, [&](Hit& best) {
            intersect_leaf_below(at, at_, kKind, best, accepting(view));
          }))
        pop();
    } else {
      if constexpr (!kPlain) ++visits_;
      if (test_with(batch, [&](Hit& best) {
            intersect_leaf(view, place_ & ~kMoved, setup_, ray_, at_, kKind, best, accepting(view));
          }))
        pop();
    }
  }

  BC_DEVICE AcceptsInView<View> accepting(const View& view) const {
    return {view, place_ & ~kMoved};
  }

  /// Calls intersect(best), which looks for better hits. Returns false if the walk has ended.
  template <class Intersect>
  BC_DEVICE bool test_with(const RayBatch<Layout>& batch, Intersect intersect) {
    if constexpr (kKind == RayKind::any) {
      Hit hit = miss_of(ray_);
      intersect(hit);
      if (hit.found()) {
        store(answer_of(ray_, true), batch);
        at_ = kNowhere;
        return false;
      }
    } else {
      intersect(best_);
      limit_ = Layout::limit_of(slabs_, best_.t);
    }
    return true;
  }

  // The following functions are for scenes with instances.

  /// Marks the end of the walk through a mesh. It is no leaf of a tree: see kMostAtOnce.
  static constexpr u32 kEndOfMesh = kNowhere - 1u;

  BC_DEVICE TreeOfWalk<View>& tree() { return *this; }

  /// Enters the first instance in `instances` that the ray may hit. If there is none, goes on in
  /// the upper tree. Requires the ray of the upper tree.
  BC_DEVICE void enter_instances(const View& view, const RayBatch<Layout>& batch) {
    for (u32& leaf = tree().instances;; leaf = without_first(leaf)) {
      if (enter(view, leaf_first(leaf), batch)) return;
      if (leaf_count(leaf) == 1u) break;
    }
    tree().instances = kNowhere;
    pop();
  }

  /// Enters a mesh, or tests a shape. Returns true if the lane is in a mesh now, or done.
  BC_DEVICE bool enter(const View& view, u32 place, const RayBatch<Layout>& batch) {
    const WalkInstance& instance = view.instances[place];
    if (view.may_refuse && !view.filter.sees(place_ & ~kMoved, instance.instance)) return false;
    if (const Shape* const shape = shape_of(view, instance))
      return !test_with(batch, [&](Hit& best) {
        intersect_shape(at_shape(view, *shape, ray_, place), kKind, best, accepting(view));
      });
    const MeshTree& mesh = view.meshes[instance.mesh];
    const Ray inside = transformed_ray(instance.to_mesh, ray_);
    const RaySetup setup = setup_inside(inside, mesh);
    if (!setup.valid || !is_somewhere(mesh.frame.shape.root)) return false;
    ray_ = inside;
    setup_ = setup;
    slabs_ = Layout::slabs_of(setup_, ray_, mesh.frame.shape);
    limit_ = Layout::limit_of(slabs_, best_.t);
    tree().nodes = view.lower_nodes + mesh.first_node;
    push(kEndOfMesh);
    at_ = mesh.frame.shape.root;
    return true;
  }

  BC_DEVICE void leave_mesh(const View& view, const RayBatch<Layout>& batch) {
    const u32 left = tree().instances, place = place_ & ~kMoved;
    if (leaf_count(left) == 1u && !is_somewhere(*top_)) return pop();  // the walk is done
    ray_ = batch.rays[place];
    const WalkFrame frame = view.frame(place);
    if ((place_ & kMoved) != 0u) ray_ = moved_near(ray_, frame.magnitude).ray;
    begin_at_top(place, view, frame);
    if (leaf_count(left) == 1u) return pop();
    tree().instances = without_first(left);
    enter_instances(view, batch);
  }

  BC_DEVICE static u32 without_first(u32 leaf) {
    return leaf_reference(leaf_first(leaf) + 1u, leaf_count(leaf) - 1u);
  }

  Ray ray_;
  RaySetup setup_;
  typename Layout::Slabs slabs_;
  decltype(Layout::limit_of(typename Layout::Slabs{}, 0.0f)) limit_;
  Hit best_;
  u32 place_;  // index of the ray in the batch, with kMoved set if it was moved; or kNone
  u32 at_;     // reference of a node or leaf, or kNowhere
  u32* top_;   // top of the stack: the node or leaf that comes next
  u32 visits_;
};

/// For plain walks, tells the compiler what need not be checked: every hit counts, and no leaf
/// visits are counted.
template <bool kPlain, class View, class Batch>
BC_DEVICE void assume_plain(View& view, Batch& batch) {
  if constexpr (kPlain) {
    view.may_refuse = 0u;
    batch.visits = nullptr;
  }
}

}  // namespace ballotcast::detail
