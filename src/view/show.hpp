// The scene that a page shows, and the renderers that draw it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "render/setting_tables.hpp"
#include "scene/motion/frames.hpp"
#include "view/request.hpp"

namespace ballotcast::detail {

/// The scene and the settings with which it is shown, unless a page requests others.
struct ShowOptions {
  SceneRequest scene;
  CameraSettings camera;  // the members of the camera that options have given
  RendererOptions renderer;
};

/// Loads a scene, and draws and explains it for pages. Its functions must not be called at the same
/// time. All may throw the errors of Renderer. `stop` (see stoppable) ends their work.
class Show {
 public:
  using Stop = std::function<bool()>;

  /// Loads the scene and builds its tree. Throws InputError if the scene can't be used, UsageError
  /// for invalid options, and DeviceError if the device fails.
  explicit Show(ShowOptions options);

  /// Calls work(renderer) with the renderer for a request, with the scene at the frame that it
  /// requests. If the program's own device fails, the CPU replaces it from then on, and `work` is
  /// called again.
  void use(const PictureRequest& request, const Stop& stop,
           const std::function<void(Renderer&)>& work);

  const SceneData& scene() const { return *scene_; }
  const ShowOptions& options() const { return options_; }
  /// The camera of the first picture.
  Camera first_camera();
  /// Copies to `camera` the members that only command-line options can choose, never pages: the
  /// projection, and the part of the image plane that the picture shows.
  void add_projection_of_options(CameraSettings& camera) const;
  /// The number of the last frame of a scene that moves; 0 if nothing moves.
  u32 last_frame() const { return last_frame_; }
  /// True if animations of meshes move the scene. Then frame 0 may differ from the scene at rest.
  bool is_animated() const { return animated_; }
  /// The name of the device in use, and its description. If it is not the requested device, the
  /// description also gives the reason.
  std::string device() const { return renderers_.front().renderer->device(); }
  std::string device_description() const {
    return renderers_.front().renderer->device_description();
  }
  std::string remarks() const;

 private:
  /// A renderer for one device and one tree.
  struct CachedRenderer {
    std::string key;  // renderer_key of its settings
    std::unique_ptr<Renderer> renderer;
    u32 frame = 0;
    u64 used = 0;  // value of `clock_` when it was last used
  };

  /// If no camera is given, chooses one for a moving scene that sees all frames.
  void see_all_frames();
  Renderer& renderer_for(const PictureRequest& request);
  /// The program's settings, with those of the request in their place.
  CastSettings settings_for(const PictureRequest& request) const;
  CachedRenderer new_renderer(const CastSettings& casting);
  /// Called after the device has failed with the message `why`: lets the CPU draw from now on.
  void go_on_with_cpu(const std::string& why);

  ShowOptions options_;
  std::optional<SceneFrames> frames_;  // the frames of a scene that moves
  std::shared_ptr<const SceneData> scene_;
  u32 last_frame_ = 0;
  bool animated_ = false;
  std::vector<CachedRenderer> renderers_;  // renderers; the first is that of the program's options
  u64 clock_ = 0;
  std::string lost_;  // why the requested device is no longer used, or ""
};

}  // namespace ballotcast::detail
