// Several pictures of one scene that stays in memory: frames, or what several cameras see.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "cli/movie.hpp"
#include "image/linear/linear_image.hpp"
#include "kernels/frame/stage_times.hpp"
#include "render/outputs/output_files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// A file name with a place for a number or a name: the text before, the digits of the number, and
/// the text behind. The name of a movie has no place.
struct NumberedName {
  std::string before, behind;
  std::size_t digits = 0;
  bool has_place = false, is_text = false;

  std::string of(u32 number, const std::string& text = "") const;
};

/// Finds %d or %04d in `name`, with `takes_text` also %s. Throws UsageError, which says that
/// `option` needs it, unless there is exactly one, or `name` is that of a movie.
NumberedName numbered_name(const std::string& name, const std::string& option, bool takes_text);

/// One of the pictures.
struct SeriesPicture {
  Json name;           // its number or name in the report
  std::string output;  // its file; of movies, that of all
  RenderSettings settings;
};

/// What was done for one picture, and the milliseconds that it took.
struct PictureReport {
  Json name;
  std::string output, pixels_hash;
  double scene = 0.0, draw = 0.0, encode = 0.0, write = 0.0;
  std::vector<StageTime> stages;
};

/// What all pictures of a series have in common.
struct SeriesRequest {
  const WantedOutputs& wanted;
  std::string output;     // --output, whose suffix says what is written
  u32 frames_per_second;  // of a movie
  bool json;
  const char* what;  // what one of the pictures is called: "frame"
};

/// Draws pictures and writes them: each is written while the next one is drawn.
class PictureSeries {
 public:
  /// All must outlive it.
  PictureSeries(Renderer& renderer, const SeriesRequest& request);

  /// Calls prepare(i) for i below `count`, which may change the scene and returns what is drawn
  /// then. Returns the reports. Throws the errors of Renderer, Movie and write_files_atomically.
  /// Pictures before the error stay.
  std::vector<PictureReport> draw(u32 count, const std::function<SeriesPicture(u32)>& prepare);

  /// The settings of the last picture.
  const RenderSettings& settings() const { return settings_; }

  /// Prints the report: as JSON, or as a line of names, sizes and times. Says what other processes
  /// have lost. `whole_ms` is the time since the command began.
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

}  // namespace ballotcast::detail
