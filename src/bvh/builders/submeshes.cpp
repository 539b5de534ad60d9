#include "bvh/builders/submeshes.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "ballotcast/error.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/builders/subtrees.hpp"
#include "bvh/ploc/host_join.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

std::atomic<u64> most_now{kMostAtOnce};

constexpr std::size_t kGrainOfNodes = 1 << 16;  // nodes per task; far more work than starting it

/// Triangles sorted by the cells of a grid.
class Cells {
 public:
  /// The grid has 2^kBits cells. With more cells, submeshes have more even sizes, but each task
  /// that sorts triangles needs more counters.
  static constexpr u32 kBits = 14;
  static constexpr u32 kCount = 1u << kBits;

  Cells(const Mesh& mesh, std::vector<u32>& ids)
      : mesh_(mesh),
        grid_(ploc::grid_of({mesh.positions.data(), mesh.triangles.data(), ids.data(),
                             static_cast<u32>(ids.size())})) {
    sort(ids);
  }

  /// The position of the first element of a cell in the sorted ids.
  std::size_t begin(u32 cell) const { return begins_[cell]; }

 private:
  u32 cell_of(u32 id) const {
    const vec3 center = ploc::center_of(mesh_.bounds_of(id));
    return static_cast<u32>(ploc::key_of(grid_, center) >> (ploc::kKeyBits - kBits));
  }

  /// A counting sort. The ids in a cell keep their order. Each range of elements has its own
  /// counters, so the result is the same for any number of threads.
  void sort(std::vector<u32>& ids) {
    const std::size_t ranges = std::clamp<std::size_t>(ids.size() / kCount, 1, 64);
    const auto first_of = [&](std::size_t range) { return ids.size() * range / ranges; };
    std::vector<u32> places(ranges * kCount, 0);
    const auto for_each = [&](auto visit) {
      for_each_index(ranges, [&](std::size_t range) {
        u32* const own = places.data() + range * kCount;
        for (std::size_t i = first_of(range); i < first_of(range + 1); ++i)
          visit(own[cell_of(ids[i])], ids[i]);
      });
    };
    for_each([](u32& place, u32) { ++place; });
    begins_.reserve(kCount + 1);
    u32 before = 0;
    for (u32 cell = 0; cell < kCount; ++cell) {
      begins_.push_back(before);
      for (std::size_t range = 0; range < ranges; ++range)
        before += std::exchange(places[range * kCount + cell], before);
    }
    begins_.push_back(before);
    std::vector<u32> sorted(ids.size());
    for_each([&](u32& place, u32 id) { sorted[place++] = id; });
    ids.swap(sorted);
  }

  const Mesh& mesh_;
  const ploc::KeyGrid grid_;
  std::vector<u32> begins_;
};

/// The number of pairs of nodes that are added if a leaf of `count` triangles is halved until its
/// parts are small enough for kSmallLeaves.
u32 pairs_below(u32 count) {
  return count <= kLargestSmallLeaf ? 0
                                    : 1 + pairs_below(count / 2) + pairs_below(count - count / 2);
}

/// Halves the leaf at `index`, again and again. New pairs of nodes are stored from `next` on, which
/// is set to the index after them.
void halve_leaf(const Mesh& mesh, std::size_t index, std::size_t& next, BinaryTree& tree) {
  const Node2 leaf = tree.nodes[index];
  if (leaf.count <= kLargestSmallLeaf) return;
  const std::size_t first = std::exchange(next, next + 2);
  const u32 left = leaf.count / 2;
  tree.nodes[index] = {leaf.box, static_cast<u32>(first), 0};
  tree.nodes[first] = {{}, leaf.first, left};
  tree.nodes[first + 1] = {{}, leaf.first + left, leaf.count - left};
  for (const std::size_t side : {first, first + 1}) {
    Node2& half = tree.nodes[side];
    for (u32 i = half.first; i < half.first + half.count; ++i) {
      const Aabb whole = mesh.bounds_of(tree.order[i]);
      half.box.include(Aabb{max_of(whole.low, leaf.box.low), min_of(whole.high, leaf.box.high)});
    }
    halve_leaf(mesh, side, next, tree);
  }
}

/// The number of inner nodes on the longest path down from `node`, which is at `level`.
u32 height_of(const BinaryTree& tree, u32 node, u32 level) {
  constexpr u32 kLevelsInParallel = 9;  // up to 2^9 tasks: enough to keep all threads busy
  const Node2& at = tree.nodes[node];
  if (at.is_leaf()) return 0;
  u32 left = 0, right = 0;
  const auto measure_left = [&] { left = height_of(tree, at.first, level + 1); };
  const auto measure_right = [&] { right = height_of(tree, at.first + 1, level + 1); };
  if (level < kLevelsInParallel) {
    in_parallel(measure_left, measure_right);
  } else {
    measure_left();
    measure_right();
  }
  return 1 + std::max(left, right);
}

/// Halves the leaves of a tree until all leaves are small enough for kSmallLeaves.
void halve_leaves(const Mesh& mesh, BinaryTree& tree) {
  const std::size_t nodes = tree.nodes.size(), ranges = (nodes + kGrainOfNodes - 1) / kGrainOfNodes;
  const auto for_leaves = [&](auto visit) {
    for_each_index(ranges, [&](std::size_t range) {
      const std::size_t begin = range * kGrainOfNodes, end = std::min(nodes, begin + kGrainOfNodes);
      for (std::size_t i = begin; i < end; ++i)
        if (tree.nodes[i].is_leaf()) visit(range, i);
    });
  };
  // At first the number of added nodes, then the index of the next node
  std::vector<std::size_t> next(ranges, 0);
  for_leaves([&](std::size_t range, std::size_t i) {
    next[range] += 2 * pairs_below(tree.nodes[i].count);
  });
  std::size_t end = nodes;
  for (std::size_t& place : next) end += std::exchange(place, end);
  tree.nodes.resize(end);
  for_leaves([&](std::size_t range, std::size_t i) { halve_leaf(mesh, i, next[range], tree); });
  tree.depth = height_of(tree, 0, 0);
}

class SubmeshBuilder {
 public:
  SubmeshBuilder(const Mesh& mesh, FunctionRef<BinaryTree(const Mesh& submesh)> build,
                 const Progress& report, u64 all)
      : mesh_(mesh), build_(build), report_(report), all_(all), most_(most_at_once() / 2 + 1) {}

  BinaryTree run(std::vector<u32> ids) {
    tree_.nodes.resize(1);
    add(std::move(ids), 0, 0);
    tree_ = shallow(std::move(tree_));
    tree_.leaves = kSmallLeaves;
    return std::move(tree_);
  }

 private:
  /// Adds a tree of the triangles `ids`. Its root is stored at `index`, at level `depth` of the
  /// whole tree.
  void add(std::vector<u32> ids, u32 index, u32 depth) {
    if (ids.size() <= most_) return add_submesh(ids, index, depth);
    const Cells cells(mesh_, ids);
    add_cells(ids, cells, 0, Cells::kCount, index, depth);
  }

  /// As `add`, for the triangles in cells [first, first + count) of a grid.
  void add_cells(const std::vector<u32>& ids, const Cells& cells, u32 first, u32 count, u32 index,
                 u32 depth) {
    const std::size_t begin = cells.begin(first), end = cells.begin(first + count);
    const auto part = [&](std::size_t from, std::size_t to) {
      return std::vector<u32>(ids.begin() + static_cast<std::ptrdiff_t>(from),
                              ids.begin() + static_cast<std::ptrdiff_t>(to));
    };
    if (end - begin <= most_) return add_submesh(part(begin, end), index, depth);
    if (count > 1) {
      const u32 half = count / 2;
      const std::size_t middle = cells.begin(first + half);
      if (middle == begin) return add_cells(ids, cells, first + half, half, index, depth);
      if (middle == end) return add_cells(ids, cells, first, half, index, depth);
      return add_both(
          index, [&](u32 at) { add_cells(ids, cells, first, half, at, depth + 1); },
          [&](u32 at) { add_cells(ids, cells, first + half, half, at, depth + 1); });
    }
    // If a cell has too many triangles, it is divided by another grid, unless all its triangles are
    // at the same position.
    if (end - begin < ids.size()) return add(part(begin, end), index, depth);
    const std::size_t middle = begin + (end - begin) / 2;
    add_both(
        index, [&](u32 at) { add(part(begin, middle), at, depth + 1); },
        [&](u32 at) { add(part(middle, end), at, depth + 1); });
  }

  /// Adds a node at `index`, and two subtrees below it.
  template <class Left, class Right>
  void add_both(u32 index, Left add_left, Right add_right) {
    const std::size_t first = tree_.nodes.size();
    tree_.nodes.resize(first + 2);
    add_left(static_cast<u32>(first));
    add_right(static_cast<u32>(first + 1));
    Aabb box = tree_.nodes[first].box;
    box.include(tree_.nodes[first + 1].box);
    tree_.nodes[index] = {box, static_cast<u32>(first), 0};
  }

  void add_submesh(const std::vector<u32>& ids, u32 index, u32 depth) {
    BinaryTree submesh;
    {
      const Mesh mesh = loose_mesh(mesh_, ids);
      submesh = build_(mesh);
      halve_leaves(mesh, submesh);
    }
    for_each_range<std::size_t>(submesh.order.size(), kGrainOfNodes,
                                [&](std::size_t begin, std::size_t end) {
                                  for (std::size_t i = begin; i < end; ++i)
                                    submesh.order[i] = ids[submesh.order[i]];
                                });
    if (tree_.order.size() + submesh.order.size() > kMostTriangles)
      throw InputError("the fragments of cut triangles are more than " +
                       std::to_string(kMostTriangles) + "; a builder that cuts none needs fewer");
    done_ += ids.size();
    make_room(submesh);
    add_whole({submesh.nodes.data(), submesh.order.data(), static_cast<u32>(submesh.nodes.size()),
               static_cast<u32>(submesh.order.size()), submesh.depth},
              index, depth, tree_);
    if (report_) report_(done_, all_);
  }

  /// Makes room for the tree of a submesh. If memory must grow, reserves the probable size of the
  /// whole mesh, because growing by doubling would take 50 % more memory.
  void make_room(const BinaryTree& submesh) {
    const auto grow = [&](auto& array, std::size_t more) {
      const std::size_t needed = array.size() + more;
      if (needed <= array.capacity()) return;
      const double rest = static_cast<double>(all_) / static_cast<double>(done_);
      array.reserve(static_cast<std::size_t>(1.02 * rest * static_cast<double>(needed)));
      ask_for_large_pages(array.data() + array.size(),
                          (array.capacity() - array.size()) * sizeof array[0]);
    };
    grow(tree_.nodes, submesh.nodes.size());
    grow(tree_.order, submesh.order.size());
  }

  const Mesh& mesh_;
  const FunctionRef<BinaryTree(const Mesh& submesh)> build_;
  const Progress& report_;
  const u64 all_;
  const u64 most_;  // largest number of triangles in a submesh
  BinaryTree tree_;
  u64 done_ = 0;
};

}  // namespace

u64 most_at_once() { return most_now; }

FewerAtOnce::FewerAtOnce(u64 most) { most_now = most; }
FewerAtOnce::~FewerAtOnce() { most_now = kMostAtOnce; }

void require_at_once(u64 triangles) {
  if (triangles > most_at_once())
    throw InputError(std::to_string(triangles) + " triangles for one tree; the limit is " +
                     std::to_string(most_at_once()) +
                     " for a mesh of instances, and for rebuilding on a device");
}

LeafForm form_of_leaves(u64 triangles) {
  return triangles > most_at_once() ? kSmallLeaves : LeafForm{};
}

BinaryTree build_from_submeshes(const Mesh& mesh, const Copies& copies,
                                FunctionRef<BinaryTree(const Mesh& submesh)> build,
                                const Progress& report) {
  std::vector<u32> ids = without_copies(copies, mesh.triangles.size());
  if (copies.ids.empty()) {
    ids.resize(mesh.triangles.size());
    std::iota(ids.begin(), ids.end(), 0u);
  }
  const u64 all = ids.size();
  return SubmeshBuilder(mesh, build, report, all).run(std::move(ids));
}

}  // namespace ballotcast::detail
