// What an acceptance changed: the old golden compared with the new one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// A measure that was outside of the range that the tolerance of the case allowed.
struct BrokenRange {
  std::string measure;
  double low = 0.0;
  double high = 0.0;
  double value = 0.0;  // NaN if it was not defined
};

/// What an acceptance changed. Without old picture, or if the sizes differ, there are no numbers of
/// pixels.
struct PictureChange {
  std::string verdict;             // why the case was not right before: "new", "different", ...
  std::string old_size, new_size;  // "320x180"; "" for no picture
  u64 pixels = 0;                  // number of pixels that were compared
  u64 different = 0;               // number of them that differ
  u32 max_error = 0;               // largest difference of a sample, in steps
  u32 largest = 0;                 // largest possible sample
  std::map<std::string, double> metrics;  // by name; infinite and undefined ones are left out
  std::vector<BrokenRange> broken;
  std::vector<std::string> also;  // what else that is kept exactly has changed: "hits", "rays"

  bool has_numbers() const { return pixels != 0; }
};

/// The change in sentences: "different: 3 of 144 pixels differ, by up to 5 of 255; FLIP 0.0132.
/// Also changed: hits."
std::string in_words(const PictureChange& change);

Json json_of(const PictureChange& change);

/// The change that json_of wrote. Throws Json::exception if `json` is something else.
PictureChange change_from(const Json& json);

}  // namespace ballotcast::detail
