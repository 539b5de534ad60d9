#include "cli/commands/picture_series.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <future>
#include <sstream>
#include <utility>
#include <vector>

#include "ballotcast/error.hpp"
#include "cli/commands/render_report.hpp"
#include "cli/output.hpp"
#include "render/framing/framing.hpp"
#include "render/internals.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/motion/frames.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

std::string NumberedName::of(u32 number, const std::string& text) const {
  if (!has_place) return before;
  if (is_text) return before + text + behind;
  const std::string figures = std::to_string(number);
  return before + std::string(digits - std::min(digits, figures.size()), '0') + figures + behind;
}

NumberedName numbered_name(const std::string& name, const std::string& option, bool takes_text) {
  if (is_movie_name(name) && !takes_text) return {name, "", 0};
  const std::size_t percent = name.find('%');
  const auto refuse = [&] {
    throw UsageError("--output '" + name + "': with " + option +
                     (takes_text ? " the name needs one %s, where the name of the camera goes, or "
                                   "%d or %04d for its number: out/%s.png"
                                 : " the name needs one %d or %04d, where the number of the frame "
                                   "goes: frame-%04d.png; or it is a film, .mp4 or .gif"));
  };
  if (percent == name.npos) refuse();
  std::size_t end = percent + 1;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  const std::string digits = name.substr(percent + 1, end - percent - 1);
  const bool is_text = takes_text && digits.empty() && end < name.size() && name[end] == 's';
  if (end == name.size() || (name[end] != 'd' && !is_text) || digits.size() > 2) refuse();
  if (name.find('%', end) != name.npos) refuse();
  if (!digits.empty() && digits.front() != '0') refuse();
  return {name.substr(0, percent), name.substr(end + 1),
          digits.empty() ? 1 : static_cast<std::size_t>(std::stoul(digits)), true, is_text};
}

namespace {

Json times_of(const PictureReport& report) {
  Json stages = Json::object();
  for (const StageTime& stage : report.stages) stages[underscored(stage.name)] = stage.milliseconds;
  return {{"scene", report.scene},
          {"draw", report.draw},
          {"draw_stages", stages},
          {"encode", report.encode},
          {"write", report.write}};
}

/// The sums of the times of all pictures.
Json sum_of_times(const std::vector<PictureReport>& reports) {
  PictureReport sum;
  for (const PictureReport& report : reports) {
    sum.scene += report.scene, sum.draw += report.draw;
    sum.encode += report.encode, sum.write += report.write;
    for (const StageTime& stage : report.stages)
      add_time(stage.name, stage.milliseconds, sum.stages);
  }
  return times_of(sum);
}

/// Prints warnings about machines that have failed since the last call.
void remark_new_losses(Renderer& renderer) {
  const std::string losses = take_new_losses(renderer);
  if (!losses.empty() && is_in_front()) remark("warning: " + losses);
}

}  // namespace

/// A picture that has been drawn, but not written.
struct PictureSeries::Drawn {
  PictureReport report;
  Frame frame;
  std::vector<PixelNumbers> computed;
};

PictureSeries::PictureSeries(Renderer& renderer, const SeriesRequest& request)
    : renderer_(renderer), request_(request), linear_(linear_format_of(request.output)) {}

PictureSeries::Drawn PictureSeries::draw_one(u32 index,
                                             const std::function<SeriesPicture(u32)>& prepare) {
  Drawn picture;
  PictureReport& report = picture.report;
  const Stopwatch change;
  SeriesPicture wanted = prepare(index);
  report.name = std::move(wanted.name);
  report.output = std::move(wanted.output);
  report.scene = change.milliseconds();

  const Stopwatch draw;
  const ProfileSpan span("draw");
  RenderSettings settings = std::move(wanted.settings);
  settings.keep_linear = linear_ != nullptr;
  settings.keep_hits = request_.wanted.needs_hits();
  if (request_.wanted.draws())
    picture.frame = renderer_.render(settings);
  else
    picture.frame.settings = renderer_.resolved(settings);
  picture.computed = renderer_.outputs(settings, request_.wanted.computed());
  report.draw = draw.milliseconds();
  report.stages = picture.frame.stages;
  settings_ = picture.frame.settings;
  // Starts the movie in this thread, because ffmpeg ends with the thread that started it.
  if (is_movie_name(request_.output) && !movie_ && is_in_front())
    movie_.emplace(request_.output, request_.frames_per_second, settings_.width, settings_.height);
  return picture;
}

/// Encodes and writes a picture while the next one is being drawn. Pictures are written in order
/// and one at a time, as a movie requires.
PictureReport PictureSeries::write(const Drawn& drawn) {
  PictureReport report = drawn.report;
  if (!is_in_front()) return report;
  if (request_.json && request_.wanted.draws()) report.pixels_hash = hash_of(drawn.frame.image);
  const Stopwatch encode;
  const ProfileSpan span("write a picture");
  if (movie_) {
    movie_->add(drawn.frame.image);
    report.encode = encode.milliseconds();
    return report;
  }
  const std::vector<EncodedFile> encoded = encoded_files(
      request_.wanted, report.output, *renderer_.scene().data(), drawn.frame, drawn.computed);
  report.encode = encode.milliseconds();
  const Stopwatch write;
  std::vector<NewFile> files;
  for (const EncodedFile& file : encoded) files.emplace_back(file.path, file.bytes);
  write_files_atomically(files);
  report.write = write.milliseconds();
  return report;
}

std::vector<PictureReport> PictureSeries::draw(u32 count,
                                               const std::function<SeriesPicture(u32)>& prepare) {
  const Stopwatch drawing;
  std::vector<PictureReport> reports;
  ProgressBar bar(std::string(request_.noun) + "s");
  const Progress report = bar.report();
  u32 written = 0;
  const auto finish = [&](std::future<PictureReport>& writing) {
    if (!writing.valid()) return;
    reports.push_back(writing.get());
    if (report) report(++written, count);
  };
  std::future<PictureReport> writing;
  for (u32 i = 0; i < count; ++i) {
    Drawn picture = draw_one(i, prepare);
    remark_new_losses(renderer_);
    finish(writing);
    writing = std::async(std::launch::async,
                         [this, picture = std::move(picture)] { return write(picture); });
  }
  finish(writing);
  if (movie_) movie_->finish();
  drawing_ms_ = drawing.milliseconds();
  return reports;
}

void PictureSeries::print_report(const std::vector<PictureReport>& reports, double whole_ms) const {
  const std::string noun = request_.noun;
  const u64 count = reports.size();
  const double rate = 1000.0 * static_cast<double>(count) / drawing_ms_;
  const Json processes =
      reports_of_processes(renderer_, sum_of_times(reports), memory_of(renderer_, settings_.cast));
  if (!is_in_front()) return;
  remark_losses_of_others(processes);
  if (request_.json) {
    Json json = {{"scene", renderer_.scene().name()}, {noun + "s", Json::array()},
                 {noun + "s_per_second", rate},       {"total_ms", whole_ms},
                 {"losses", renderer_.losses()},      {"warnings", renderer_.scene().warnings()}};
    for (const CastSetting& row : cast_settings())
      if (row.chosen) json[std::string(row.key)] = row.chosen(renderer_);
    for (const PictureReport& one : reports)
      json[noun + "s"].push_back(
          {{noun, one.name},
           {"output", one.output},
           {"pixels_hash", one.pixels_hash.empty() ? Json() : Json(one.pixels_hash)},
           {"timings_ms", times_of(one)}});
    if (!processes.is_null()) json["processes"] = processes;
    print(text_of(json));
    return;
  }
  const std::string &first = reports.front().output, &last = reports.back().output;
  std::string names = one_line(first);
  if (first != last) names += " to " + one_line(last);
  print("wrote " + names + " (" + counted(count, noun) + ", " + std::to_string(settings_.width) +
        "x" + std::to_string(settings_.height) +
        padding_in_words(first, settings_.width, settings_.height) + ", " + settings_.shading +
        ", " + counted(settings_.samples, "sample") + " per pixel) in " + time_in_words(whole_ms) +
        " on " + renderer_.device() + ", " + fixed(rate, rate < 10.0 ? 2 : 0) + " " + noun +
        "s per second\n");
}

namespace {

constexpr const char* kProgram = "ffmpeg";
// The most seconds to wait for ffmpeg to encode the remaining frames
constexpr unsigned kTimeout = 3600;
// The most seconds to wait for ffmpeg to end after it has stopped reading
constexpr unsigned kSoon = 10;
// Most frames per second of a GIF. GIFs give the time between frames in hundredths of a second, and
// viewers show frames with a time of 1 hundredth more slowly.
constexpr u32 kMostOfGif = 50;

bool is_gif(const std::string& path) { return lowered(path).ends_with(".gif"); }

std::vector<std::string> words_for(const std::string& path, const std::string& to,
                                   u32 frames_per_second, u32 width, u32 height) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  std::string words = std::string(kProgram) +
                      " -v error -nostdin -f rawvideo -pixel_format rgb24 -video_size " + size +
                      " -framerate " + std::to_string(frames_per_second) + " -i pipe:0 ";
  // For GIF: computes a palette that suits all frames. For MP4: players expect 4:2:0, which
  // requires even sizes, and the colours of HDTV, which must be stated.
  words += is_gif(path)
               ? "-filter_complex [0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse -f gif"
               : "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv "
                 "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv "
                 "-pix_fmt yuv420p -movflags +faststart -f mp4";
  std::istringstream in(words);
  std::vector<std::string> list{std::istream_iterator<std::string>(in), {}};
  list.push_back("file:" + to);  // separate, because it may contain spaces
  return list;
}

}  // namespace

bool is_movie_name(const std::string& path) {
  return is_gif(path) || lowered(path).ends_with(".mp4");
}

std::string padding_in_words(const std::string& path, u32 width, u32 height) {
  // The filter `pad` of ffmpeg rounds both numbers up to even ones.
  const u32 w = width + width % 2, h = height + height % 2;
  if (!lowered(path).ends_with(".mp4") || (w == width && h == height)) return "";
  return ", padded to " + std::to_string(w) + "x" + std::to_string(h);
}

void require_movie(const std::string& option, const std::string& path, u32 frames_per_second) {
  if (path.find('%') != path.npos)
    throw UsageError(option + " '" + path + "': a film is one file; its name can't have a %");
  if (is_gif(path) && frames_per_second > kMostOfGif)
    throw UsageError("--fps " + std::to_string(frames_per_second) + ": a GIF can have at most " +
                     std::to_string(kMostOfGif));
  if (!is_installed(kProgram))
    throw UsageError(option + " '" + path +
                     "': films are made by the program ffmpeg, which was not found; install it, or "
                     "write pictures: frame-%04d.png");
}

Movie::Movie(std::string path, u32 frames_per_second, u32 width, u32 height)
    : path_(std::move(path)),
      unnamed_(temporary_.file("film")),
      encoder_(words_for(path_, unnamed_, frames_per_second, width, height), ".",
               ChildProgram::Input::fed) {}

void Movie::add(const Image<Rgb8>& frame) {
  static_assert(sizeof(Rgb8) == 3);
  if (encoder_.feed(frame.pixels.data(), frame.pixels.size() * sizeof frame.pixels[0])) return;
  encoder_.finish(kSoon);  // throws an exception with ffmpeg's message
  throw InputError(path_ + ": ffmpeg ended too early");
}

void Movie::finish() {
  encoder_.finish(kTimeout);
  if (!is_file(unnamed_)) throw InputError(path_ + ": ffmpeg has not made a film");
  write_file_atomically(path_, read_file(unnamed_));
}

namespace {

/// Loads the scene at its first frame. Throws UsageError if nothing in it moves.
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
  let_leader_have_all(renderer);  // other processes do not write pictures
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  require_exact(r.wanted, r.output, *renderer.scene().data());
  for (const std::string& frame : {first, last})
    for (const std::string& path : paths_of(r.wanted, frame))
      require_none_of("-o", path, renderer.scene().data()->all_files());

  u32 shown = r.frames.first;
  RenderSettings settings = r.settings;
  std::string shading;  // not known until a frame is resolved or drawn
  const auto show = [&](u32 number) {
    if (number == shown) return;
    // The shading `visits` depends on the tree. For it, the tree is built anew, so that the picture
    // is the same as that of the frame alone.
    const bool is_new = shading == "visits";
    change_scene(renderer, frames.in(number), is_new ? Follow::rebuild : Follow::automatic);
    shown = number;
  };
  if (!frames.scene()->camera && !(settings.camera.eye && settings.camera.look_at)) {
    // The camera is chosen for the scene at the first frame, and then does not follow what moves.
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
