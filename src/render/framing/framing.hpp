// Chooses what a picture leaves open, by small pictures that are cast first: the camera of a scene
// without one, and the range of distances that a picture shows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "scene/camera/camera.hpp"

namespace ballotcast::detail {

class SceneFrames;

/// The default field of view, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera with the scene's up direction and kFramingFov. The caller sets eye and look_at.
Camera default_camera(const SceneData& scene);

/// Chooses cameras for a scene. What all of them need is found once, and only if it is needed.
class Framing {
 public:
  /// `scene` must outlive this object and stay as it is.
  explicit Framing(const PreparedScene& scene);
  ~Framing();
  Framing(const Framing&) = delete;
  Framing& operator=(const Framing&) = delete;

  const PreparedScene& scene() const { return scene_; }
  /// The scene on the CPU. It must not be empty.
  ResidentScene& resident();

  /// A camera inside of a scene that is an interior (Lookout). Of another scene: a camera that sees
  /// it as a whole and fills 88 % of the picture's height or width with it.
  /// It tries a few common views in order. A later view is taken only if it shows clearly fewer
  /// backs of surfaces, so a room without a front wall is seen through its open side. `aspect` is
  /// width / height; `stated_fov` is vertical, in degrees; if absent: kFramingFov, or kInsideFov
  /// inside. Throws InputError if such a camera would be beyond the largest coordinate.
  Camera camera(double aspect, std::optional<double> stated_fov = {});

 private:
  struct Found;
  Found& found();
  Camera chosen(double aspect, std::optional<double> stated_fov);

  const PreparedScene& scene_;
  std::unique_ptr<Found> found_;
};

/// Moves `camera`, which sees frame 0 of a scene as a whole, so that it sees all frames as a whole:
/// if it followed what moves, all else would shake. A camera inside of the scene stays. `scene` is
/// in frame 0.
Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect);

/// By how much to shrink the sides of a preview that would cast `rays` rays: a factor of 1, or less
/// if very many triangles overlap, so that the preview does not take too long. It depends only on
/// the mesh, because the choice made with a preview must be the same with every tree.
double preview_scale(const PreparedScene& scene, double rays);

/// Rays and their closest hits. Those of a picture go through the middles of its pixels, row by row
/// from the top.
struct PreviewHits {
  std::vector<Ray> rays;
  std::vector<Hit> hits;

  void cast(ResidentScene& resident, const HitFilter& filter = {});
};

/// Casts a picture of columns x rows pixels. `view` must be made for this size.
PreviewHits cast_preview(ResidentScene& resident, const CameraView& view, u32 columns, u32 rows,
                         const HitFilter& filter = {});

/// The nearest, the middle (median) and the farthest distance in a picture of width x height
/// pixels, from a grid of rays that are cast on the CPU. So it depends on neither tree nor device.
/// `filter`: that of the picture.
DepthRange range_seen(const PreparedScene& scene, const Camera& camera, u32 width, u32 height,
                      const HitFilter& filter);

}  // namespace ballotcast::detail
