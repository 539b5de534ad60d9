// The times of the stages of some work, in order of appearance.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ballotcast/frame.hpp"

namespace ballotcast::detail {

/// Adds the time of one stage to that of the same name.
inline void add_time(const std::string& name, double milliseconds, std::vector<StageTime>& times) {
  const auto same = std::find_if(times.begin(), times.end(),
                                 [&](const StageTime& time) { return time.name == name; });
  if (same == times.end())
    times.push_back({name, milliseconds});
  else
    same->milliseconds += milliseconds;
}

}  // namespace ballotcast::detail
