// The history of a suite: which pictures were approved when and why, and what that changed. It is a
// file beside the suite, suite-history.jsonl for suite.json, with one acceptance per line:
//
//     {"case": "room/lit", "date": "2026-03-02", "reason": "the lamp is warmer", ...}
// The lines of a case are together, the newest last, and cases are in the order of their names. So
// git can merge the acceptances of two cases without a conflict if both already have lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// A measure whose value was outside of the range of the case's tolerance.
struct BrokenRange {
  std::string measure;
  double low = 0.0;
  double high = 0.0;
  double value = 0.0;  // the value; NaN if it was not defined
};

/// What an acceptance changed. If there was no old picture, or if the sizes differ, the numbers
/// about pixels are 0.
struct PictureChange {
  std::string verdict;  // verdict about the case before the acceptance: "new", "different", ...
  // Sizes of the pictures, e.g. "320x180"; "" if there is no picture
  std::string old_size, new_size;
  u64 pixels = 0;     // number of pixels that were compared
  u64 different = 0;  // number of compared pixels that differ
  u32 max_error = 0;  // largest difference of a sample, in steps
  u32 largest = 0;    // largest possible sample
  // Values of the metrics by name; infinite and undefined values are left out
  std::map<std::string, double> metrics;
  std::vector<BrokenRange> broken;
  std::vector<std::string> also;  // names of other exact values that have changed: "hits", "rays"

  bool has_numbers() const { return pixels != 0; }
};

/// The change in sentences, e.g. "different: 3 of 144 pixels differ, by up to 5 of 255; FLIP
/// 0.0132. Also changed: hits."
std::string in_words(const PictureChange& change);

Json json_of(const PictureChange& change);

/// The change that was written as `json` by json_of. Throws Json::exception if `json` is something
/// else.
PictureChange change_from(const Json& json);

/// One acceptance: a line of the history.
struct HistoryEntry {
  std::string name;     // name of the case
  std::string date;     // UTC, YYYY-MM-DD
  std::string version;  // version of this program
  std::string reason;
  std::string old_pixels, new_pixels;  // hashes of the pictures' samples; "" if there is no picture
  std::string old_hits, new_hits;
  // What changed; absent in entries that earlier versions wrote
  std::optional<PictureChange> change;
  std::string line;  // the line as it was read, so that no key is lost; "" for new entries

  /// What the acceptance changed, in sentences; "" if that is not known.
  std::string change_in_words() const;
};

/// Reads an entry from `json`. Throws Json::exception if `json` is not an entry.
HistoryEntry history_entry_from(const Json& json);

/// The entries of the text of a history. Throws InputError, which names `path` and the line, for a
/// line that is not an entry.
std::vector<HistoryEntry> history_from(const std::string& text, const std::string& path);

/// The text of a history, with the lines of each case together.
std::string text_of(std::vector<HistoryEntry> history);

}  // namespace ballotcast::detail
