#include <charconv>

#include "cli/commands/picture_series.hpp"
#include "cli/output.hpp"
#include "render/framing/framing.hpp"
#include "render/internals.hpp"
#include "scene/camera/camera.hpp"
#include "scene/motion/frames.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

/// The scene at the first frame. Throws UsageError if nothing in it moves.
SceneFrames opened(const FramesRequest& request) {
  SceneRequest scene = request.scene.scene;
  scene.frame = request.frames.first;
  SceneFrames frames(scene, remark_warnings);
  if (frames.are_all_the_same())
    throw UsageError("frames: '" + scene.file + "' has no animation to play");
  return frames;
}

RendererOptions options_of(const FramesRequest& request) {
  RendererOptions options = request.renderer;
  options.moves = true;
  return options;
}

}  // namespace

Setter set_frames(std::optional<FrameRange>& target) {
  return [&target](const std::string& name, const std::string& text) {
    const auto number = [&](std::string_view digits) {
      u32 value = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc{} || end != digits.data() + digits.size() || value > kLastFrame)
        throw UsageError(name + " '" + text + "': needs A..B, numbers of frames from 0 to " +
                         std::to_string(kLastFrame) + ", like 0..99");
      return value;
    };
    const std::size_t dots = text.find("..");
    const u32 first = number(std::string_view(text).substr(0, dots));
    const u32 last = dots == text.npos ? first : number(std::string_view(text).substr(dots + 2));
    if (last < first)
      throw UsageError(name + " '" + text + "': the last frame comes before the first");
    target = FrameRange{first, last};
  };
}

int render_frames(const FramesRequest& r) {
  const NumberedName name = numbered_name(r.output, "--frames", false);
  const std::string first = name.of(r.frames.first), last = name.of(r.frames.last);
  for (const std::string& path : {first, last}) {
    if (is_stdout(path)) throw UsageError("--frames: pictures can't go to stdout");
    require_writable(path);
  }
  const Stopwatch whole;
  const SceneFrames frames = opened(r);
  Renderer renderer(Scene(frames.scene()), options_of(r));
  let_leader_have_all(renderer);  // nobody else writes pictures
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  require_exact(r.wanted, r.output, *renderer.scene().data());
  for (const std::string& frame : {first, last})
    for (const std::string& path : paths_of(r.wanted, frame))
      require_none_of("-o", path, renderer.scene().data()->all_files());

  u32 shown = r.frames.first;
  RenderSettings settings = r.settings;
  std::string shading;  // known once a frame is resolved or drawn
  const auto show = [&](u32 number) {
    if (number == shown) return;
    // The shading `visits` depends on the tree, so rebuild it as if the frame were drawn alone.
    const bool is_new = shading == "visits";
    become(renderer, frames.in(number), is_new ? Follow::rebuild : Follow::automatic);
    shown = number;
  };
  if (!frames.scene()->camera && !(settings.camera.eye && settings.camera.look_at)) {
    // The camera must frame the scene of the first frame, and not follow what moves.
    show(0);
    const RenderSettings resolved = renderer.resolved(r.settings);
    const bool is_placed = settings.camera.eye || settings.camera.look_at;
    settings.camera = resolved.camera;
    shading = resolved.shading;
    const double aspect =
        double(resolved.width) / resolved.height * resolved.camera.pixel_aspect.value_or(1.0);
    if (!is_placed)
      settings.camera =
          seeing_all_frames(complete(resolved.camera), prepared_of(renderer), frames, aspect);
  }
  const SeriesRequest request{r.wanted, r.output, r.scene.scene.frames_per_second, r.json, "frame"};
  PictureSeries series(renderer, request);
  const auto reports = series.draw(r.frames.count(), [&](u32 i) -> SeriesPicture {
    const u32 number = r.frames.first + i;
    if (i > 0) shading = series.settings().shading;
    show(number);
    return {number, name.of(number), settings};
  });
  series.print_report(reports, whole.milliseconds());
  return 0;
}

}  // namespace ballotcast::detail
