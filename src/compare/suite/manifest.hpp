// Suites: which pictures must stay as they are. One JSON file, which people write and `accept`
// signs:
//
//     {
//       "format": "ballotcast suite",
//       "cases": [
//         {"name": "cornell", "scene": "cornell-box.json", "shading": ["lit", "normal"],
//          "cameras": {"front": {"eye": [0, 1, 4], "look_at": [0, 1, 0]}},
//          "size": [320, 180], "samples": 4, "on": {"device": ["cpu", "emulated"]}},
//         {"name": "theirs", "command": ["other-renderer", "room.xml", "-o", "{output}"],
//          "tolerance": {"max_error": [1, 2], "why": "its threads add light in any order"}}
//       ],
//       "approved": { ... }, "history": [ ... ]          written by `accept`, not by hand
//     }
//
// An entry with several scenes, cameras or shadings is as many cases, called NAME/SCENE/CAMERA/
// SHADING (of these, what there are several of). Every case is one picture with one golden; `on`
// lists the machines and options that must all draw it. File names are relative to the suite.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare/suite/cases.hpp"

namespace ballotcast::detail {

/// What a counter showed.
struct ApprovedCount {
  u64 passes = 0;
  u64 counter = 0;
  bool operator==(const ApprovedCount&) const = default;
  /// "9 passes, 736"
  std::string in_words() const {
    return std::to_string(passes) + " passes, " + std::to_string(counter);
  }
};

/// What a person has looked at and said yes to.
struct Approval {
  std::string golden;                             // the picture's file
  std::string pixels;                             // hash of its samples
  std::string hits;                               // hash of the camera rays' hits; "" for commands
  u64 rays = 0;                                   // cast for it
  std::string settings;                           // SuiteCase::settings_hash
  std::map<std::string, std::string> files;       // hash of each file that the scene is made of
  std::map<std::string, ApprovedCount> counters;  // by "PIPELINE ATOMICS LAYOUT BLOCK_SIZE"
};

/// One acceptance.
struct HistoryEntry {
  std::string name;     // of the case
  std::string date;     // UTC, YYYY-MM-DD
  std::string version;  // of the program
  std::string reason;
  std::string old_pixels, new_pixels;  // hashes; old ones "" where there was nothing
  std::string old_hits, new_hits;
};

/// A suite in memory.
struct Suite {
  std::string path;    // as it was named
  std::string folder;  // that file names are relative to
  std::string stem;    // of the file's name, which goldens' folder is called after
  std::string text;    // of the file, as it was read
  std::vector<SuiteCase> cases;
  std::map<std::string, Approval> approved;  // by the case's name
  std::vector<HistoryEntry> history;
  bool strict = false;  // are warnings about scenes errors?
  Json document;        // as it was read: what people wrote in it stays as it is

  /// A file's name as this program must open it.
  std::string beside(const std::string& file) const;
  const Approval* approval_of(const std::string& name) const;
  /// The newest entries of a case last.
  std::vector<HistoryEntry> history_of(const std::string& name) const;
};

/// Reads a suite. Throws InputError naming file and key: unknown keys, names of rows that don't
/// exist, two cases of one name, a tolerance without a reason.
Suite load_suite(const std::string& path);

/// The file of a case's golden, relative to the suite.
std::string golden_name(const Suite& suite, const std::string& case_name);

/// The files that a suite is made of, as they are opened: itself, goldens, scenes (not what scenes
/// name).
std::vector<std::string> files_of(const Suite& suite);

/// The suite's file with what is approved now.
std::string text_of(const Suite& suite);

}  // namespace ballotcast::detail
