#include "bvh/tree_statistics.hpp"

#include <algorithm>

#include "bvh/host_build_machine.hpp"
#include "math/sampling.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

TreeStatistics statistics_of(const BinaryTree& tree) {
  if (tree.nodes.empty()) return {};
  const double whole = tree.nodes[0].box.half_area();
  const auto add = [&](std::size_t begin, std::size_t end, TreeStatistics s) {
    for (std::size_t i = begin; i < end; ++i) {
      const Node2& node = tree.nodes[i];
      const double chance = whole > 0.0 ? node.box.half_area() / whole : 1.0;
      if (node.is_leaf()) {
        ++s.leaves;
        s.largest_leaf = std::max(s.largest_leaf, node.count);
        s.sah_cost += chance * node.count;
      } else {
        s.sah_cost += chance;
      }
    }
    return s;
  };
  const auto join = [](TreeStatistics a, const TreeStatistics& b) {
    a.leaves += b.leaves;
    a.largest_leaf = std::max(a.largest_leaf, b.largest_leaf);
    a.sah_cost += b.sah_cost;
    return a;
  };
  TreeStatistics s = reduce_ranges<std::size_t>(0, tree.nodes.size(), std::size_t{1} << 14,
                                                TreeStatistics{}, add, join);
  s.nodes = tree.nodes.size();
  s.depth = tree.depth;
  s.triangles_per_leaf = static_cast<double>(tree.order.size()) / static_cast<double>(s.leaves);
  return s;
}

namespace {

// Counts the nodes and triangles that rays visit in a tree. If triangles were cut, the boxes alone
// do not tell which of two trees is faster.

/// The number of rays that are cast to compare trees: so many that a few unusual rays do not
/// matter, and so few that casting them takes little time.
constexpr u32 kSampleRays = 8192;

/// Traverses a tree with ray number i, up to the closest triangle, and adds the number of its
/// visits to `sum`. The rays are the same on every machine: each goes from one random point of the
/// root's box towards another random point.
struct CountVisits {
  template <class Lane>
  static void item(Lane& lane, u32 i, ploc::TriangleView triangles, const Node2* nodes,
                   const u32* order, u64* sum) {
    lane.fetch_add(sum, visits_of(i, triangles, nodes, order));
  }

 private:
  struct Line {
    vec3 origin, direction, inverse;
  };

  static vec3 random_point(const Aabb& box, u32 seed) {
    const vec3 extent = box.high - box.low;
    const auto random = [&](u32 k) {
      return static_cast<float>(hash_pair(seed, k) >> 8) * 0x1p-24f;
    };
    return {box.low.x + extent.x * random(0), box.low.y + extent.y * random(1),
            box.low.z + extent.z * random(2)};
  }

  static u32 visits_of(u32 i, const ploc::TriangleView& triangles, const Node2* nodes,
                       const u32* order) {
    Line line;
    line.origin = random_point(nodes[0].box, 2u * i);
    line.direction = random_point(nodes[0].box, 2u * i + 1u) - line.origin;
    line.inverse = {1.0f / line.direction.x, 1.0f / line.direction.y, 1.0f / line.direction.z};
    float t = 3.0e38f;
    u32 visits = 0, count = 0, open[kDeepestLevel + 2];
    open[count++] = 0;
    while (count > 0) {
      const Node2& node = nodes[open[--count]];
      ++visits;
      if (!(entry_of(line, node.box, t) <= t)) continue;
      if (node.count > 0) {
        visits += node.count;
        for (u32 k = 0; k < node.count; ++k) shorten(line, triangles, order[node.first + k], t);
        continue;
      }
      const bool second_first =
          entry_of(line, nodes[node.first + 1u].box, t) < entry_of(line, nodes[node.first].box, t);
      open[count++] = second_first ? node.first : node.first + 1u;
      open[count++] = second_first ? node.first + 1u : node.first;
    }
    return visits;
  }

  /// The distance at which the line enters a box; very large if it does not enter the box before
  /// `t`.
  static float entry_of(const Line& line, const Aabb& box, float t) {
    float enter = 0.0f, leave = t;
    const auto clip = [&](float low, float high, float origin, float inverse) {
      const float a = (low - origin) * inverse, b = (high - origin) * inverse;
      enter = max_of(min_of(a, b), enter);
      leave = min_of(max_of(a, b), leave);
    };
    clip(box.low.x, box.high.x, line.origin.x, line.inverse.x);
    clip(box.low.y, box.high.y, line.origin.y, line.inverse.y);
    clip(box.low.z, box.high.z, line.origin.z, line.inverse.z);
    return enter <= leave ? enter : 3.4e38f;
  }

  /// Lowers `t` to the distance of the triangle if the line meets the triangle before `t`.
  static void shorten(const Line& line, const ploc::TriangleView& mesh, u32 id, float& t) {
    const uvec3 corners = mesh.triangles[id];
    const vec3 a = mesh.positions[corners.x], ab = mesh.positions[corners.y] - a,
               ac = mesh.positions[corners.z] - a;
    const vec3 p = cross(line.direction, ac), from = line.origin - a, q = cross(from, ab);
    const float scale = 1.0f / dot(ab, p);
    const float u = dot(from, p) * scale, v = dot(line.direction, q) * scale;
    const float at = dot(ac, q) * scale;
    if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && at > 0.0f && at < t) t = at;
  }
};

}  // namespace

u64 visits_in(const BinaryTree& tree, const ploc::TriangleView& triangles) {
  u64 sum = 0;
  if (!tree.nodes.empty())
    HostBuildMachine().each_lane<CountVisits>("count visits", kSampleRays, triangles,
                                              tree.nodes.data(), tree.order.data(), &sum);
  return sum;
}

}  // namespace ballotcast::detail
