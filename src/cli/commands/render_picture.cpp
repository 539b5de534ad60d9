// Draws one picture for `render`, writes it, and prints the report.
#include <string>
#include <utility>
#include <vector>

#include "ballotcast/frame.hpp"
#include "ballotcast/threads.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "cli/this_process.hpp"
#include "image/linear/linear_files.hpp"
#include "render/outputs/outputs.hpp"
#include "render/remarks.hpp"
#include "render/settings.hpp"
#include "support/json.hpp"
#include "support/profile.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// The most bytes of hits that are kept in memory; if there are more, --json gives no hash
constexpr u64 kMostHitsBytes = u64{4} << 30;

/// True if the hits fit into kMostHitsBytes. Throws UsageError if they don't fit and --hits
/// requests them.
bool hits_fit(const RenderRequest& r, u32 samples) {
  const u64 bytes = u64{r.settings.width} * r.settings.height * samples * sizeof(Hit);
  if (!r.hits.empty() && bytes > kMostHitsBytes)
    throw UsageError("--hits: that size and --spp make " + bytes_in_words(bytes) +
                     " of hits; the limit is " + bytes_in_words(kMostHitsBytes));
  return bytes <= kMostHitsBytes;
}

/// Throws OutputError if a file of the scene would be overwritten.
void require_kept_inputs(const RenderRequest& r, const WantedOutputs& wanted,
                         const SceneData& scene) {
  for (const std::string& path : paths_of(wanted, r.output))
    require_none_of("-o", path, scene.all_files());
  require_none_of("--hits", r.hits, scene.all_files());
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

/// Chooses the camera. This needs the tree.
RenderSettings with_camera(Renderer& renderer, const RenderSettings& settings, RenderTimes& times) {
  const Stopwatch framing;
  const ProfileSpan span("find a camera");
  RenderSettings resolved = renderer.resolved(settings);
  times.camera = framing.milliseconds();
  return resolved;
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

/// Prints a note if the light of the picture is odd.
void remark_light(const Frame& frame) {
  const std::string note = light_note(frame);
  if (!note.empty())
    remark("note: " + note + " (--light camera, --exposure, --sun-strength, --sky-strength)");
}

}  // namespace

int draw_picture(const RenderRequest& r, RenderTimes& times) {
  const LoadedScene loaded = load_meanwhile(r, times);
  const SceneData& scene = *loaded.scene.scene;
  const WantedOutputs wanted = wanted_outputs(r);
  require_kept_inputs(r, wanted, scene);
  RenderSettings settings = settings_for(scene, r, wanted, *loaded.backend);
  Renderer renderer = make_ready(loaded.scene.scene, r);
  settings = with_camera(renderer, settings, times);
  const std::vector<std::string> unseen = warn_before_drawing(r, renderer, settings);

  const Drawn drawn = draw(renderer, settings, wanted, times);
  const std::vector<StageTime>& stages = drawn.frame.stages;
  Json processes = reports_of_processes(renderer, times_of(renderer, times, stages),
                                        memory_of(renderer, settings.cast));
  if (!is_in_front()) return 0;
  if (!renderer.losses().empty()) remark("warning: " + renderer.losses());
  remark_losses_of_others(processes);
  const LinearFormat* const linear = linear_format_of(r.output);  // null for PNG
  if (wanted.draws() && unseen.empty() && !(linear && settings.exposure == 0.0f))
    remark_light(drawn.frame);

  const Encoded encoded = encode(r, wanted, scene, drawn, times);
  // Determined before writing, because writing replaces a file that stdout is redirected to.
  const bool is_stdout_taken = is_stdout(r.output) || is_stdout(r.hits);
  write(r, encoded, times);
  // The reports of the processes were collected before this process encoded and wrote the picture,
  // so its times are set again.
  if (!processes.is_null()) processes[0]["timings_ms"] = times_of(renderer, times, stages);
  print_report(
      r,
      {renderer, r.casting, drawn.frame, times, r.scene.scene.file, r.output,
       linear ? linear->name : "png", r.hits, thread_count(), encoded.pixels_hash,
       encoded.hits_hash, unseen, r.scene.cache.folder.empty() ? "" : name_of(loaded.scene.use),
       processes, files_of(wanted, r.output)},
      is_stdout_taken);
  return 0;
}

}  // namespace ballotcast::detail
