// Binned SAH. What makes the tree the same for any number of threads: a node's decision depends on
// the set of its triangles alone (merged by minimum, maximum and integer counts, never by order),
// and every subtree owns a fixed range of node slots, so no counter is shared.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <array>

#include "bvh/builders/builder.hpp"

namespace ballotcast {

namespace {

constexpr u32 kBins = 32;
constexpr u32 kParallelAbove = 4096;    // triangles; below this a task costs more than it saves
constexpr float kTraversalCost = 1.0f;  // in units of one triangle test

struct Primitive {
  Aabb box;
  vec3 center;
  u32 id;
};

struct Bin {
  Aabb box;
  u32 count = 0;

  void include(const Bin& other) {
    box.include(other.box);
    count += other.count;
  }
};

using Bins = std::array<std::array<Bin, kBins>, 3>;

struct Extents {
  Aabb box;      // around the triangles
  Aabb centers;  // around the centres of their boxes
};

struct Split {
  float cost = std::numeric_limits<float>::infinity();
  u32 axis = 0;
  u32 bin = 0;  // bins [0, bin] go left
};

struct BuildNode {
  Aabb box;
  u32 left = 0, right = 0;   // slots, of an inner node
  u32 begin = 0, count = 0;  // triangles, of a leaf
};

/// Which bin of `axis` a centre falls in.
struct Binning {
  vec3 low;
  vec3 scale;  // 0 on an axis along which all centres agree

  explicit Binning(const Aabb& centers) : low(centers.low) {
    const vec3 extent = centers.extent();
    const auto scale_of = [](float e) { return e > 0.0f ? min_of(kBins / e, 3.0e38f) : 0.0f; };
    scale = {scale_of(extent.x), scale_of(extent.y), scale_of(extent.z)};
  }

  u32 bin(vec3 center, u32 axis) const {
    const float place = (component(center, axis) - component(low, axis)) * component(scale, axis);
    return static_cast<u32>(clamp_to(place, 0.0f, static_cast<float>(kBins - 1)));
  }
};

u32 levels_to_halve(u32 count) {
  u32 levels = 0;
  while ((u64{1} << levels) < count) ++levels;
  return levels;
}

class Build {
 public:
  explicit Build(const Mesh& mesh) : primitives_(mesh.triangles.size()) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, primitives_.size(), kParallelAbove),
                      [&](const auto& range) {
                        for (std::size_t i = range.begin(); i < range.end(); ++i) {
                          const Aabb box = mesh.bounds_of(static_cast<u32>(i));
                          primitives_[i] = {box, box.center(), static_cast<u32>(i)};
                        }
                      });
    nodes_.resize(2 * primitives_.size());
  }

  Bvh2 run() {
    Bvh2 tree;
    if (primitives_.empty()) return tree;
    const u32 root = build_range(0, static_cast<u32>(primitives_.size()), 0);
    tree.order.reserve(primitives_.size());
    for (const Primitive& p : primitives_) tree.order.push_back(p.id);
    tree.nodes.resize(1);
    pack(tree, root, 0);
    return tree;
  }

 private:
  /// Builds the subtree over primitives [begin, end) and returns its root's slot. The subtree uses
  /// slots [2 * begin, 2 * end - 1) alone: a leaf takes the first, an inner node the one between
  /// its children's ranges.
  u32 build_range(u32 begin, u32 end, u32 depth) {
    const Extents extents = measure(begin, end);
    const u32 middle = partition_range(extents, begin, end, depth);
    if (middle == begin) {
      std::sort(primitives_.begin() + begin, primitives_.begin() + end, by_id);
      nodes_[2 * begin] = {extents.box, 0, 0, begin, end - begin};
      return 2 * begin;
    }
    const u32 slot = 2 * middle - 1;
    BuildNode& node = nodes_[slot];
    node.box = extents.box;
    const auto go_left = [&] { node.left = build_range(begin, middle, depth + 1); };
    const auto go_right = [&] { node.right = build_range(middle, end, depth + 1); };
    if (end - begin > kParallelAbove) {
      tbb::parallel_invoke(go_left, go_right);
    } else {
      go_left();
      go_right();
    }
    return slot;
  }

  static bool by_id(const Primitive& a, const Primitive& b) { return a.id < b.id; }

  /// Folds `fold(accumulator, primitive)` over a range, in parallel where it is long. The result
  /// must not depend on the order.
  template <class Value, class Fold, class Merge>
  Value reduce(u32 begin, u32 end, const Value& identity, Fold fold, Merge merge) const {
    const auto serial = [&](u32 from, u32 to, Value value) {
      for (u32 i = from; i < to; ++i) fold(value, primitives_[i]);
      return value;
    };
    if (end - begin <= 16 * kParallelAbove) return serial(begin, end, identity);
    return tbb::parallel_reduce(
        tbb::blocked_range<u32>(begin, end, kParallelAbove), identity,
        [&](const auto& range, Value value) {
          return serial(range.begin(), range.end(), std::move(value));
        },
        merge);
  }

  Extents measure(u32 begin, u32 end) const {
    return reduce(
        begin, end, Extents{},
        [](Extents& e, const Primitive& p) {
          e.box.include(p.box);
          e.centers.include(p.center);
        },
        [](Extents a, const Extents& b) {
          a.box.include(b.box);
          a.centers.include(b.centers);
          return a;
        });
  }

  /// Reorders [begin, end) into a left and a right part and returns where the right one starts, or
  /// `begin` when the range is best left as a leaf.
  u32 partition_range(const Extents& extents, u32 begin, u32 end, u32 depth) {
    const u32 count = end - begin;
    if (count == 1) return begin;
    if (depth + levels_to_halve(count) >= kDeepestLevel)
      return count <= kLargestLeaf ? begin : halve(extents, begin, end);
    const Binning binning(extents.centers);
    const Split split = find_split(binning, extents, begin, end);
    if (count <= kLargestLeaf && !(split.cost < static_cast<float>(count))) return begin;
    if (!(split.cost < std::numeric_limits<float>::infinity())) return halve(extents, begin, end);
    const auto goes_left = [&](const Primitive& p) {
      return binning.bin(p.center, split.axis) <= split.bin;
    };
    const auto middle =
        std::partition(primitives_.begin() + begin, primitives_.begin() + end, goes_left);
    return static_cast<u32>(middle - primitives_.begin());
  }

  /// Splits at the median centre of the longest axis, ids breaking ties.
  u32 halve(const Extents& extents, u32 begin, u32 end) {
    const vec3 e = extents.centers.extent();
    const u32 axis = e.x >= e.y ? (e.x >= e.z ? 0u : 2u) : (e.y >= e.z ? 1u : 2u);
    const u32 middle = begin + (end - begin) / 2;
    std::nth_element(primitives_.begin() + begin, primitives_.begin() + middle,
                     primitives_.begin() + end, [axis](const Primitive& a, const Primitive& b) {
                       const float x = component(a.center, axis), y = component(b.center, axis);
                       return x < y || (x == y && a.id < b.id);
                     });
    return middle;
  }

  /// The cheapest split between bins; infinite cost where no plane separates any two centres.
  Split find_split(const Binning& binning, const Extents& extents, u32 begin, u32 end) const {
    const Bins bins = reduce(
        begin, end, Bins{},
        [&](Bins& b, const Primitive& p) {
          for (u32 axis = 0; axis < 3; ++axis) {
            Bin& bin = b[axis][binning.bin(p.center, axis)];
            bin.box.include(p.box);
            ++bin.count;
          }
        },
        [](Bins a, const Bins& b) {
          for (u32 axis = 0; axis < 3; ++axis)
            for (u32 i = 0; i < kBins; ++i) a[axis][i].include(b[axis][i]);
          return a;
        });
    const float whole_area = max_of(extents.box.half_area(), 1.0e-37f);
    Split best;
    for (u32 axis = 0; axis < 3; ++axis) {
      if (component(binning.scale, axis) == 0.0f) continue;
      std::array<float, kBins> right_cost{};  // of bins (i, kBins)
      Bin right;
      for (u32 i = kBins - 1; i > 0; --i) {
        right.include(bins[axis][i]);
        right_cost[i - 1] =
            right.count == 0 ? -1.0f : right.box.half_area() * static_cast<float>(right.count);
      }
      Bin left;
      for (u32 i = 0; i + 1 < kBins; ++i) {
        left.include(bins[axis][i]);
        if (left.count == 0 || right_cost[i] < 0.0f) continue;
        const float left_cost = left.box.half_area() * static_cast<float>(left.count);
        const float cost = kTraversalCost + (left_cost + right_cost[i]) / whole_area;
        if (cost < best.cost) best = {cost, axis, i};
      }
    }
    return best;
  }

  /// Copies the subtree in `slot` to tree.nodes[index], children behind their parent.
  void pack(Bvh2& tree, u32 slot, u32 index) const {
    const BuildNode& from = nodes_[slot];
    if (from.count > 0) {
      tree.nodes[index] = {from.box, from.begin, from.count};
      return;
    }
    const u32 first = static_cast<u32>(tree.nodes.size());
    tree.nodes[index] = {from.box, first, 0};
    tree.nodes.resize(first + 2);
    pack(tree, from.left, first);
    pack(tree, from.right, first + 1);
  }

  std::vector<Primitive> primitives_;
  std::vector<BuildNode> nodes_;
};

}  // namespace

Bvh2 build_binned_sah(const Mesh& mesh) {
  mesh.require_valid();
  return Build(mesh).run();
}

}  // namespace ballotcast
