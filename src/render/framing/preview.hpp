// Previews: small pictures that are cast on the CPU to choose what a request does not give: a
// camera, and the range of distances that a picture shows.
#pragma once

#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// The factor by which to reduce the sides of a preview with `rays` rays: 1, or less if very many
/// triangles overlap, so that the preview does not take too long. It depends only on the mesh,
/// because a choice that is made with a preview must be the same with every tree.
double preview_scale(const PreparedScene& scene, double rays);

/// Rays and their closest hits. The rays of a picture go through the centres of its pixels, row by
/// row from the top.
struct PreviewHits {
  std::vector<Ray> rays;
  std::vector<Hit> hits;

  void cast(ResidentScene& resident, const HitFilter& filter = {});
};

/// Casts a picture of columns x rows pixels. `view` must have been made for this size.
PreviewHits cast_preview(ResidentScene& resident, const CameraView& view, u32 columns, u32 rows,
                         const HitFilter& filter = {});

/// The smallest, the median and the largest distance in a picture of width x height pixels. They
/// are found with a grid of rays that are cast on the CPU, so they do not depend on tree or device.
/// `filter` is that of the picture.
DepthRange range_seen(const PreparedScene& scene, const Camera& camera, u32 width, u32 height,
                      const HitFilter& filter);

}  // namespace ballotcast::detail
