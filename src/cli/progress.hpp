// The progress bar.
#pragma once

#include <chrono>
#include <string>

#include "kernels/frame_settings.hpp"

namespace ballotcast::detail {

/// One line for a terminal of `columns` columns: share done, bar, units per second (where there are
/// few, how many are done), time left. Empty when there is no room.
std::string progress_line(u64 done, u64 total, double seconds, std::size_t columns,
                          const std::string& unit);

/// What clears the line that a bar may have drawn; "" where stderr is no terminal.
const char* progress_line_end();

/// A line at the bottom of the terminal on stderr. Where stderr is none it stays silent, and where
/// the work ends within half a second too. The line is gone once the bar is.
class ProgressBar {
 public:
  /// `unit` is what is counted: "rays".
  explicit ProgressBar(std::string unit);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// What the library is to report to, at most as long as the bar lives.
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
