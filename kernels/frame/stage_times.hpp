// The times of the stages of a piece of work, in the order in which the stages first ran.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ballotcast/frame.hpp"

namespace ballotcast::detail {

/// Adds `milliseconds` to the time of the stage called `name`, or appends that stage.
inline void add_time(const std::string& name, double milliseconds, std::vector<StageTime>& times) {
  const auto same = std::find_if(times.begin(), times.end(),
                                 [&](const StageTime& time) { return time.name == name; });
  if (same == times.end())
    times.push_back({name, milliseconds});
  else
    same->milliseconds += milliseconds;
}

}  // namespace ballotcast::detail
