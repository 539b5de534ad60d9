#include "cli/commands/render_frames.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <future>
#include <utility>

#include "cli/commands/render_report.hpp"
#include "cli/movie.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "image/linear/linear_image.hpp"
#include "kernels/stage_times.hpp"
#include "render/internals.hpp"
#include "scene/json/frames.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/processes/processes.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// A file name with a place for a number: the text before, the digits of the number, and the text
/// behind. The name of a movie has no digits.
struct NumberedName {
  std::string before, behind;
  std::size_t digits;

  std::string of(u32 number) const {
    if (digits == 0) return before;
    const std::string text = std::to_string(number);
    return before + std::string(digits - std::min(digits, text.size()), '0') + text + behind;
  }
};

NumberedName numbered_name(const std::string& name) {
  if (is_movie_name(name)) return {name, "", 0};
  const std::size_t percent = name.find('%');
  const auto refuse = [&] {
    throw UsageError("--output '" + name +
                     "': with --frames the name needs one %d or %04d, where the number of the "
                     "frame goes: frame-%04d.png; or it is a film, .mp4 or .gif");
  };
  if (percent == name.npos) refuse();
  std::size_t end = percent + 1;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
  if (end == name.size() || name[end] != 'd' || end - percent > 2 + 1) refuse();
  if (name.find('%', end) != name.npos) refuse();
  const std::string digits = name.substr(percent + 1, end - percent - 1);
  if (!digits.empty() && digits.front() != '0') refuse();
  return {name.substr(0, percent), name.substr(end + 1),
          digits.empty() ? 1 : static_cast<std::size_t>(std::stoul(digits))};
}

/// What was done for one frame, and the milliseconds that it took.
struct FrameReport {
  u32 frame = 0;
  std::string output, pixels_hash;
  double scene = 0.0, draw = 0.0, encode = 0.0, write = 0.0;
  std::vector<StageTime> stages;
};

Json times_of(const FrameReport& report) {
  Json stages = Json::object();
  for (const StageTime& stage : report.stages) stages[underscored(stage.name)] = stage.milliseconds;
  return {{"scene", report.scene},
          {"draw", report.draw},
          {"draw_stages", stages},
          {"encode", report.encode},
          {"write", report.write}};
}

Json json_of_frame(const FrameReport& report) {
  return {{"frame", report.frame},
          {"output", report.output},
          {"pixels_hash", report.pixels_hash.empty() ? Json() : Json(report.pixels_hash)},
          {"timings_ms", times_of(report)}};
}

/// A frame that is not yet written.
struct DrawnPicture {
  FrameReport report;
  Frame frame;
  std::vector<PixelNumbers> computed;
};

class FramesDrawer {
 public:
  FramesDrawer(const FramesRequest& request, const NumberedName& name)
      : r_(request),
        name_(name),
        linear_(linear_format_of(request.output)),
        frames_(first_frame(request), remark_warnings),
        renderer_(Scene(frames_.scene()), options_of(request)) {
    let_leader_have_all(renderer_);  // nobody else writes it
  }

  DrawnPicture draw(u32 number) {
    DrawnPicture picture;
    FrameReport& report = picture.report;
    report.frame = number;
    report.output = name_.of(number);
    const Stopwatch change;
    // What visits shows depends on the tree. So it is as new as if the frame were drawn alone.
    const Follow how = settings_.shading == "visits" ? Follow::rebuild : Follow::automatic;
    if (number != r_.frames.first) become(renderer_, frames_.in(number), how);
    report.scene = change.milliseconds();

    const Stopwatch draw;
    RenderSettings settings = r_.settings;
    settings.keep_linear = linear_ != nullptr;
    settings.keep_hits = r_.wanted.needs_hits();
    if (r_.wanted.draws())
      picture.frame = renderer_.render(settings);
    else
      picture.frame.settings = renderer_.resolved(settings);
    picture.computed = renderer_.outputs(settings, r_.wanted.computed());
    report.draw = draw.milliseconds();
    report.stages = picture.frame.stages;
    settings_ = picture.frame.settings;
    // Not in another thread: ffmpeg ends with the thread that started it.
    if (is_movie_name(r_.output) && !movie_ && is_in_front())
      movie_.emplace(r_.output, r_.frames_per_second, settings_.width, settings_.height);
    return picture;
  }

  /// May run while another frame is drawn, but only for one frame at a time, in their order.
  FrameReport write(const DrawnPicture& drawn) {
    FrameReport report = drawn.report;
    if (!is_in_front()) return report;
    if (r_.json && r_.wanted.draws()) report.pixels_hash = hash_of(drawn.frame.image);
    const Stopwatch encode;
    if (movie_) {
      movie_->add(drawn.frame.image);
      report.encode = encode.milliseconds();
      return report;
    }
    const std::vector<EncodedFile> encoded =
        encoded_files(r_.wanted, report.output, *scene().data(), drawn.frame, drawn.computed);
    report.encode = encode.milliseconds();
    const Stopwatch write;
    std::vector<NewFile> files;
    for (const EncodedFile& file : encoded) files.emplace_back(file.path, file.bytes);
    write_files_atomically(files);
    report.write = write.milliseconds();
    return report;
  }

  /// After the last frame.
  void finish() {
    if (movie_) movie_->finish();
  }

  const Renderer& renderer() const { return renderer_; }
  /// Warns of the machines that have failed since the last call.
  void remark_losses() {
    const std::string losses = take_new_losses(renderer_);
    if (!losses.empty() && is_in_front()) remark("warning: " + losses);
  }
  const Scene& scene() const { return renderer_.scene(); }
  /// The settings of the last frame.
  const RenderSettings& settings() const { return settings_; }

 private:
  static SceneRequest first_frame(const FramesRequest& request) {
    SceneRequest scene = request.scene.scene;
    scene.frame = request.frames.first;
    return scene;
  }
  static RendererOptions options_of(const FramesRequest& request) {
    RendererOptions options = request.renderer;
    options.moves = true;
    return options;
  }

  const FramesRequest& r_;
  const NumberedName& name_;
  const LinearFormat* const linear_;  // null: PNG
  const SceneFrames frames_;
  Renderer renderer_;
  RenderSettings settings_;
  std::optional<Movie> movie_;
};

/// Draws and writes all frames. Returns their reports.
std::vector<FrameReport> draw_all(FramesDrawer& drawer, const FrameRange& frames) {
  std::vector<FrameReport> reports;
  ProgressBar bar("frames");
  const Progress report = bar.report();
  u32 written = 0;
  const auto finish = [&](std::future<FrameReport>& writing) {
    if (!writing.valid()) return;
    reports.push_back(writing.get());
    if (report) report(++written, frames.count());
  };
  // Each frame is written while the next one is drawn.
  std::future<FrameReport> writing;
  for (u32 number = frames.first; number <= frames.last; ++number) {
    DrawnPicture picture = drawer.draw(number);
    drawer.remark_losses();
    finish(writing);
    writing = std::async(std::launch::async,
                         [&drawer, picture = std::move(picture)] { return drawer.write(picture); });
  }
  finish(writing);
  drawer.finish();
  return reports;
}

/// The times of all frames together.
Json sum_of_times(const std::vector<FrameReport>& reports) {
  FrameReport sum;
  for (const FrameReport& report : reports) {
    sum.scene += report.scene, sum.draw += report.draw;
    sum.encode += report.encode, sum.write += report.write;
    for (const StageTime& stage : report.stages)
      add_time(stage.name, stage.milliseconds, sum.stages);
  }
  return times_of(sum);
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
  const NumberedName name = numbered_name(r.output);
  const std::string first = name.of(r.frames.first), last = name.of(r.frames.last);
  for (const std::string& path : {first, last}) {
    if (is_stdout(path)) throw UsageError("--frames: pictures can't go to stdout");
    require_writable(path);
  }
  const Stopwatch whole;
  FramesDrawer drawer(r, name);
  if (!drawer.renderer().note().empty()) remark("note: " + drawer.renderer().note());
  require_exact(r.wanted, r.output, *drawer.scene().data());
  for (const std::string& frame : {first, last})
    for (const std::string& path : paths_of(r.wanted, frame))
      require_none_of("-o", path, drawer.scene().data()->all_files());

  const Stopwatch drawing;
  const std::vector<FrameReport> reports = draw_all(drawer, r.frames);
  const u32 count = r.frames.count();
  const double rate = 1000.0 * count / drawing.milliseconds(), total = whole.milliseconds();
  const Renderer& renderer = drawer.renderer();
  const Json processes = reports_of_processes(renderer, sum_of_times(reports),
                                              memory_of(renderer, drawer.settings().cast));
  if (!is_in_front()) return 0;
  remark_losses_of_others(processes);
  if (r.json) {
    Json json = {{"scene", drawer.scene().name()},
                 {"device", renderer.device()},
                 {"builder", prepared_of(renderer).builder.name()},
                 {"frames", Json::array()},
                 {"frames_per_second", rate},
                 {"total_ms", total},
                 {"losses", renderer.losses()},
                 {"warnings", drawer.scene().warnings()}};
    for (const FrameReport& report : reports) json["frames"].push_back(json_of_frame(report));
    if (!processes.is_null()) json["processes"] = processes;
    print(text_of(json));
    return 0;
  }
  const RenderSettings& settings = drawer.settings();
  std::string names = one_line(first);
  if (first != last) names += " to " + one_line(last);
  print("wrote " + names + " (" + counted(count, "frame") + ", " + std::to_string(settings.width) +
        "x" + std::to_string(settings.height) +
        padding_in_words(first, settings.width, settings.height) + ", " + settings.shading + ", " +
        counted(settings.samples, "sample") + " per pixel) in " + time_in_words(total) + " on " +
        renderer.device() + ", " + fixed(rate, rate < 10.0 ? 2 : 0) + " frames per second\n");
  return 0;
}

}  // namespace ballotcast::detail
