// Records where the time of this process goes: named spans of time on its threads and on its GPUs.
// They can be written to a file for trace viewers such as https://ui.perfetto.dev and
// chrome://tracing.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace ballotcast::detail {

using ProfileClock = std::chrono::steady_clock;

/// Records all spans from now on. `before_ms` is the time since the process started, in
/// milliseconds. Times in the file count from the start of the process.
void start_profile(double before_ms);

bool is_profiled();

/// Records a span. `track` is the row of the timeline that shows it; "" for the row of this thread.
void keep_span(std::string name, ProfileClock::time_point begin, ProfileClock::time_point end,
               std::string_view track = "");

/// All recorded spans, in the JSON of
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Trace Event
/// Format): complete events, in microseconds.
std::string profile_as_json();

/// True if a profile may be written to `path`, because there is no file or an older profile. Scene
/// files also end in .json, and must not be overwritten.
bool may_become_profile(const std::string& path);

/// Records the span from its construction to its destruction. Costs next to nothing if no profile
/// was started.
class ProfileSpan {
 public:
  explicit ProfileSpan(std::string_view name) : ProfileSpan(name, "") {}
  /// A span with the name "`name` `of`", as in "read wall.png".
  ProfileSpan(std::string_view name, std::string_view of) {
    if (!is_profiled()) return;
    name_ = of.empty() ? std::string(name) : std::string(name) + " " + std::string(of);
    begin_ = ProfileClock::now();
  }
  ~ProfileSpan() {
    if (!name_.empty()) keep_span(std::move(name_), begin_, ProfileClock::now());
  }
  ProfileSpan(const ProfileSpan&) = delete;
  ProfileSpan& operator=(const ProfileSpan&) = delete;

 private:
  std::string name_;  // "" if the span is not recorded
  ProfileClock::time_point begin_;
};

}  // namespace ballotcast::detail
