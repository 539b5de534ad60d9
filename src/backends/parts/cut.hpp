// A scene cut into parts, for machines that can't hold all of it.
//
// A part is a tree over some of the triangles: those whose centres lie together. The triangles keep
// their ids, and a walk through a part does the same arithmetic as one through the whole tree. So
// the closest hit of a ray is the closest of its hits in the parts, bit for bit.
//
//      +-----+---------+     4 parts: halves of halves, along the longest axis,
//      |     |    1    |     with as many triangles in each
//      |  0  +---------+
//      |     |         |     Boxes may overlap, because triangles reach beyond their centres.
//      +--+--+   3     |
//      | 2   |         |
//      +-----+---------+
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/prepare.hpp"

namespace ballotcast::detail {

/// The most parts. Each ray is tested against the box of every part.
inline constexpr u32 kMostParts = 64;

/// A part of a scene. It can be uploaded as a scene is, but only to cast rays at it.
struct ScenePart {
  std::shared_ptr<const PreparedScene> prepared;  // null if another process holds it
  Aabb box;
};

/// Cuts a scene into `count` parts, or fewer if it has fewer triangles. Builds the trees of those
/// for which is_here(number) is true, with the builder and the layout of the whole. Throws
/// UsageError for a scene with instances.
std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build,
                                      const std::function<bool(std::size_t part)>& is_here);

}  // namespace ballotcast::detail
