#include "cli/progress.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/processes/processes.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\x1b[K";
// A bar of few units (pictures) shows how many are done: "12 of 48". A bar of more units (rays,
// triangles) shows how many are done per second.
constexpr u64 kMostCounted = 9999;

/// A file descriptor of the terminal that shows stderr, or -1 if there is none. Under mpirun,
/// stderr of this process is a pipe to mpirun, which copies it to its own stderr; so there it is
/// the terminal of the parent process. Opened once.
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

/// The progress as text: "3.5 M rays/s", or "12 of 36 cases" if the total or the rate is small.
std::string pace_in_words(u64 done, u64 total, double seconds, const std::string& unit) {
  const double rate = static_cast<double>(done) / seconds;
  if (total <= kMostCounted || rate < 1.0)
    return grouped(done) + " of " + grouped(total) + " " + unit;
  const std::string number = prefixed(rate);
  return number + (number.ends_with(' ') ? "" : " ") + unit + "/s";
}

/// ", 12 s left", or "" when everything is done.
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
