#include "support/profile.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <vector>

#include "support/files/files.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

struct KeptSpan {
  std::string name;
  std::size_t track;
  ProfileClock::time_point begin, end;
};

struct Profile {
  std::atomic<bool> is_on{false};
  std::mutex mutex;
  ProfileClock::time_point zero;
  std::vector<std::string> tracks;
  std::vector<KeptSpan> spans;

  /// The index of the track with this name. Adds the track if there is none.
  std::size_t track_called(std::string_view name) {
    std::size_t i = 0;
    while (i < tracks.size() && tracks[i] != name) ++i;
    if (i == tracks.size()) tracks.emplace_back(name);
    return i;
  }
};

/// The profile of this process. It is never destroyed, because threads may still work when the
/// process ends.
Profile& profile() {
  static Profile& all = *new Profile;
  return all;
}

/// The first thread that records a span is "main", the others have numbers.
std::string_view name_of_thread() {
  static std::atomic<unsigned> threads{0};
  thread_local const std::string name = [] {
    const unsigned number = threads++;
    return number == 0 ? std::string("main") : "thread " + std::to_string(number);
  }();
  return name;
}

/// The first characters of every profile.
constexpr std::string_view kBegin = "{\n  \"displayTimeUnit\"";

}  // namespace

void start_profile(double before_ms) {
  Profile& all = profile();
  const auto now = ProfileClock::now();
  all.zero = now - std::chrono::duration_cast<ProfileClock::duration>(
                       std::chrono::duration<double, std::milli>(before_ms));
  all.is_on = true;
  keep_span("start of the program", all.zero, now);
}

bool is_profiled() { return profile().is_on.load(std::memory_order_relaxed); }

void keep_span(std::string name, ProfileClock::time_point begin, ProfileClock::time_point end,
               std::string_view track) {
  Profile& all = profile();
  const std::string_view place = track.empty() ? name_of_thread() : track;
  const std::lock_guard lock(all.mutex);
  all.spans.push_back({std::move(name), all.track_called(place), begin, end});
}

std::string profile_as_json() {
  Profile& all = profile();
  const std::lock_guard lock(all.mutex);
  Json events = Json::array();
  for (std::size_t i = 0; i < all.tracks.size(); ++i)
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 1},
                      {"tid", i},
                      {"args", {{"name", all.tracks[i]}}}});
  for (const KeptSpan& span : all.spans)
    events.push_back({{"name", span.name},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", span.track},
                      {"ts", Microseconds(span.begin - all.zero).count()},
                      {"dur", Microseconds(span.end - span.begin).count()}});
  return text_of({{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}});
}

bool may_become_profile(const std::string& path) {
  std::error_code ignored;
  if (!is_file(path) || std::filesystem::file_size(path, ignored) == 0) return true;
  std::string begin(kBegin.size(), '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), std::ssize(begin));
  return begin == kBegin;
}

}  // namespace ballotcast::detail
