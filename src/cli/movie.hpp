// Movies: the frames of a scene in one file, made by the program ffmpeg.
#pragma once

#include <memory>
#include <string>

#include "image/image.hpp"
#include "support/child_program.hpp"
#include "support/files/temporary_files.hpp"

namespace ballotcast::detail {

/// True for the names of movies: .mp4 and .gif.
bool is_movie_name(const std::string& path);

/// Throws UsageError, which names the option, unless a movie of this name, the value of `option`,
/// can be made: if ffmpeg is not installed, for instance.
void require_movie(const std::string& option, const std::string& path, u32 frames_per_second);

/// "" or, if the movie in this file becomes larger than its frames, ", padded to 162x92".
std::string padding_in_words(const std::string& path, u32 width, u32 height);

/// A movie that is being made. The file gets its name when it is complete.
class Movie {
 public:
  /// Throws InputError if ffmpeg can't be started, and OutputError if there is no place for
  /// temporary files.
  Movie(std::string path, u32 frames_per_second, u32 width, u32 height);

  /// Throws InputError, with what ffmpeg says, if it fails.
  void add(const Image<Rgb8>& frame);

  /// Throws the errors of `add` and of write_file_atomically.
  void finish();

 private:
  const std::string path_;
  const TemporaryFolder temporary_;
  const std::string unnamed_;  // where ffmpeg writes
  ChildProgram encoder_;
};

}  // namespace ballotcast::detail
