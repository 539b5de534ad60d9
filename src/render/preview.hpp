// Previews: small pictures ahead of the one that is wanted, to choose a camera or an exposure by.
#pragma once

#include "backends/prepare.hpp"

namespace ballotcast::detail {

/// By what the sides of a preview of `rays` rays are to be multiplied: 1, or less where very many
/// triangles overlap, so that it doesn't take longer than people wait. It depends on the mesh
/// alone, for what is chosen by a preview must be the same with every tree.
double preview_scale(const PreparedScene& scene, double rays);

}  // namespace ballotcast::detail
