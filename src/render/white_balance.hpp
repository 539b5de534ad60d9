// Chooses the colour of light that looks white in a picture.
#pragma once

#include "backends/prepare.hpp"
#include "image/white_balance.hpp"

namespace ballotcast::detail {

/// The colour that looks white in a picture with this wish: linear, with luminance 1. From lights,
/// it is the colour of all light that falls on a card which faces the sun, taken only in part:
/// nine tenths for lamps, because eyes get used to them, and three tenths for sun and sky, so that
/// an evening stays warm. It depends only on the scene, not on the camera.
dvec3 white_for(const WhiteBalance& wish, const PreparedScene& scene);

}  // namespace ballotcast::detail
