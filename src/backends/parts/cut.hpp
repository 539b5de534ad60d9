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
//
// Instances are cut as triangles are. A mesh has a tree in each part that has an instance of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/scene/prepare.hpp"

namespace ballotcast::detail {

/// A part of a scene. It can be uploaded as a scene is, but only to cast rays at it.
struct ScenePart {
  std::shared_ptr<const PreparedScene> prepared;
  Aabb box;
};

/// Cuts a scene into `count` parts, or fewer if it has fewer triangles; a scene with instances into
/// parts of instances, each with the trees of their meshes. Builds the trees of the parts, with the
/// builder and the layout of the whole. Throws UsageError for a scene with several worlds.
std::vector<ScenePart> cut_into_parts(const std::shared_ptr<const PreparedScene>& whole, u32 count,
                                      const BuildTree& build);

}  // namespace ballotcast::detail
