// Chooses values that a request does not give: the camera of a scene without a camera, and the
// range of distances that a picture shows. For this it casts small pictures.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

class SceneFrames;

/// The default field of view, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera with the scene's up direction and kFramingFov. The caller must set eye and look_at.
Camera default_camera(const SceneData& scene);

/// Chooses cameras for a scene. Data that all of them need is computed once, when it is first
/// needed.
class Framing {
 public:
  /// `scene` must outlive this object and must not change.
  explicit Framing(const PreparedScene& scene);
  ~Framing();
  Framing(const Framing&) = delete;
  Framing& operator=(const Framing&) = delete;

  const PreparedScene& scene() const { return scene_; }
  /// The scene on the CPU. The scene must not be empty.
  ResidentScene& resident();

  /// Chooses a camera. If the scene is an interior (Lookout), the camera is inside. Otherwise it
  /// sees the whole scene, which fills 88 % of the picture's height or width. Several common views
  /// are tried in order. A later view is used only if it shows clearly fewer backs of surfaces; so
  /// a room without a front wall is seen through its open side. `aspect` is width / height.
  /// `given_fov` is vertical, in degrees; if absent, it is kFramingFov, or kInsideFov inside.
  /// Throws InputError if the camera would be beyond the largest coordinate.
  Camera camera(double aspect, std::optional<double> given_fov = {});

 private:
  struct Found;
  Found& found();
  Camera chosen(double aspect, std::optional<double> given_fov);

  const PreparedScene& scene_;
  std::unique_ptr<Found> found_;
};

/// Moves `camera`, which sees the whole scene in frame 0, so that it sees all frames. The camera is
/// the same for all frames, because if it followed moving objects, everything else would shake. A
/// camera inside of the scene is not moved. `scene` must be in frame 0.
Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect);

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
