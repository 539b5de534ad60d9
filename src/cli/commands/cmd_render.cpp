// ballotcast render: draws a picture of a scene, its frames, or what several cameras see.
#include <future>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "backends/device/memory_plan.hpp"
#include "ballotcast/threads.hpp"
#include "cli/command.hpp"
#include "cli/commands/picture_series.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "render/remarks.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Chooses a backend in another thread. The first call of a GPU's driver takes a few tenths of a
/// second, in which this thread can load files.
class DeviceStart {
 public:
  /// Starts choose_device(name) in a thread. If no thread can be started, `choice` calls it.
  explicit DeviceStart(std::string name)
      : choice_(std::async(std::launch::async | std::launch::deferred, [name = std::move(name)] {
                  const ProfileSpan span("start the device");
                  return choose_device(name);
                }).share()) {}

  /// Waits for the device. Each call throws what choose_device has thrown.
  const DeviceChoice& choice() const { return choice_.get(); }

 private:
  std::shared_future<DeviceChoice> choice_;
};

}  // namespace

LoadedScene load_meanwhile(const RenderRequest& r, RenderTimes& times) {
  const DeviceStart device(r.casting.renderer.device);
  const Stopwatch whole;
  const auto wait = [&] {
    const Stopwatch waiting;
    device.choice();
    times.device += waiting.milliseconds();
  };
  const auto building = [&] {
    wait();
    return build_on(device.choice(), r.casting.renderer.max_memory);
  };
  try {
    CachedScene scene =
        load(r.scene.scene, r.scene.cache, {r.casting.renderer.builder, r.casting.renderer.layout},
             building, wait);
    times.build = scene.build_ms;
    times.cache = scene.write_ms;
    times.load = whole.milliseconds() - times.device - times.build - times.cache;
    wait();
    return {std::move(scene), device.choice().backend};
  } catch (const Error&) {
    device.choice();
    throw;
  }
}

Renderer make_ready(const Scene& scene, const RenderRequest& r) {
  Renderer renderer = [&] {
    ProgressBar bar("triangles");
    RendererOptions options = r.casting.renderer;
    options.progress = bar.report();
    return Renderer(scene, options);
  }();
  let_leader_have_all(renderer);  // other processes do not write the picture
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  remark_tree(prepared_of(renderer));
  return renderer;
}

namespace {

/// Throws UsageError if `option`, which only works for single pictures, is given for a series.
void require_series(const RenderRequest& r, const std::string& option) {
  if (!r.hits.empty()) throw UsageError("--hits and " + option + " can't be used together");
  if (r.timing)
    throw UsageError("--timing and " + option + " can't be used together; --json has times");
}

int draw_frames(const RenderRequest& r) {
  require_series(r, "--frames");
  if (!r.scene.cache.folder.empty())
    throw UsageError("--cache and --frames can't be used together");
  return render_frames(
      {r.scene, picture_of(r), r.casting.renderer, wanted_outputs(r), r.output, *r.frames, r.json});
}

/// Draws the views of several cameras.
int draw_cameras(const RenderRequest& r) {
  require_series(r, "--cameras");
  const Stopwatch whole;
  RenderTimes times;
  const NumberedName name = name_for_cameras(r);
  const CachedScene loaded = load_meanwhile(r, times).scene;
  const WantedOutputs wanted = wanted_outputs(r);
  require_exact(wanted, r.output, *loaded.scene);
  for (u32 i = 0; i < r.several.size(); ++i)
    for (const std::string& path : paths_of(wanted, name.of(i, r.several[i].name)))
      require_none_of("-o", path, loaded.scene->all_files());
  Renderer renderer = make_ready(loaded.scene, r);

  RenderRequest common = r;
  common.several.clear();  // each camera gets a copy of `common` without this list
  std::set<std::string> notes;
  std::vector<std::string> blind;
  const SeriesRequest request{wanted, r.output, 0, r.json, "camera"};
  PictureSeries series(renderer, request);
  const auto prepare = [&](u32 i) -> SeriesPicture {
    const FileCamera& camera = r.several[i];
    const RenderSettings settings = picture_of(through_camera(common, camera));
    const Camera seen = complete(renderer.resolved(settings).camera);
    notes.insert(unseen_corners(seen, settings.width, settings.height));
    if (!sees_anything(prepared_of(renderer), seen, settings.width, settings.height)) {
      blind.push_back(one_line(camera.image));
      if (r.scene.scene.strict)
        throw InputError(r.cameras + ": camera '" + blind.back() +
                         "' sees nothing of the scene, which --strict makes an error");
    }
    return {camera.image, name.of(i, camera.name), settings};
  };
  const auto reports = series.draw(static_cast<u32>(r.several.size()), prepare);
  if (is_in_front()) {
    for (const std::string& note : notes)
      if (!note.empty()) remark("note: " + note);
    if (!blind.empty())
      remark("warning: " + std::to_string(blind.size()) + " of " +
             counted(r.several.size(), "camera") + " see nothing of the scene; the first is '" +
             blind.front() + "'");
  }
  series.print_report(reports, whole.milliseconds());
  return 0;
}

int render(const RenderRequest& request) {
  RenderTimes times;
  times.start = process_milliseconds();
  if (!request.profile.empty()) start_profile(times.start);
  const Stopwatch checking;
  const RenderRequest r = with_cameras(request);
  check(r);
  times.check = checking.milliseconds();
  const int code = r.frames             ? draw_frames(r)
                   : !r.several.empty() ? draw_cameras(r)
                                        : draw_picture(r, times);
  if (!r.profile.empty() && is_in_front()) write_text_atomically(r.profile, profile_as_json());
  return code;
}

}  // namespace

Command render_command() {
  const auto request = std::make_shared<RenderRequest>();
  return {"render", "draws a picture of a scene", render_options(*request),
          [request] {
            int code = 0;
            with_threads(request->casting.threads, [&] { code = render(*request); });
            return code;
          },
          true};
}

}  // namespace ballotcast::detail
