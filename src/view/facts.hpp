// What the page is told about a scene, its choices, and each picture, as JSON.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "support/json_fwd.hpp"
#include "view/show.hpp"

namespace ballotcast::detail {

/// "lane", "warp", "block", "none"; "" if it varies.
std::string_view name_of(AtomicsPer atomics_per);

/// Everything that the page shows before its first picture: the scene, its camera, light and box,
/// the device, and the names that each choice has. `renderer` is that of the first picture.
Json facts_of(const Show& show, const Renderer& renderer);

/// What the page shows beside a picture: its settings, times and counts. `milliseconds` is the time
/// from the wish to the picture.
Json facts_of(const Wish& wish, const Renderer& renderer, const Frame& frame, double milliseconds);

}  // namespace ballotcast::detail
