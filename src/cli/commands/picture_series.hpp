// Draws several pictures of one scene, which stays in memory: frames, as files or as a movie, or
// the views of several cameras.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "cli/option_table.hpp"
#include "cli/scene_options.hpp"
#include "image/linear/linear_files.hpp"
#include "image/picture.hpp"
#include "kernels/frame/stage_times.hpp"
#include "render/outputs/outputs.hpp"
#include "support/child_program.hpp"
#include "support/files/temporary_files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// True if `path` is the name of a movie, i.e. ends with .mp4 or .gif.
bool is_movie_name(const std::string& path);

/// Throws UsageError, which names `option`, if the movie `path`, which is the value of that option,
/// can't be made, for instance because ffmpeg is not installed.
void require_movie(const std::string& option, const std::string& path, u32 frames_per_second);

/// A remark if a movie is larger than its frames: ", padded to 162x92"; else "".
std::string padding_in_words(const std::string& path, u32 width, u32 height);

/// Writes a movie. The file gets its name when it is complete.
class Movie {
 public:
  /// Starts ffmpeg. Throws InputError if that fails, and OutputError if there is no place for
  /// temporary files.
  Movie(std::string path, u32 frames_per_second, u32 width, u32 height);

  /// Adds a frame. If ffmpeg fails, throws InputError with its message.
  void add(const Image<Rgb8>& frame);

  /// Waits for ffmpeg and gives the file its name. Throws InputError if ffmpeg fails, and
  /// OutputError if the file can't be written.
  void finish();

 private:
  const std::string path_;
  const TemporaryFolder temporary_;
  const std::string unnamed_;  // the temporary file that ffmpeg writes
  ChildProgram encoder_;
};

/// A file name in which a number or a name can be inserted: the text before it, the number of
/// digits, and the text after it. The name of a movie has no position for a number.
struct NumberedName {
  std::string before, behind;
  std::size_t digits = 0;
  bool has_place = false, is_text = false;

  std::string of(u32 number, const std::string& text = "") const;
};

/// Parses `name`, which must contain %d or %04d, or if `takes_text` is true, %s. Throws UsageError,
/// which names `option`, unless there is exactly one of these, or `name` is that of a movie.
NumberedName numbered_name(const std::string& name, const std::string& option, bool takes_text);

/// One picture of a series.
struct SeriesPicture {
  Json name;           // number or name of the picture in the report
  std::string output;  // file of the picture; all pictures of a movie have the same
  RenderSettings settings;
};

/// What was drawn and written for one picture, with the times in milliseconds.
struct PictureReport {
  Json name;
  std::string output, pixels_hash;
  double scene = 0.0, draw = 0.0, encode = 0.0, write = 0.0;
  std::vector<StageTime> stages;
};

/// The settings that all pictures of a series have in common.
struct SeriesRequest {
  const WantedOutputs& wanted;
  std::string output;     // value of --output, whose ending determines the format
  u32 frames_per_second;  // frame rate of a movie
  bool json;
  const char* noun;  // word for one of the pictures in messages, e.g. "frame"
};

/// Draws and writes pictures. While one is written, the next is drawn.
class PictureSeries {
 public:
  /// The arguments must outlive this object.
  PictureSeries(Renderer& renderer, const SeriesRequest& request);

  /// Draws `count` pictures. Before each, calls prepare(i), which may change the scene, and returns
  /// the picture to draw. Returns the reports. Throws the errors of
  /// Renderer and Movie, and OutputError if a file can't be written. Pictures that were written
  /// before an error remain.
  std::vector<PictureReport> draw(u32 count, const std::function<SeriesPicture(u32)>& prepare);

  /// The settings of the last picture that was drawn.
  const RenderSettings& settings() const { return settings_; }

  /// Prints the report: as JSON, or as a line of names, sizes and times. Also reports machines that
  /// have failed in other processes. `whole_ms` is the time since the command began.
  void print_report(const std::vector<PictureReport>& reports, double whole_ms) const;

 private:
  struct Drawn;
  Drawn draw_one(u32 index, const std::function<SeriesPicture(u32)>& prepare);
  PictureReport write(const Drawn& drawn);

  Renderer& renderer_;
  const SeriesRequest& request_;
  const LinearFormat* const linear_;  // null for PNG
  RenderSettings settings_;
  std::optional<Movie> movie_;
  double drawing_ms_ = 0.0;
};

// `render --frames`: frames of a scene that moves.

/// A range of frames, from first to last.
struct FrameRange {
  u32 first, last;

  u32 count() const { return last - first + 1; }
};

/// Sets a range of frames from the text A..B, or from a single number.
Setter set_frames(std::optional<FrameRange>& target);

/// The request of `render --frames`.
struct FramesRequest {
  const SceneOptions& scene;
  RenderSettings settings;  // settings of all frames, with the camera
  RendererOptions renderer;
  WantedOutputs wanted;
  // File name with one %d or %0Nd for the number of the frame, or name of a movie
  std::string output;
  FrameRange frames;
  bool json;
};

/// Draws and writes the frames, as pictures or as a movie. Each picture has the same bytes as if it
/// were drawn alone. Before any work, throws UsageError or OutputError if the first or last file
/// can't be written, or if nothing in the scene moves. Later throws the errors of SceneFrames,
/// Renderer, Movie and write_files_atomically. Pictures that were written before an error remain.
int render_frames(const FramesRequest& request);

}  // namespace ballotcast::detail
