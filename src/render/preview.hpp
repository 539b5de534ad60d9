// Previews: small pictures that are drawn first, to choose a camera or an exposure.
#pragma once

#include "backends/prepare.hpp"

namespace ballotcast::detail {

/// By how much to shrink the sides of a preview that would cast `rays` rays: a factor of 1, or less
/// if very many triangles overlap, so that the preview does not take too long. It depends only on
/// the mesh, because the choice made with a preview must be the same with every tree.
double preview_scale(const PreparedScene& scene, double rays);

}  // namespace ballotcast::detail
