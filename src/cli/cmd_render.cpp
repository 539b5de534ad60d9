// ballotcast render: draws a picture of a scene.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "backends/backend.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/threads.hpp"
#include "bvh/builders/builder.hpp"
#include "cli/command.hpp"
#include "cli/device_start.hpp"
#include "cli/output.hpp"
#include "cli/process_clock.hpp"
#include "cli/progress.hpp"
#include "cli/render_frames.hpp"
#include "cli/render_report.hpp"
#include "cli/scene_options.hpp"
#include "cli/unused_options.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_image.hpp"
#include "render/framing.hpp"
#include "render/hits_file.hpp"
#include "render/remarks.hpp"
#include "render/renderer_state.hpp"
#include "render/visible.hpp"
#include "scene/light.hpp"
#include "scene/mesh_formats.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr u64 kMostHitsBytes = u64{4} << 30;  // kept in memory; for more, --json gives no hash

/// The values of the options.
struct RenderRequest {
  SceneOptions scene;
  RenderSettings settings;
  RendererOptions renderer;
  std::string output = "ballotcast.png";
  std::string hits;
  std::string smooth = "on", fireflies = "drop";
  std::optional<FrameRange> frames;
  u32 threads = 0;
  bool json = false, timing = false;
  std::vector<std::string> given;  // names of the options on the command line
};

std::vector<Option> options_of(RenderRequest& r) {
  const std::string files = "Files", picture = "Picture",
                    machine = "Machine (changes no pixel, except of --shade visits)";
  const std::vector<ShadingInfo> shades = shadings();
  std::string samples;
  for (const ShadingInfo& row : shades)
    samples +=
        (samples.empty() ? "" : ", ") + std::string(row.name) + " " + std::to_string(row.samples);
  std::vector<Option> table = {
      {files, "SCENE", "FILE", "",
       "an " + kinds_of_scenes("or") + " scene file; without one, the built-in scene",
       set_text(r.scene.scene.file)},
      {files, "-o,--output", "FILE", r.output,
       "the picture: .png; or with linear numbers .pfm, .hdr or .exr; - is a PNG on stdout",
       set_output(r.output)},
      {files, "--hits", "FILE", "",
       "write every camera ray's hit to FILE; share/doc/ballotcast/docs/hits.md has the format",
       set_output(r.hits)},
      {files, "--frames", "A..B", "",
       "draw these frames of a .json scene with keyframes; then -o has a place for the number: "
       "frame-%04d.png",
       set_frames(r.frames)},
      {files, "--json", "", "", "print a report as JSON", set_flag(r.json)},
      {files, "--timing", "", "", "show where the time went, as a chart (with --json on stderr)",
       set_flag(r.timing)},
      {picture, "--size", "WxH",
       std::to_string(r.settings.width) + "x" + std::to_string(r.settings.height),
       "width and height in pixels", set_size(r.settings.width, r.settings.height)},
      {picture, "--shade", "NAME", "the scene file's, else " + std::string(shades.front().name),
       "what to show: " + joined(names_of(shades)),
       set_name(r.settings.shading, "shading", names_of(shades))},
      {picture, "--spp", "N", samples, "samples per pixel",
       set_count(r.settings.samples, 1, kMostSamples)},
      {picture, "--bounces", "N", std::to_string(r.settings.bounces),
       "how often light bounces in shading lit", set_count(r.settings.bounces, 0, kMostBounces)},
      {picture, "--smooth", "on|fast|off", r.smooth,
       "smooth noisy light in shading lit; fades out with more samples; up to 2^25 pixels",
       set_name(r.smooth, "choice", {kSmoothings.begin(), kSmoothings.end()})},
      {picture, "--fireflies", "drop|keep", r.fireflies,
       "with --smooth: whether light far above all light around it is lowered; --json says how "
       "much light that loses",
       set_name(r.fireflies, "choice", {"drop", "keep"})},
      {picture, "--white-balance", "WHITE", "the scene file's, else auto",
       "which light looks white in shading lit: auto (from the scene's lights, in part), none, or "
       "a colour temperature in kelvin, 1000 to 40000 (2700 is a light bulb, 6504 is white)",
       set_white_balance(r.settings.white_balance)},
      {picture, "--light", "NAME", "the scene file's, else scene",
       "what shines in shading lit: scene (its lamps, sun and sky), or camera (in addition, a soft "
       "light at the camera, for rooms without any)",
       set_name(r.settings.light, "light", light_names())},
  };
  for (Option& row : scene_options(r.scene)) table.push_back(std::move(row));
  for (Option& row : cache_options(r.scene.cache, files)) table.push_back(std::move(row));
  const auto devices = names_of(backends(), "auto");
  const auto pipes = names_of(pipelines(), "auto");
  const auto strategy_names = names_of(strategies(), "auto");
  const std::vector<Option> rest = {
      {machine, "--device", "NAME", r.renderer.device, "where to cast: " + joined(devices),
       set_name(r.renderer.device, "device", devices)},
      {machine, "--max-memory", "SIZE", "all free memory of a GPU",
       "limit of device memory, e.g. 512M or 2G; with less, fewer rays are processed at a time",
       set_bytes(r.renderer.max_memory)},
      {machine, "--pipeline", "NAME", r.settings.cast.pipeline,
       "how kernels take turns: " + joined(pipes),
       set_name(r.settings.cast.pipeline, "pipeline", pipes)},
      {machine, "--atomics", "NAME", r.settings.cast.atomics,
       "how lanes report staged leaves: " + joined(strategy_names),
       set_name(r.settings.cast.atomics, "strategy", strategy_names)},
      {machine, "--loop", "NAME", r.settings.cast.loop,
       "who reads the counter: auto, host, host:K (every K passes), graph (the GPU)",
       set_text(r.settings.cast.loop)},
      {machine, "--layout", "NAME", r.renderer.layout,
       "the tree in memory: " + joined(names_of(layouts(), "auto")),
       set_name(r.renderer.layout, "layout", names_of(layouts(), "auto"))},
      {machine, "--build", "NAME", r.renderer.builder, builders_in_words(),
       set_builder(r.renderer.builder)},
      {machine, "--block-size", "N", std::to_string(r.settings.cast.block_size),
       "lanes per block, a multiple of 32 from 32 to 1024; ignored by pipeline warp",
       set_count(r.settings.cast.block_size, 0, 0xffffffffu)},
      {machine, "--threads", "N", "all cores", "threads of the CPU",
       set_count(r.threads, 1, kMostThreads)},
  };
  table.insert(table.end(), rest.begin(), rest.end());
  return noting(std::move(table), r.given);
}

/// Refuses invalid requests before any long work.
void check(const RenderRequest& r) {
  require_name(kDrawnPicture, "--output", r.output);
  if (const LinearFormat* format = linear_format_of(r.output))
    require_built_in(*format, "--output '" + r.output + "'");
  if (!r.hits.empty() && same_file(r.output, r.hits))
    throw UsageError("--output and --hits name the same file '" + r.hits + "'");
  for (const std::string& path : {r.frames ? std::string() : r.output, r.hits}) {
    if (path.empty()) continue;
    const std::string& scene = r.scene.scene.file;
    if (!scene.empty() && same_file(path, scene))
      throw UsageError("'" + path + "' is the scene; writing to it would destroy it");
    require_no_scene_name(path);
    if (r.json && is_stdout(path)) throw UsageError("--json and '" + path + "' can't share stdout");
    if (is_stdout(path) && ::isatty(STDOUT_FILENO) != 0)
      throw UsageError(
          "'" + path +
          "' is a terminal, which can't show this file; name a file, or redirect stdout (>FILE)");
    require_writable(path);
  }
  CastChoice{r.settings.cast};  // throws for unknown names
}

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
    return build_on(*device.choice().backend, r.renderer.max_memory);
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
    throw UsageError("--hits: that size and --spp make " + std::to_string(bytes >> 30) +
                     " GiB of hits; the limit is " + std::to_string(kMostHitsBytes >> 30));
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

/// The settings of the picture, but for its camera.
RenderSettings settings_of(const RenderRequest& r) {
  RenderSettings settings = r.settings;
  settings.smooth = smoothing_called(r.smooth);
  settings.keep_fireflies = r.fireflies == "keep";
  return settings;
}

int draw_frames(const RenderRequest& r) {
  if (!r.hits.empty()) throw UsageError("--hits and --frames can't be used together");
  if (r.timing) throw UsageError("--timing and --frames can't be used together; --json has times");
  if (!r.scene.cache.folder.empty())
    throw UsageError("--cache and --frames can't be used together");
  return render_frames({r.scene, settings_of(r), r.renderer, r.output, *r.frames, r.json});
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

  RenderSettings settings = settings_of(r);
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
  if (const std::string note = light_note(frame); unseen.empty() && !note.empty())
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
    const u32 threads =
        r.threads != 0 ? r.threads : std::max(1u, std::thread::hardware_concurrency());
    print(json_of(RenderReport{renderer, frame, times, r.renderer.builder, r.scene.scene.file,
                               r.output, linear ? linear->name : "png", r.hits, threads,
                               pixels_hash, hits_hash, unseen,
                               r.scene.cache.folder.empty() ? "" : name_of(loaded.use)}));
    remark_lines(chart);
    return 0;
  }
  const std::string line = "wrote " + one_line(r.output) + " (" + std::to_string(r.settings.width) +
                           "x" + std::to_string(r.settings.height) + ", " + settings.shading +
                           (linear ? ", linear, " : ", ") + counted(settings.samples, "sample") +
                           " per pixel) in " + time_in_words(times.total) + " on " +
                           renderer.device();
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
  return {"render", "draws a picture of a scene", options_of(*request), [request] {
            int code = 0;
            with_threads(request->threads, [&] { code = render(*request); });
            return code;
          }};
}

}  // namespace ballotcast::detail
