// ballotcast render: draws a picture of a scene.
#include <algorithm>
#include <future>
#include <memory>
#include <string>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/threads.hpp"
#include "cli/command.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/this_process.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "render/framing.hpp"
#include "render/hits_file.hpp"
#include "render/internals.hpp"
#include "render/remarks.hpp"
#include "render/settings.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/processes/processes.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u64 kMostHitsBytes = u64{4} << 30;  // kept in memory; for more, --json gives no hash

/// Chooses a backend on a thread of its own. The first call of a GPU's driver takes a few tenths of
/// a second, in which this thread can load files.
class DeviceStart {
 public:
  /// Starts choose_device(name). If no thread can be made, `choice` calls it.
  explicit DeviceStart(std::string name)
      : choice_(std::async(std::launch::async | std::launch::deferred, [name = std::move(name)] {
                  return choose_device(name);
                }).share()) {}

  /// Waits for the device. Throws the errors of choose_device, at each call.
  const DeviceChoice& choice() const { return choice_.get(); }

 private:
  std::shared_future<DeviceChoice> choice_;
};

/// Loads the scene while the device starts. If something is wrong with both, the error is that of
/// the device. Sets `times.load`, and `times.device` to the time in which only the device was
/// waited for.
CachedScene load_meanwhile(const DeviceStart& device, const RenderRequest& r, RenderTimes& times) {
  const Stopwatch whole;
  const auto wait = [&] {
    const Stopwatch waiting;
    device.choice();
    times.device += waiting.milliseconds();
  };
  const auto building = [&] {
    wait();
    return build_on(device.choice(), r.renderer.max_memory);
  };
  try {
    CachedScene loaded =
        load(r.scene.scene, r.scene.cache, {r.renderer.builder, r.renderer.layout}, building, wait);
    times.build = loaded.build_ms;
    times.cache = loaded.write_ms;
    times.load = whole.milliseconds() - times.device - times.build - times.cache;
    wait();
    return loaded;
  } catch (const Error&) {
    device.choice();
    throw;
  }
}

/// True if the hits fit into the memory that they may take. Throws UsageError if they don't and
/// --hits asks for them.
bool hits_fit(const RenderRequest& r, u32 samples) {
  const u64 bytes = u64{r.settings.width} * r.settings.height * samples * sizeof(Hit);
  if (!r.hits.empty() && bytes > kMostHitsBytes)
    throw UsageError("--hits: that size and --spp make " + bytes_in_words(bytes) +
                     " of hits; the limit is " + bytes_in_words(kMostHitsBytes));
  return bytes <= kMostHitsBytes;
}

/// A warning with advice if the picture would show nothing of the scene.
std::vector<std::string> warnings_of(const RenderRequest& r, const Renderer& renderer,
                                     const RenderSettings& settings) {
  const PreparedScene& prepared = prepared_of(renderer);
  if (sees_anything(prepared, complete(settings.camera), settings.width, settings.height))
    return {};
  const bool is_stated = is_camera_stated(*prepared.scene, r.scene.camera);
  return {unseen_warning(is_stated) + (is_stated ? " (--eye, --look-at)" : "")};
}

int draw_frames(const RenderRequest& r) {
  if (!r.hits.empty()) throw UsageError("--hits and --frames can't be used together");
  if (r.timing) throw UsageError("--timing and --frames can't be used together; --json has times");
  if (!r.scene.cache.folder.empty())
    throw UsageError("--cache and --frames can't be used together");
  return render_frames(
      {r.scene, r.settings, r.renderer, r.output, *r.frames, r.frames_per_second, r.json});
}

int render(const RenderRequest& r) {
  RenderTimes times;
  times.start = process_milliseconds();
  const Stopwatch checking;
  check(r);
  if (r.frames) return draw_frames(r);
  times.check = checking.milliseconds();

  const DeviceStart device(r.renderer.device);
  const CachedScene loaded = load_meanwhile(device, r, times);
  const Scene scene = loaded.scene;
  const BackendInfo& backend = *device.choice().backend;
  require_none_of("-o", r.output, scene.data()->all_files());
  require_none_of("--hits", r.hits, scene.data()->all_files());

  RenderSettings settings = r.settings;
  settings.camera = r.scene.camera;
  // Before the tree is built, because that takes long.
  const u32 samples = resolved_without_camera(*scene.data(), settings, backend).settings.samples;
  const bool few_hits = hits_fit(r, samples);
  settings.keep_hits = !r.hits.empty() || (r.json && few_hits);
  const LinearFormat* const linear = linear_format_of(r.output);  // null: PNG
  settings.keep_linear = linear != nullptr;

  Renderer renderer = [&] {
    ProgressBar bar("triangles");
    RendererOptions options = r.renderer;
    options.progress = bar.report();
    return Renderer(scene, options);
  }();
  let_leader_have_all(renderer);  // nobody else writes it
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  remark_tree(prepared_of(renderer));
  const Stopwatch framing;
  settings = renderer.resolved(settings);  // the camera, for which the tree is needed
  times.camera = framing.milliseconds();
  const std::string unused = unused_options(r.given, settings, *scene.data());
  if (!unused.empty()) remark("note: without effect on this picture: " + unused);
  const std::vector<std::string> unseen = warnings_of(r, renderer, settings);
  remark_warnings(unseen);
  if (r.scene.scene.strict && !unseen.empty())
    throw InputError(scene.name() +
                     ": an empty picture, which --strict makes an error; nothing was written");

  const Stopwatch draw;
  Frame frame;
  {
    ProgressBar bar("rays");
    frame = renderer.render(settings, bar.report());
  }
  times.draw = draw.milliseconds();
  times.total = process_milliseconds();
  Json processes = reports_of_processes(renderer, times_of(renderer, times, frame.stages),
                                        memory_of(renderer, settings.cast));
  if (!is_in_front()) return 0;
  if (!renderer.losses().empty()) remark("warning: " + renderer.losses());
  remark_losses_of_others(processes);
  if (const std::string note = light_note(frame);
      unseen.empty() && !note.empty() && !(linear && settings.exposure == 0.0f))
    remark("note: " + note + " (--light camera, --exposure, --sun-strength, --sky-strength)");

  std::string pixels_hash, hits_hash;
  std::vector<u8> picture, hits;
  const Stopwatch encode;
  in_parallel(
      [&] {
        picture = linear ? encode_linear(frame.linear, linear->name) : encode_png(frame.image);
        if (!r.hits.empty())
          hits = encode_hits(r.settings.width, r.settings.height, settings.samples, frame.hits);
        times.encode = encode.milliseconds();
      },
      [&] {
        if (!r.json) return;
        pixels_hash = hash_of(frame.image);
        if (settings.keep_hits) hits_hash = hash_of(frame.hits);
      });
  times.hash = encode.milliseconds() - times.encode;

  const bool is_stdout_taken = is_stdout(r.output) || is_stdout(r.hits);
  const Stopwatch write;
  std::vector<NewFile> files{{r.output, picture}};
  if (!r.hits.empty()) files.push_back({r.hits, hits});
  write_files_atomically(files);
  times.write = write.milliseconds();
  times.total = process_milliseconds();

  const std::string chart =
      r.timing ? chart_of(phases_of(times, renderer.prepare_times(), frame.stages), times.total)
               : "";
  if (r.json) {
    // What this process has done since it was collected.
    if (!processes.is_null()) processes[0]["timings_ms"] = times_of(renderer, times, frame.stages);
    print(json_of(
        RenderReport{renderer, frame, times, r.scene.scene.file, r.output,
                     linear ? linear->name : "png", r.hits, thread_count(), pixels_hash, hits_hash,
                     unseen, r.scene.cache.folder.empty() ? "" : name_of(loaded.use), processes}));
    remark_lines(chart);
    return 0;
  }
  const std::string line =
      "wrote " + (r.output == "/dev/stdout" ? "a picture to standard output" : one_line(r.output)) +
      " (" + std::to_string(r.settings.width) + "x" + std::to_string(r.settings.height) + ", " +
      settings.shading + (linear ? ", linear, " : ", ") + counted(settings.samples, "sample") +
      " per pixel) in " + time_in_words(times.total) + " on " + renderer.device();
  if (is_stdout_taken) {
    remark(line);
    remark_lines(chart);
  } else {
    print(line + "\n" + chart);
  }
  return 0;
}

}  // namespace

Command render_command() {
  const auto request = std::make_shared<RenderRequest>();
  return {"render", "draws a picture of a scene", render_options(*request),
          [request] {
            int code = 0;
            with_threads(request->threads, [&] { code = render(*request); });
            return code;
          },
          true};
}

}  // namespace ballotcast::detail
