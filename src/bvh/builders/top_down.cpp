// The tree is the same for any number of threads, for three reasons:
// - If several threads work on the decision about a node, their results are merged by minimum,
//   maximum and integer counts, which do not depend on the order.
// - Work that depends on the order of the references (dividing and cutting them) is done by one
//   thread, in that order.
// - Every subtree owns a fixed range of the array of references, including room for fragments.
//   Small subtrees are separate trees until they are joined. So no counter is shared.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "bvh/builders/builder.hpp"
#include "bvh/builders/splits.hpp"
#include "bvh/builders/submeshes.hpp"
#include "bvh/builders/subtrees.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// Below this number, one thread processes the references, because a parallel task would cost more
// than it saves.
constexpr u32 kSplitInParallelAbove = 4096;
constexpr u32 kCutAbove = 4;  // references; a spatial split of a smaller node does not pay off
// A spatial split is tried only if the children of the cheapest object split overlap by more than
// this fraction of the root's area. Smaller fractions cut more triangles and make builds slower.
constexpr float kOverlap = 1.0e-5f;

/// The range of the array of references that belongs to a subtree: [begin, end) holds references,
/// [end, room) is free for fragments of cut triangles.
struct Range {
  u32 begin, end, room;

  u32 count() const { return end - begin; }
  u32 spare() const { return room - end; }
};

/// The number of levels of a balanced tree with `count` leaves.
u32 levels_to_halve(u32 count) {
  u32 levels = 0;
  while ((u64{1} << levels) < count) ++levels;
  return levels;
}

class Build {
 public:
  Build(const Mesh& mesh, const Copies& copies, double spare, const Progress& report)
      : mesh_(mesh),
        spare_(spare),
        report_(report),
        count_(static_cast<u32>(mesh.triangles.size() - copies.ids.size())),
        first_(without_copies(copies, mesh.triangles.size())) {}

  BinaryTree run() {
    if (count_ == 0) return {};
    require_at_once(count_);
    const u64 room =
        std::min(kMostAtOnce, count_ + static_cast<u64>(static_cast<double>(count_) * spare_));
    references_ = std::make_unique_for_overwrite<Reference[]>(room);
    for_each_range<u32>(count_, kSplitInParallelAbove, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) {
        const u32 id = first_.empty() ? i : first_[i];
        const Aabb box = mesh_.bounds_of(id);
        references_[i] = {{float4_of(box.low), float4_of(box.high)}, id};
      }
    });
    const Range all{0, count_, static_cast<u32>(room)};
    if (count_ <= kSplitInParallelAbove) return build_whole(all, 0);
    const BuiltSubtree whole = build(all, 0);
    references_.reset();  // frees memory before the subtrees are joined
    return joined(whole);
  }

 private:
  /// Builds the subtree of the references in `range`. Its root is at level `depth` of the whole
  /// tree. Subtrees of more than kSplitInParallelAbove references are built in parallel.
  BuiltSubtree build(Range range, u32 depth) {
    BuiltSubtree subtree;
    if (range.count() <= kSplitInParallelAbove) {
      subtree.whole = store_.keep(build_whole(range, depth));
      return subtree;
    }
    const Extents extents = measure(range);
    if (depth == 0) root_area_ = extents.box.half_area();
    Range right = range;
    // This node must be split, because it has more references than a leaf may have
    split(extents, range, right, depth);
    subtree.box = extents.box.aabb();
    in_parallel([&] { subtree.left = std::make_unique<BuiltSubtree>(build(range, depth + 1)); },
                [&] { subtree.right = std::make_unique<BuiltSubtree>(build(right, depth + 1)); });
    return subtree;
  }

  /// Builds the subtree of the references in `range`, whose root is at level `depth`, as a separate
  /// tree.
  BinaryTree build_whole(Range range, u32 depth) {
    BinaryTree tree;
    tree.nodes.reserve(2 * std::size_t{range.count()});
    tree.order.reserve(range.count());
    tree.nodes.resize(1);
    add_subtree(range, depth, depth, 0, tree);
    return tree;
  }

  /// Builds the subtree of the references in `range` at tree.nodes[index], on one thread. The
  /// subtree is at level `depth` of the whole tree, and the root of `tree` at level `top`.
  void add_subtree(Range range, u32 depth, u32 top, u32 index, BinaryTree& tree) {
    const Extents extents = measure(range);
    if (depth == 0) root_area_ = extents.box.half_area();
    Range right = range;
    if (!split(extents, range, right, depth)) {
      tree.depth = std::max(tree.depth, depth - top);
      const auto first = static_cast<u32>(tree.order.size());
      tree.nodes[index] = {extents.box.aabb(), first, range.count()};
      for (u32 i = range.begin; i < range.end; ++i) tree.order.push_back(references_[i].id());
      std::sort(tree.order.begin() + first, tree.order.end());
      if (report_) add_done(range.count());
      return;
    }
    const auto first = static_cast<u32>(tree.nodes.size());
    tree.nodes[index] = {extents.box.aabb(), first, 0};
    tree.nodes.resize(first + 2);
    add_subtree(range, depth + 1, top, first, tree);
    add_subtree(right, depth + 1, top, first + 1, tree);
  }

  void add_done(u32 references) {
    constexpr u64 kStep = 1u << 14;  // references between two progress reports
    const u64 before = done_.fetch_add(references);
    if (before / kStep == (before + references) / kStep) return;
    const std::lock_guard lock(report_mutex_);
    // `done_` also counts the fragments of cut triangles, so it may exceed `count_`.
    report_(std::min<u64>(done_.load(), count_), count_);
  }

  /// Calls fold(value, reference) for all references of a range. A long range is divided into tasks
  /// that run in parallel. Each task starts with the value `all`, which must be a neutral element.
  /// The result must not depend on the order.
  template <class Value, class Fold>
  Value reduce(const Range& range, Value all, Fold fold) const {
    const auto serial = [&](u32 from, u32 to, Value& value) {
      for (u32 i = from; i < to; ++i) fold(value, references_[i]);
    };
    if (range.count() <= 16 * kSplitInParallelAbove) {
      serial(range.begin, range.end, all);
      return all;
    }
    return reduce_ranges<u32>(
        range.begin, range.end, kSplitInParallelAbove, all,
        [&](u32 begin, u32 end, Value value) {
          serial(begin, end, value);
          return value;
        },
        [](Value a, const Value& b) {
          a.include(b);
          return a;
        });
  }

  Extents measure(const Range& range) const {
    return reduce(range, Extents{}, [](Extents& e, const Reference& r) { e.include(r); });
  }

  /// Splits `range`: the left half stays in `range`, the right half is stored in `right`. Returns
  /// false if `range` should become a leaf.
  bool split(const Extents& extents, Range& range, Range& right, u32 depth) {
    const u32 count = range.count();
    if (count == 1) return false;
    if (depth + levels_to_halve(count) >= kDeepestLevel)
      return count > kLargestLeaf && halve(extents, range, right);
    const auto [binning, best] = with_bins_for(count, [&](auto bins) {
      using AllBins = Bins<bins.value>;
      const Binning by_center(extents.centers, bins.value);
      const AllBins counted =
          reduce(range, AllBins{}, [&](AllBins& b, const Reference& r) { by_center.count(r, b); });
      return std::pair{by_center, cheapest_split(by_center, counted, extents.box)};
    });
    const bool small = count <= kLargestLeaf;
    const float leaf_cost = static_cast<float>(count);
    if (spare_ > 0.0 && count > kCutAbove && range.spare() > 0 && overlap(best)) {
      const Reference* from = &references_[range.begin];
      const float bar = small ? min_of(best.cost, leaf_cost) : best.cost;
      const SpatialSplit cut =
          cheapest_spatial_split(mesh_, from, from + count, extents.box, range.spare(), bar);
      if (cut.cost < bar && divide_space(cut, extents.box, bar, range, right)) return true;
    }
    if (small && !(best.cost < leaf_cost)) return false;
    if (!(best.cost < std::numeric_limits<float>::infinity())) return halve(extents, range, right);
    const auto goes_left = [&bins = binning, &where = best](const Reference& r) {
      return static_cast<u32>(bins.bins_of(r.center())[where.axis]) <= where.bin;
    };
    Reference* const begin = &references_[range.begin];
    Reference* const middle = std::partition(begin, begin + count, goes_left);
    share(range, right, static_cast<u32>(middle - references_.get()));
    return true;
  }

  /// True if a spatial split should be tried, because the children of the object split overlap too
  /// much or there is no object split.
  bool overlap(const Split& split) const {
    if (!(split.cost < std::numeric_limits<float>::infinity())) return true;
    return split.left.meet(split.right).half_area() > kOverlap * root_area_;
  }

  /// Splits `range` by the plane of `cut`. Returns false and changes nothing if the result would
  /// cost `bar` or more, would need more room than is free, or would have an empty side.
  bool divide_space(SpatialSplit cut, const Box4& whole, float bar, Range& range, Range& right) {
    std::vector<Reference> left_side, right_side;
    left_side.reserve(cut.left_count);
    right_side.reserve(cut.right_count);
    Reference* const from = &references_[range.begin];
    divide(mesh_, from, from + range.count(), cut, left_side, right_side);
    const auto lefts = static_cast<u32>(left_side.size());
    const auto rights = static_cast<u32>(right_side.size());
    const u64 total = u64{lefts} + rights;
    const float cost = cost_of(cut.left.half_area(), lefts, cut.right.half_area(), rights,
                               max_of(whole.half_area(), 1.0e-37f));
    if (!(cost < bar)) return false;
    if (lefts == 0 || rights == 0 || total > range.room - range.begin) return false;
    std::copy(left_side.begin(), left_side.end(), from);
    std::copy(right_side.begin(), right_side.end(), from + lefts);
    range.end = range.begin + static_cast<u32>(total);
    share(range, right, range.begin + lefts);
    return true;
  }

  /// Makes [begin, middle) of `range` the left half and [middle, end) the right half. The free room
  /// is divided in proportion.
  void share(Range& range, Range& right, u32 middle) {
    const u64 spare = range.spare();
    const u32 lefts = middle - range.begin, rights = range.end - middle;
    const auto left_spare = static_cast<u32>(spare * lefts / (u64{lefts} + rights));
    if (left_spare > 0)
      std::copy_backward(&references_[middle], &references_[range.end],
                         &references_[range.end] + left_spare);
    right = {middle + left_spare, range.end + left_spare, range.room};
    range = {range.begin, middle, middle + left_spare};
  }

  /// Splits `range` into two halves of equal count, at the median of the centres on the longest
  /// axis. Equal centres are ordered by id.
  bool halve(const Extents& extents, Range& range, Range& right) {
    const Float4 e = extents.centers.high - extents.centers.low;
    const u32 axis = e[0] >= e[1] ? (e[0] >= e[2] ? 0u : 2u) : (e[1] >= e[2] ? 1u : 2u);
    const u32 middle = range.begin + range.count() / 2;
    Reference* const begin = references_.get();
    std::nth_element(begin + range.begin, begin + middle, begin + range.end,
                     [axis](const Reference& a, const Reference& b) {
                       const float x = a.center()[axis], y = b.center()[axis];
                       return x < y || (x == y && a.id() < b.id());
                     });
    share(range, right, middle);
    return true;
  }

  const Mesh& mesh_;
  const double spare_;
  const Progress& report_;
  u32 count_;               // number of triangles that are not copies
  std::vector<u32> first_;  // the ids of these triangles; empty if there are no copies
  std::unique_ptr<Reference[]> references_;
  SubtreeStore store_;
  float root_area_ = 0.0f;
  std::atomic<u64> done_{0};
  std::mutex report_mutex_;
};

}  // namespace

BinaryTree build_top_down(const Mesh& mesh, const Copies& copies, double spare,
                          const Progress& report) {
  mesh.require_valid();
  return Build(mesh, copies, spare, report).run();
}

}  // namespace ballotcast::detail
