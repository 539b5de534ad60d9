#include "cli/movie.hpp"

#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char* kProgram = "ffmpeg";
constexpr unsigned kTimeout = 3600;  // seconds, for the frames that are still to be encoded
constexpr unsigned kSoon = 10;       // seconds, for a program that reads no more
constexpr u32 kMostOfGif = 50;  // frames per second: GIF counts hundredths, and viewers slow down 1

bool is_gif(const std::string& path) { return lowered(path).ends_with(".gif"); }

std::vector<std::string> words_for(const std::string& path, const std::string& to,
                                   u32 frames_per_second, u32 width, u32 height) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  std::string words = std::string(kProgram) +
                      " -v error -nostdin -f rawvideo -pixel_format rgb24 -video_size " + size +
                      " -framerate " + std::to_string(frames_per_second) + " -i pipe:0 ";
  // GIF: colours that suit all frames. MP4: players want 4:2:0, which needs even sizes, and the
  // colours of HDTV, which must be said.
  words += is_gif(path)
               ? "-filter_complex [0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse -f gif"
               : "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv "
                 "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv "
                 "-pix_fmt yuv420p -movflags +faststart -f mp4";
  std::istringstream in(words);
  std::vector<std::string> list{std::istream_iterator<std::string>(in), {}};
  list.push_back("file:" + to);  // whose name may have spaces
  return list;
}

}  // namespace

bool is_movie_name(const std::string& path) {
  return is_gif(path) || lowered(path).ends_with(".mp4");
}

std::string padding_in_words(const std::string& path, u32 width, u32 height) {
  // ffmpeg's filter `pad` makes both numbers even.
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
  encoder_.finish(kSoon);  // throws what it says, unless it calls that success
  throw InputError(path_ + ": ffmpeg ended too early");
}

void Movie::finish() {
  encoder_.finish(kTimeout);
  std::error_code failure;
  if (!std::filesystem::is_regular_file(unnamed_, failure))
    throw InputError(path_ + ": ffmpeg has not made a film");
  write_file_atomically(path_, read_file(unnamed_));
}

}  // namespace ballotcast::detail
