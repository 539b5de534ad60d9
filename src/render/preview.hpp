// Previews: small pictures that are drawn first, to choose a camera or an exposure.
#pragma once

#include <vector>

#include "backends/backend.hpp"
#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// By how much to shrink the sides of a preview that would cast `rays` rays: a factor of 1, or less
/// if very many triangles overlap, so that the preview does not take too long. It depends only on
/// the mesh, because the choice made with a preview must be the same with every tree.
double preview_scale(const PreparedScene& scene, double rays);

/// The closest hits of rays through the middles of all pixels, row by row from the top.
struct PreviewHits {
  std::vector<Ray> rays;
  std::vector<Hit> hits;
};

/// Casts a picture of columns x rows pixels. `view` must be made for this size.
PreviewHits cast_preview(ResidentScene& resident, const CameraView& view, u32 columns, u32 rows);

}  // namespace ballotcast::detail
