// The progress bar.
#pragma once

#include <chrono>
#include <string>

#include "kernels/frame/frame_settings.hpp"

namespace ballotcast::detail {

/// One line for a terminal of `columns` columns: the share done, a bar, units per second (or the
/// number done, if the total or the rate is small), and the time left. Parts that do not fit are
/// left out; "" if there is no room at all.
std::string progress_line(u64 done, u64 total, double seconds, std::size_t columns,
                          const std::string& unit);

/// The text that erases the line of a progress bar; "" if stderr is not a terminal.
const char* progress_line_end();

/// A progress line at the bottom of the terminal, on stderr. It prints nothing if stderr is not a
/// terminal, or if the work ends within half a second. The destructor erases the line.
class ProgressBar {
 public:
  /// `unit` names what is counted: "rays".
  explicit ProgressBar(std::string unit);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// The callback for the library. It must not be used after the bar is destroyed.
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
