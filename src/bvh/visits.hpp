// Counts the nodes and triangles that rays visit in a tree. If triangles were cut, the boxes alone
// do not tell which of two trees is faster. Host and device share this code.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/ploc/keys.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {

/// The number of rays that are cast to compare trees.
inline constexpr u32 kSampleRays = 8192;

/// Walks ray number i through a tree, to the closest triangle, and adds its visits to `sum`. The
/// rays are the same on every machine: each goes from a random point of the root's box towards
/// another one.
struct CountVisits {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 i, ploc::TriangleView triangles, const Node2* nodes,
                         const u32* order, u64* sum) {
    lane.fetch_add(sum, visits_of(i, triangles, nodes, order));
  }

 private:
  struct Line {
    vec3 origin, direction, inverse;
  };

  BC_HD static vec3 random_point(const Aabb& box, u32 seed) {
    const vec3 extent = box.high - box.low;
    const auto random = [&](u32 k) {
      return static_cast<float>(hash_pair(seed, k) >> 8) * 0x1p-24f;
    };
    return {box.low.x + extent.x * random(0), box.low.y + extent.y * random(1),
            box.low.z + extent.z * random(2)};
  }

  BC_HD static u32 visits_of(u32 i, const ploc::TriangleView& triangles, const Node2* nodes,
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

  /// The distance at which the line enters a box; very large if it does not enter it before `t`.
  BC_HD static float entry_of(const Line& line, const Aabb& box, float t) {
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

  /// Lowers `t` if the line meets the triangle before `t`.
  BC_HD static void shorten(const Line& line, const ploc::TriangleView& mesh, u32 id, float& t) {
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

}  // namespace ballotcast::detail
