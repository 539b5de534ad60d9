#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWarnings = 8;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw OutputError(path + ": can't be written: " + why);
}

}  // namespace

const OutputKind kPicture{"pictures are written as PNG", {".png"}};
const OutputKind kDrawnPicture{
    "pictures are written as PNG, or with linear numbers as PFM, HDR or EXR",
    {".png", ".pfm", ".hdr", ".exr"}};
const OutputKind kDrawnFrames{
    "frames are written as pictures (PNG, PFM, HDR, EXR) or as a film (MP4, GIF)",
    {".png", ".pfm", ".hdr", ".exr", ".mp4", ".gif"}};
const OutputKind kPage{"pages are written as HTML", {".html", ".htm"}};
const OutputKind kDrawing{"drawings are written as SVG", {".svg"}};
const OutputKind kJunit{"results for CI services are written as XML", {".xml"}};
const OutputKind kPackedScene{"packed scenes are BCAST files", {".bcast"}};

void print(const std::string& raw) {
  if (!is_in_front()) return;
  const std::string text = printable(raw);
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    refuse("stdout", errno != 0 ? std::strerror(errno) : "unknown reason");
}

void remark(const std::string& text) {
  if (!is_in_front()) return;
  std::fputs(("ballotcast: " + printable(text) + "\n").c_str(), stderr);
}

void remark_lines(const std::string& lines) {
  if (is_in_front()) std::fputs(printable(lines).c_str(), stderr);
}

void remark_warnings(const std::vector<std::string>& warnings) {
  const bool all = warnings.size() <= kMostWarnings;
  for (std::size_t i = 0; i < (all ? warnings.size() : kMostWarnings); ++i)
    remark("warning: " + one_line(warnings[i]));
  if (!all)
    remark("warning: " + std::to_string(warnings.size() - kMostWarnings) +
           " more warnings; ballotcast info --json lists all");
}

void require_writable(const std::string& path) {
  if (!is_in_front()) return;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) refuse(path, "it is a directory");
    if (::access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
    if (!S_ISREG(info.st_mode)) return;
  } else if (errno != ENOENT) {
    refuse(path, std::strerror(errno));
  } else if (path.ends_with('/')) {
    refuse(path, "it names a directory");
  }
  // The new file is first written under another name in the same directory, so this directory must
  // be writable.
  std::error_code ignored;
  const fs::path real =
      fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  const fs::path directory = real.has_parent_path() ? real.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, ignored))
    refuse(path, "there is no directory " + directory.string());
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    refuse(path, "directory " + directory.string() + ": " + std::strerror(errno));
}

void require_name(const OutputKind& kind, const std::string& option, const std::string& path) {
  struct stat info;
  const bool is_file = ::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
  if (path.empty() || !is_file || path.starts_with("/dev/") || path.starts_with("/proc/")) return;
  const std::string name = lowered(path);
  if (std::ranges::any_of(kind.endings, [&](const char* end) { return name.ends_with(end); }))
    return;
  throw UsageError(option + " '" + path + "': " + kind.words + "; call it " + kind.endings.front());
}

void require_no_scene_name(const std::string& path) {
  for (const std::string& input : suffixes_of_inputs())
    if (lowered(path).ends_with(input))
      throw UsageError("'" + path + "': results can't be named like scene files (" + input + ")");
}

void require_report_place(const std::string& option, const std::string& path,
                          const std::string& printed, const OutputKind& kind) {
  if (path.empty()) return;
  require_no_scene_name(path);
  require_name(kind, option, path);
  if (is_stdout(path))
    throw UsageError(option + " '" + path + "' can't share stdout with " + printed);
  require_writable(path);
}

void require_none_of(const std::string& option, const std::string& path,
                     const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  for (const std::string& input : inputs)
    if (same_file(path, input))
      throw UsageError(option + " '" + path + "' is an input; writing to it would destroy it");
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::path(a).lexically_normal() == fs::path(b).lexically_normal() ||
         (is_file(a) && fs::equivalent(a, b, ignored));
}

namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\x1b[K";
// Up to this total, the bar shows how many units (pictures) are done: "12 of 48". Above it, the bar
// shows how many units (rays, triangles) are done per second.
constexpr u64 kMostCounted = 9999;

/// A file descriptor of the terminal that shows stderr, or -1 if there is none. Opened once. Under
/// mpirun, stderr of this process is a pipe to mpirun, which copies everything to its own stderr;
/// so the terminal is that of the parent process.
int terminal() {
  static const int found = [] {
    if (::isatty(STDERR_FILENO) != 0) return STDERR_FILENO;
    if (!joined_processes()) return -1;
    const std::string stderr_of_parent = "/proc/" + std::to_string(::getppid()) + "/fd/2";
    const int fd = ::open(stderr_of_parent.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || ::isatty(fd) != 0) return fd;
    ::close(fd);
    return -1;
  }();
  return found;
}

bool has_terminal() {
  const char* term = std::getenv("TERM");
  return is_in_front() && terminal() >= 0 && term && std::string_view(term) != "dumb";
}

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(terminal(), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kTextWidth;
}

/// The progress as text: "3.5 M rays/s"; or "12 of 36 cases" if the total or the rate is small.
std::string pace_in_words(u64 done, u64 total, double seconds, const std::string& unit) {
  const double rate = static_cast<double>(done) / seconds;
  if (total <= kMostCounted || rate < 1.0)
    return grouped(done) + " of " + grouped(total) + " " + unit;
  const std::string number = prefixed(rate);
  return number + (number.ends_with(' ') ? "" : " ") + unit + "/s";
}

/// The time left as text: ", 12 s left"; "" if everything is done.
std::string time_left(double share, double seconds) {
  if (share >= 1.0) return "";
  const double left = std::ceil(seconds * (1.0 - share) / share);
  return ", " + (left < 60.0 ? fixed(left, 0) + " s" : time_in_words(left * 1e3)) + " left";
}

}  // namespace

std::string progress_line(u64 done, u64 total, double seconds, std::size_t columns,
                          const std::string& unit) {
  if (total == 0 || columns < 8) return "";
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  std::string percent = std::to_string(static_cast<int>(share * 100.0));
  percent.insert(0, 3 - percent.size(), ' ');
  percent += "%";
  std::string rest;
  if (done > 0 && seconds > 0.0)
    rest = pace_in_words(done, total, seconds, unit) + time_left(share, seconds);
  // The last column stays empty, because some terminals wrap a full line.
  const std::size_t room = columns - 1;
  std::string line = percent;
  if (percent.size() + 2 + rest.size() <= room) line += "  " + rest;
  if (line.size() + 8 <= room) {
    const std::size_t width = std::min<std::size_t>(30, room - line.size() - 3);
    const std::size_t filled = static_cast<std::size_t>(share * static_cast<double>(width));
    line.insert(percent.size(),
                " [" + std::string(filled, '#') + std::string(width - filled, '.') + "]");
  }
  return line;
}

const char* progress_line_end() { return has_terminal() ? kClearLine : ""; }

ProgressBar::ProgressBar(std::string unit)
    : unit_(std::move(unit)), terminal_(has_terminal()), next_(start_ + kPatience) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs(kClearLine, stderr);
}

Progress ProgressBar::report() {
  if (!terminal_) return {};
  return [this](u64 done, u64 total) { draw(done, total); };
}

void ProgressBar::draw(u64 done, u64 total) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fputs((kClearLine + progress_line(done, total, seconds, terminal_columns(), unit_)).c_str(),
             stderr);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace ballotcast::detail
