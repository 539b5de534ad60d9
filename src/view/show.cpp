#include "view/show.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"
#include "render/framing/framing.hpp"
#include "render/internals.hpp"
#include "scene/assemble.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/motion/frames.hpp"

namespace ballotcast::detail {

namespace {

/// The largest number of renderers: the program's own, one for each of two sides, and one for the
/// emulated lanes.
constexpr std::size_t kMostRenderers = 4;

}  // namespace

Show::Show(ShowOptions options) : options_(std::move(options)) {
  SceneRequest& request = options_.scene;
  if (request.meshes.empty() && !request.time && may_have_frames(request.file)) {
    SceneRequest first = request;
    first.frame = 0;
    frames_.emplace(first);
    last_frame_ = frames_->last_frame();
    animated_ = last_frame_ > 0 && frames_->are_animated();
    // A scene with only one frame is shown at rest.
    if (last_frame_ > 0 || !frames_->are_animated()) scene_ = frames_->scene();
    if (last_frame_ == 0) frames_.reset();
  }
  if (!scene_) scene_ = std::make_shared<const SceneData>(assemble(request));
  if (frames_) options_.renderer.moves = true;
  renderers_.push_back(new_renderer({options_.renderer}));
  see_all_frames();
}

void Show::see_all_frames() {
  CameraSettings& first_view = options_.camera;
  if (!frames_ || scene_->camera || first_view.eye || first_view.look_at) return;
  const Renderer& own = *renderers_.front().renderer;
  RenderSettings settings;
  settings.camera = first_view;
  const Camera first = complete(own.resolved(settings).camera);
  // Chooses a camera that sees all frames, also in square windows.
  const Camera camera = seeing_all_frames(first, prepared_of(own), *frames_, first.pixel_aspect);
  first_view.eye = camera.eye;
  first_view.look_at = camera.look_at;
  first_view.up = camera.up;
  first_view.fov = camera.fov;
}

CastSettings Show::settings_for(const PictureRequest& request) const {
  CastSettings casting{options_.renderer};
  const CastSettings used = settings_used(*renderers_.front().renderer, casting);
  for (const CastSetting& row : cast_settings()) {
    const auto chosen = request.machine_and_tree.find(row.key);
    // A page may choose the value that the program uses anyway; that needs no other renderer.
    if (chosen != request.machine_and_tree.end() && chosen->second != row.text(used))
      row.set(casting, "it", chosen->second);
  }
  return casting;
}

Show::CachedRenderer Show::new_renderer(const CastSettings& casting) {
  return {renderer_key(casting), std::make_unique<Renderer>(Scene(scene_), casting.renderer), 0,
          ++clock_};
}

Renderer& Show::renderer_for(const PictureRequest& request) {
  const CastSettings casting = settings_for(request);
  auto cached =
      std::find_if(renderers_.begin(), renderers_.end(),
                   [key = renderer_key(casting)](const CachedRenderer& s) { return s.key == key; });
  if (cached == renderers_.end()) {
    if (renderers_.size() == kMostRenderers)
      renderers_.erase(std::min_element(
          renderers_.begin() + 1, renderers_.end(),
          [](const CachedRenderer& a, const CachedRenderer& b) { return a.used < b.used; }));
    renderers_.push_back(new_renderer(casting));
    cached = renderers_.end() - 1;
  }
  cached->used = ++clock_;
  const u32 frame = std::min(request.frame, last_frame_);
  if (frames_ && cached->frame != frame) {
    // The shading `visits` depends on the tree. For it, the tree is rebuilt, so that the picture is
    // the same as that of the frame alone.
    const Follow mode = request.settings.shading == "visits" ? Follow::rebuild : Follow::automatic;
    change_scene(*cached->renderer, frames_->in(frame), mode);
    cached->frame = frame;
  }
  return *cached->renderer;
}

void Show::go_on_with_cpu(const std::string& why) {
  CastSettings casting{options_.renderer};
  casting.renderer.device = "cpu";
  std::vector<CachedRenderer> renderers;
  renderers.push_back(new_renderer(casting));
  renderers_ = std::move(renderers);
  options_.renderer.device = "cpu";
  lost_ = "the CPU draws from now on, because the device failed: " + why;
}

Camera Show::first_camera() {
  PictureRequest request;
  request.settings.camera = options_.camera;
  return complete(renderer_for(request).resolved(request.settings).camera);
}

void Show::add_projection_of_options(CameraSettings& camera) const {
  const CameraSettings& from_options = options_.camera;
  camera.pixel_aspect = from_options.pixel_aspect;
  camera.shift_x = from_options.shift_x;
  camera.shift_y = from_options.shift_y;
  camera.projection = from_options.projection;
  camera.distortion = from_options.distortion;
}

void Show::use(const PictureRequest& request, const Stop& stop,
               const std::function<void(Renderer&)>& work) {
  const auto attempt = [&] { stoppable(stop, [&] { work(renderer_for(request)); }); };
  try {
    attempt();
  } catch (const OutOfDeviceMemory&) {
    throw;  // a smaller picture may fit, so the error goes to the page
  } catch (const DeviceError& error) {
    // The CPU replaces only the program's own device, and only if that has failed.
    if (!request.device().empty() || device() == "cpu") throw;
    go_on_with_cpu(error.what());
    attempt();
  }
}

std::string Show::remarks() const {
  const Renderer& own = *renderers_.front().renderer;
  return !lost_.empty() ? lost_ : !own.losses().empty() ? own.losses() : own.note();
}

}  // namespace ballotcast::detail
