// ballotcast render: draws a picture of a scene.
#include <future>
#include <memory>
#include <set>
#include <string>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/threads.hpp"
#include "cli/command.hpp"
#include "cli/commands/picture_series.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "image/linear/linear_files.hpp"
#include "render/internals.hpp"
#include "render/outputs/outputs.hpp"
#include "render/remarks.hpp"
#include "render/settings.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// The most bytes of hits that are kept in memory; if there are more, --json gives no hash
constexpr u64 kMostHitsBytes = u64{4} << 30;

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

/// Loads the scene while the device is being started. If both fail, throws the error of the device.
/// Sets `times.load`, and sets `times.device` to the time of waiting for the device after loading.
CachedScene load_meanwhile(const DeviceStart& device, const RenderRequest& r, RenderTimes& times) {
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
    CachedScene loaded =
        load(r.scene.scene, r.scene.cache, {r.casting.renderer.builder, r.casting.renderer.layout},
             building, wait);
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

/// True if the hits fit into kMostHitsBytes. Throws UsageError if they don't fit and --hits
/// requests them.
bool hits_fit(const RenderRequest& r, u32 samples) {
  const u64 bytes = u64{r.settings.width} * r.settings.height * samples * sizeof(Hit);
  if (!r.hits.empty() && bytes > kMostHitsBytes)
    throw UsageError("--hits: that size and --spp make " + bytes_in_words(bytes) +
                     " of hits; the limit is " + bytes_in_words(kMostHitsBytes));
  return bytes <= kMostHitsBytes;
}

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

/// The settings of the request for a scene. They are checked here, before the tree is built, which
/// takes long.
RenderSettings settings_for(const SceneData& scene, const RenderRequest& r,
                            const WantedOutputs& wanted, const BackendInfo& backend) {
  require_exact(wanted, r.output, scene);
  RenderSettings settings = picture_of(r);
  const u32 samples = resolved_without_camera(scene, settings, backend).settings.samples;
  const bool few_hits = hits_fit(r, samples);
  if (wanted.needs_hits() && !few_hits)
    throw UsageError("--outputs: mattes need the hits of all samples, which take more than " +
                     bytes_in_words(kMostHitsBytes) + "; make the picture smaller, or --spp");
  settings.keep_hits =
      !r.hits.empty() || wanted.needs_hits() || (r.json && few_hits && wanted.draws());
  settings.keep_linear = linear_format_of(r.output) != nullptr;
  return settings;
}

/// Makes a renderer for the scene and the requested device.
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

/// Prints remarks about options without effect. Returns a warning with advice if nothing of the
/// scene would be visible in the picture. Throws InputError instead if --strict is given.
std::vector<std::string> warn_before_drawing(const RenderRequest& r, const Renderer& renderer,
                                             const RenderSettings& settings) {
  const PreparedScene& prepared = prepared_of(renderer);
  const std::string unused = unused_options(r.given_options, settings, scene_of(renderer));
  if (!unused.empty()) remark("note: without effect on this picture: " + unused);
  const Camera camera = complete(settings.camera);
  if (const std::string note = unseen_corners(camera, settings.width, settings.height);
      !note.empty())
    remark("note: " + note);
  if (sees_anything(prepared, camera, settings.width, settings.height)) return {};
  const bool is_given = is_camera_given(*prepared.scene, picture_of(r).camera);
  std::vector<std::string> unseen{unseen_warning(is_given) +
                                  (is_given ? " (--eye, --look-at)" : "")};
  remark_warnings(unseen);
  if (r.scene.scene.strict)
    throw InputError(scene_of(renderer).name +
                     ": an empty picture, which --strict makes an error; nothing was written");
  return unseen;
}

/// What was drawn: the picture, if the colour is requested, and the numbers of the other outputs.
struct Drawn {
  Frame frame;
  std::vector<PixelNumbers> numbers;
};

Drawn draw(Renderer& renderer, const RenderSettings& settings, const WantedOutputs& wanted,
           RenderTimes& times) {
  const Stopwatch watch;
  const ProfileSpan span("draw");
  Drawn drawn;
  drawn.frame.settings = settings;
  if (wanted.draws()) {
    ProgressBar bar("rays");
    drawn.frame = renderer.render(settings, bar.report());
  }
  drawn.numbers = renderer.outputs(settings, wanted.computed());
  times.draw = watch.milliseconds();
  times.total = process_milliseconds();
  return drawn;
}

/// The contents of all files, and hashes for the report.
struct Encoded {
  std::vector<EncodedFile> outputs;
  std::vector<u8> hits;
  std::string pixels_hash, hits_hash;
};

Encoded encode(const RenderRequest& r, const WantedOutputs& wanted, const SceneData& scene,
               const Drawn& drawn, RenderTimes& times) {
  const ProfileSpan span("encode");
  const Frame& frame = drawn.frame;
  Encoded out;
  const Stopwatch watch;
  in_parallel(
      [&] {
        out.outputs = encoded_files(wanted, r.output, scene, frame, drawn.numbers);
        if (!r.hits.empty())
          out.hits =
              encode_hits(r.settings.width, r.settings.height, frame.settings.samples, frame.hits);
        times.encode = watch.milliseconds();
      },
      [&] {
        if (!r.json || !wanted.draws()) return;
        out.pixels_hash = hash_of(frame.image);
        if (frame.settings.keep_hits) out.hits_hash = hash_of(frame.hits);
      });
  times.hash = watch.milliseconds() - times.encode;
  return out;
}

void write(const RenderRequest& r, const Encoded& encoded, RenderTimes& times) {
  const Stopwatch watch;
  const ProfileSpan span("write");
  std::vector<NewFile> files;
  for (const EncodedFile& file : encoded.outputs) files.emplace_back(file.path, file.bytes);
  if (!r.hits.empty()) files.push_back({r.hits, encoded.hits});
  write_files_atomically(files);
  times.write = watch.milliseconds();
  times.total = process_milliseconds();
}

/// The names of the output files, each once.
std::string names_of_files(const std::vector<std::pair<std::string, std::string>>& outputs) {
  std::string names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& path = outputs[i].second;
    if (i > 0 && path == outputs[i - 1].second) continue;
    names += (i > 0 ? ", " : "") +
             (path == "/dev/stdout" ? "a picture to standard output" : one_line(path));
  }
  return names;
}

std::string how_drawn(const Frame& frame) {
  const RenderSettings& settings = frame.settings;
  return ", " + settings.shading + (settings.keep_linear ? ", linear, " : ", ") +
         counted(settings.samples, "sample") + " per pixel";
}

/// Prints the report about the written files, as JSON or as a line. Prints to stderr if one of the
/// files goes to stdout.
void print_report(const RenderRequest& r, const RenderReport& report, bool is_stdout_taken) {
  const std::string chart =
      r.timing || !r.profile.empty()
          ? chart_of(phases_of(report.times, report.renderer.prepare_times(), report.frame.stages),
                     report.times.total)
          : "";
  if (r.json) {
    print(json_of(report));
    remark_lines(chart);
    return;
  }
  const std::string line = "wrote " + names_of_files(report.outputs) + " (" +
                           std::to_string(r.settings.width) + "x" +
                           std::to_string(r.settings.height) +
                           (wanted_outputs(r).draws() ? how_drawn(report.frame) : "") + ") in " +
                           time_in_words(report.times.total) + " on " + report.renderer.device();
  if (is_stdout_taken) {
    remark(line);
    remark_lines(chart);
  } else {
    print(line + "\n" + chart);
  }
}

/// Draws the views of several cameras.
int draw_cameras(const RenderRequest& r) {
  require_series(r, "--cameras");
  const Stopwatch whole;
  RenderTimes times;
  const NumberedName name = name_for_cameras(r);
  const DeviceStart device(r.casting.renderer.device);
  const CachedScene loaded = load_meanwhile(device, r, times);
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

int draw_picture(const RenderRequest& r, RenderTimes& times, const Stopwatch& checking) {
  times.check = checking.milliseconds();

  const DeviceStart device(r.casting.renderer.device);
  const CachedScene loaded = load_meanwhile(device, r, times);
  const WantedOutputs wanted = wanted_outputs(r);
  for (const std::string& path : paths_of(wanted, r.output))
    require_none_of("-o", path, loaded.scene->all_files());
  require_none_of("--hits", r.hits, loaded.scene->all_files());
  RenderSettings settings = settings_for(*loaded.scene, r, wanted, *device.choice().backend);
  Renderer renderer = make_ready(loaded.scene, r);
  const Stopwatch framing;
  {
    const ProfileSpan span("find a camera");
    settings = renderer.resolved(settings);  // chooses the camera; this needs the tree
  }
  times.camera = framing.milliseconds();
  const std::vector<std::string> unseen = warn_before_drawing(r, renderer, settings);

  const Drawn drawn = draw(renderer, settings, wanted, times);
  const Frame& frame = drawn.frame;
  Json processes = reports_of_processes(renderer, times_of(renderer, times, frame.stages),
                                        memory_of(renderer, settings.cast));
  if (!is_in_front()) return 0;
  if (!renderer.losses().empty()) remark("warning: " + renderer.losses());
  remark_losses_of_others(processes);
  const LinearFormat* const linear = linear_format_of(r.output);  // null for PNG
  if (const std::string note = light_note(frame);
      wanted.draws() && unseen.empty() && !note.empty() && !(linear && settings.exposure == 0.0f))
    remark("note: " + note + " (--light camera, --exposure, --sun-strength, --sky-strength)");

  const Encoded encoded = encode(r, wanted, scene_of(renderer), drawn, times);
  // Determined before writing, because writing replaces a file that stdout is redirected to.
  const bool is_stdout_taken = is_stdout(r.output) || is_stdout(r.hits);
  write(r, encoded, times);
  // The reports of the processes were collected before this process encoded and wrote the picture,
  // so its times are set again.
  if (!processes.is_null()) processes[0]["timings_ms"] = times_of(renderer, times, frame.stages);
  print_report(r,
               {renderer, r.casting, frame, times, r.scene.scene.file, r.output,
                linear ? linear->name : "png", r.hits, thread_count(), encoded.pixels_hash,
                encoded.hits_hash, unseen, r.scene.cache.folder.empty() ? "" : name_of(loaded.use),
                processes, files_of(wanted, r.output)},
               is_stdout_taken);
  return 0;
}

int render(const RenderRequest& given) {
  RenderTimes times;
  times.start = process_milliseconds();
  if (!given.profile.empty()) start_profile(times.start);
  const Stopwatch checking;
  const RenderRequest r = with_cameras(given);
  check(r);
  const int code = r.frames             ? draw_frames(r)
                   : !r.several.empty() ? draw_cameras(r)
                                        : draw_picture(r, times, checking);
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
