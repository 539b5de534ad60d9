// The history of a suite: what was approved when, why, and what that changed. It is a file
// beside the suite, suite-history.jsonl for suite.json, with one acceptance per line:
//
//     {"case": "room/lit", "date": "2026-03-02", "reason": "the lamp is warmer", ...}
//
// The lines of a case follow each other, the newest last, and cases are in the order of their
// names. So git can merge the acceptances of two different cases without a conflict, if both cases
// already have lines.
#pragma once

#include <map>
#include <optional>
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
  std::vector<std::string> also;  // other exact values that have changed: "hits", "rays"

  bool has_numbers() const { return pixels != 0; }
};

/// The change in sentences: "different: 3 of 144 pixels differ, by up to 5 of 255; FLIP 0.0132.
/// Also changed: hits."
std::string in_words(const PictureChange& change);

Json json_of(const PictureChange& change);

/// The change that json_of wrote. Throws Json::exception if `json` is something else.
PictureChange change_from(const Json& json);

/// One acceptance.
struct HistoryEntry {
  std::string name;     // of the case
  std::string date;     // UTC, YYYY-MM-DD
  std::string version;  // of the program
  std::string reason;
  std::string old_pixels, new_pixels;  // hashes; "" for no picture
  std::string old_hits, new_hits;
  std::optional<PictureChange> change;  // absent in entries that earlier versions wrote
  std::string line;                     // as it was read, so that no key is lost; "" for new ones

  /// What the acceptance changed, in sentences; "" if that is not known.
  std::string change_in_words() const;
};

/// The entry that `json` states. Throws Json::exception if it is something else.
HistoryEntry history_entry_from(const Json& json);

/// The entries of the text of a history. Throws InputError, which names `path` and the line, for a
/// line that is no entry.
std::vector<HistoryEntry> history_from(const std::string& text, const std::string& path);

/// The text of a history: the lines of each case one after another.
std::string text_of(std::vector<HistoryEntry> history);

}  // namespace ballotcast::detail
