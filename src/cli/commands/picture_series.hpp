// Several pictures of one scene, which stays in memory: frames, as files or as a movie, or the
// views of several cameras.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "cli/option_table.hpp"
#include "cli/scene_options.hpp"
#include "image/image.hpp"
#include "image/linear/linear_image.hpp"
#include "kernels/frame/stage_times.hpp"
#include "render/outputs/outputs.hpp"
#include "support/child_program.hpp"
#include "support/files/temporary_files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// True for the names of movies: .mp4 and .gif.
bool is_movie_name(const std::string& path);

/// Throws UsageError, which names the option, if a movie with this name can't be made, for instance
/// because ffmpeg is not installed. The name is the value of `option`.
void require_movie(const std::string& option, const std::string& path, u32 frames_per_second);

/// A remark about a movie that is larger than its frames: ", padded to 162x92"; else "".
std::string padding_in_words(const std::string& path, u32 width, u32 height);

/// A movie that is being made. The file gets its name when it is complete.
class Movie {
 public:
  /// Throws InputError if ffmpeg can't be started, and OutputError if there is no place for
  /// temporary files.
  Movie(std::string path, u32 frames_per_second, u32 width, u32 height);

  /// Adds a frame. If ffmpeg fails, throws InputError with its message.
  void add(const Image<Rgb8>& frame);

  /// Throws the errors of `add` and of write_file_atomically.
  void finish();

 private:
  const std::string path_;
  const TemporaryFolder temporary_;
  const std::string unnamed_;  // where ffmpeg writes
  ChildProgram encoder_;
};

/// A file name with a place for a number or a name: the text before the place, the digits of the
/// number, and the text behind it. The name of a movie has no such place.
struct NumberedName {
  std::string before, behind;
  std::size_t digits = 0;
  bool has_place = false, is_text = false;

  std::string of(u32 number, const std::string& text = "") const;
};

/// Finds %d or %04d in `name`; with `takes_text` also %s. Throws UsageError, which says that
/// `option` needs it, unless there is exactly one, or `name` is that of a movie.
NumberedName numbered_name(const std::string& name, const std::string& option, bool takes_text);

/// One of the pictures.
struct SeriesPicture {
  Json name;           // its number or name in the report
  std::string output;  // its file; all pictures of a movie have the same
  RenderSettings settings;
};

/// What was done for one picture, with the times in milliseconds.
struct PictureReport {
  Json name;
  std::string output, pixels_hash;
  double scene = 0.0, draw = 0.0, encode = 0.0, write = 0.0;
  std::vector<StageTime> stages;
};

/// The common settings of all pictures of a series.
struct SeriesRequest {
  const WantedOutputs& wanted;
  std::string output;     // --output, whose suffix says what is written
  u32 frames_per_second;  // of a movie
  bool json;
  const char* what;  // the word for one of the pictures: "frame"
};

/// Draws and writes pictures: while one is written, the next is drawn.
class PictureSeries {
 public:
  /// The arguments must outlive this object.
  PictureSeries(Renderer& renderer, const SeriesRequest& request);

  /// Calls prepare(i) for each i below `count`. It may change the scene, and returns what is drawn
  /// next. Returns the reports. Throws the errors of Renderer, Movie and write_files_atomically.
  /// Pictures that were written before an error remain.
  std::vector<PictureReport> draw(u32 count, const std::function<SeriesPicture(u32)>& prepare);

  /// The settings of the last picture.
  const RenderSettings& settings() const { return settings_; }

  /// Prints the report: as JSON, or as a line of names, sizes and times. Also reports machines that
  /// other processes have lost. `whole_ms` is the time since the command began.
  void print_report(const std::vector<PictureReport>& reports, double whole_ms) const;

 private:
  struct Drawn;
  Drawn draw_one(u32 index, const std::function<SeriesPicture(u32)>& prepare);
  PictureReport write(const Drawn& drawn);

  Renderer& renderer_;
  const SeriesRequest& request_;
  const LinearFormat* const linear_;  // null: PNG
  RenderSettings settings_;
  std::optional<Movie> movie_;
  double drawing_ms_ = 0.0;
};

// Frames of a scene that moves: `render --frames`.

/// The frames first to last.
struct FrameRange {
  u32 first, last;

  u32 count() const { return last - first + 1; }
};

/// Sets a range of frames: A..B, or a single one.
Setter set_frames(std::optional<FrameRange>& target);

/// The part of the command line that `render --frames` needs.
struct FramesRequest {
  const SceneOptions& scene;
  RenderSettings settings;  // including the camera
  RendererOptions renderer;
  WantedOutputs wanted;
  std::string output;  // with one %d or %0Nd, where the number of the frame goes; or a movie
  FrameRange frames;
  bool json;
};

/// Draws the frames and writes them, as pictures or as a movie. Each picture has the same bytes as
/// if it were drawn alone. Before any work, throws UsageError or OutputError if the first or last
/// file can't be written, or if nothing in the scene moves. Later throws the errors of SceneFrames,
/// Renderer, Movie and write_files_atomically. Pictures that were written before an error remain.
int render_frames(const FramesRequest& request);

}  // namespace ballotcast::detail
