// Writes what the page shows about a scene, its choices and each picture, as JSON. Also: the boxes
// of the tree, the explanation of a pixel, and the work of the lanes of a block.
#pragma once

#include <vector>

#include "ballotcast/renderer.hpp"
#include "kernels/strategies/strategy.hpp"
#include "math/aabb.hpp"
#include "support/json_fwd.hpp"
#include "view/show.hpp"

namespace ballotcast::detail {

/// The name of the group of lanes that reports with one atomic: "lane", "warp", "block", "none"; ""
/// if the group varies.
std::string_view name_of(AtomicsPer atomics_per);

/// Everything that the page needs before its first picture: the scene, its camera, light and box,
/// the device, and the names of each choice. `renderer` is that of the first picture.
Json facts_of(const Show& show, const Renderer& renderer);

/// What the page shows beside a picture: its settings, times and counts. `milliseconds` is the time
/// from the request until the picture was drawn.
Json facts_of(const PictureRequest& request, const Renderer& renderer, const Frame& frame,
              double milliseconds);

/// The largest number of boxes in one answer.
inline constexpr std::size_t kMostBoxes = 4096;

/// The boxes of one level of a tree, relative to SceneData::origin.
struct LevelOfBoxes {
  std::vector<Aabb> boxes;
  u32 level = 0;  // the level of these boxes; if the requested level has too many, a level above it
  bool whole = true;  // false if the requested level has too many boxes
};

/// The boxes of the tree's nodes `level` levels below the root, and of the leaves above that level.
/// In a scene with instances, these are boxes of the tree over the instances of world 0.
LevelOfBoxes boxes_of_level(const Renderer& renderer, u32 level);

/// The answer to a click on a pixel: the explanation of its ray by `ballotcast explain`, as JSON
/// and as text. Throws in the same cases as Renderer::explain.
Json explained_pixel(Renderer& renderer, const RenderSettings& settings, u32 x, u32 y);

/// The work of the lanes of one block that casts the rays of a square of pixels around pixel (x,
/// y).
///
///   lane i is pixel (i % 16, i / 16) of the square. In pass p, lane i stages a leaf if
///   visits[i] > p. The strategy decides how this is reported.
///
/// `emulated` must use the device emulated. It runs the block, lane by lane, with the pipeline
/// passes and the strategy of `settings`. The answer contains its counter. Throws UsageError if the
/// strategy can't report for that pipeline.
Json lanes_of_block(Renderer& emulated, const RenderSettings& settings, u32 x, u32 y);

}  // namespace ballotcast::detail
