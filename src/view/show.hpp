// A scene that is shown, and the renderers that draw it.
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

/// The scene and its settings, unless a page asks for others.
struct ShowOptions {
  SceneRequest scene;
  CameraSettings camera;  // the parts that are given
  RendererOptions renderer;
};

/// Loads a scene and does what pages ask for. Calls of its functions must not overlap. All may
/// throw the errors of Renderer. `stop` (see stoppable) ends their work.
class Show {
 public:
  using Stop = std::function<bool()>;

  /// Loads the scene and builds its tree. Throws the errors of load_scene and of Renderer.
  explicit Show(ShowOptions options);

  /// Calls work(renderer) with the renderer for a request, at the frame that it asks for. If the
  /// program's own device fails, the CPU replaces it for good, and `work` is called again.
  void use(const PictureRequest& request, const Stop& stop,
           const std::function<void(Renderer&)>& work);

  const SceneData& scene() const { return *scene_; }
  const ShowOptions& options() const { return options_; }
  /// The camera of the first picture.
  Camera first_camera();
  /// Adds what only the program's options state, never pages: the projection, and where the picture
  /// lies before the eye.
  void state_projection(CameraSettings& camera) const;
  /// The last frame of a scene that moves; 0 if nothing does.
  u32 last_frame() const { return last_frame_; }
  /// True if the scene moves by animations of meshes. Then frame 0 may differ from the scene at
  /// rest.
  bool is_animated() const { return animated_; }
  /// The name and the description of the device. If it is not the requested device, also why not.
  std::string device() const { return renderers_.front().renderer->device(); }
  std::string device_description() const {
    return renderers_.front().renderer->device_description();
  }
  std::string remarks() const;

 private:
  /// A renderer, for one device and one tree.
  struct CachedRenderer {
    std::string key;  // renderer_key
    std::unique_ptr<Renderer> renderer;
    u32 frame = 0;
    u64 used = 0;  // when it was last used, by `clock_`
  };

  /// If no camera is given, gives a moving scene a camera that sees all frames.
  void see_all_frames();
  Renderer& renderer_for(const PictureRequest& request);
  /// The program's settings, with those that a request states.
  CastSettings settings_for(const PictureRequest& request) const;
  CachedRenderer new_renderer(const CastSettings& how);
  /// After the device has failed: lets the CPU draw from now on.
  void go_on_with_cpu(const std::string& why);

  ShowOptions options_;
  std::optional<SceneFrames> frames_;  // of a scene that moves
  std::shared_ptr<const SceneData> scene_;
  u32 last_frame_ = 0;
  bool animated_ = false;
  std::vector<CachedRenderer> renderers_;  // the first is that of the program's options
  u64 clock_ = 0;
  std::string lost_;  // why the device was given up, or ""
};

}  // namespace ballotcast::detail
