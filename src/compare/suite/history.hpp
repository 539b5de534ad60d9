// The history of a suite: what was approved when, why, and what that changed. It is a file
// beside the suite, suite-history.jsonl for suite.json, with one acceptance per line:
//
//     {"case": "room/lit", "date": "2026-03-02", "reason": "the lamp is warmer", ...}
//
// The lines of a case follow each other, the newest last, and cases are in the order of their
// names. So git merges acceptances of two cases that were accepted before without a conflict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/suite/change.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

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

/// The text of a history: the lines of each case one behind the other.
std::string text_of(std::vector<HistoryEntry> history);

}  // namespace ballotcast::detail
