// The three kinds of output: results on stdout, remarks on stderr, and files. If there are several
// processes, only the leader writes output (is_in_front); in the others these functions do nothing.
// Also the progress bar.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kernels/frame/frame_settings.hpp"

namespace ballotcast::detail {

/// Writes `text` to stdout with control characters escaped (see `printable`). Throws OutputError if
/// it can't be written completely.
void print(const std::string& text);

/// Writes "ballotcast: TEXT" and a line end to stderr. Ignores errors.
void remark(const std::string& text);

/// Writes `lines` to stderr without changes. Ignores errors.
void remark_lines(const std::string& lines);

/// Prints a remark for each warning. If there are more than 8, prints the first 8 and the number of
/// the others.
void remark_warnings(const std::vector<std::string>& warnings);

/// Throws OutputError if no file can be created at `path`. Call this before long work, whose result
/// would be lost if the file could not be written at the end.
void require_writable(const std::string& path);

/// A kind of output file, and the endings that its file names may have.
struct OutputKind {
  const char* words;
  std::vector<const char*> endings;  // allowed endings
};
extern const OutputKind kPicture, kDrawnPicture, kDrawnFrames, kPage, kDrawing, kJunit,
    kPackedScene;

/// Throws UsageError, which names `option`, unless `path` has an ending of this kind. Pipes and
/// devices may have any name, and "" means that there is no file.
void require_name(const OutputKind& kind, const std::string& option, const std::string& path);

/// Throws UsageError if the name `path` of a result has the ending of a scene's file, because the
/// result might overwrite such a file.
void require_no_scene_name(const std::string& path);

/// Checks that a report of this kind can be written to `path`, the value of `option`. Throws in the
/// same cases as require_no_scene_name, require_name and require_writable. If `path` is stdout,
/// throws UsageError, because `printed` is printed there. "" means that there is no file.
void require_report_place(const std::string& option, const std::string& path,
                          const std::string& printed, const OutputKind& kind);

/// Throws UsageError if `path`, the value of `option`, is one of `inputs`, which would be
/// overwritten. "" means that there is no file.
void require_none_of(const std::string& option, const std::string& path,
                     const std::vector<std::string>& inputs);

/// True if both names are equal or refer to the same existing file.
bool same_file(const std::string& a, const std::string& b);

/// A line for a terminal with this number of columns: the fraction of the work that is done, a bar,
/// units per second (or the number of units done, if the total or the rate is small), and the time
/// left. Parts that do not fit are left out; "" if none fits.
std::string progress_line(u64 done, u64 total, double seconds, std::size_t columns,
                          const std::string& unit);

/// The text that erases the line of a progress bar; "" if stderr is not a terminal.
const char* progress_line_end();

/// Shows a progress line at the bottom of the terminal, on stderr. Prints nothing if stderr is not
/// a terminal, or if the work ends within half a second. The destructor erases the line.
class ProgressBar {
 public:
  /// `unit` is the name of what is counted, e.g. "rays".
  explicit ProgressBar(std::string unit);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Returns the callback for the library. It must not be called after the bar is destroyed.
  Progress report();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(u64 done, u64 total);

  std::string unit_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace ballotcast::detail
