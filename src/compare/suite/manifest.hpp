// Suites: pictures that must not change. A suite is one JSON file. People write its cases, and
// `accept` adds the approvals:
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
//       "approved": { ... }                              written by `accept`, not by hand
//     }
//
// The history of acceptances is a file beside it; see history.hpp. Earlier versions kept it in the
// suite, as the key "history"; the next acceptance moves it.
//
// An entry with several scenes, cameras or shadings gives one case for each combination. The case
// is called NAME/SCENE/CAMERA/SHADING. SCENE and SHADING are left out if the entry has only one of
// them, CAMERA if the entry does not have "cameras". Every case is one picture with one golden: the
// approved picture, as a file. `on` lists the devices and options that must all draw it. File names
// are relative to the suite.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare/suite/cases.hpp"
#include "compare/suite/history.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// The approved counter values of a cast.
struct ApprovedCount {
  u64 passes = 0;
  u64 counter = 0;
  bool operator==(const ApprovedCount&) const = default;
  /// The values in words: "9 passes, 736".
  std::string in_words() const {
    return std::to_string(passes) + " passes, " + std::to_string(counter);
  }
};

/// What a person has approved for a case.
struct Approval {
  std::string golden;    // file name of the picture
  std::string pixels;    // hash of the picture's samples
  std::string hits;      // hash of the hits of the camera rays; "" for commands
  u64 rays = 0;          // number of rays cast for the picture
  std::string settings;  // SuiteCase::settings_hash when it was approved
  // Hashes of the files that the scene is made of, by name
  std::map<std::string, std::string> files;
  std::map<std::string, ApprovedCount> counters;  // by "PIPELINE ATOMICS LAYOUT BLOCK_SIZE"
};

/// A suite, read from its files.
struct Suite {
  std::string path;    // path of the suite's file, as the caller gave it
  std::string folder;  // folder that the file names in the suite are relative to
  // File name of the suite without extension; the folder of goldens is named after it
  std::string stem;
  std::string text;          // content of the file as it was read
  std::string history_text;  // content of the file with the history as it was read
  std::vector<SuiteCase> cases;
  std::map<std::string, Approval> approved;  // by the name of the case
  std::vector<HistoryEntry> history;  // acceptances; those of a case are in order, the newest last
  // The name with which the user started this program, for the commands in reports.
  std::string program = "ballotcast";
  bool strict = false;  // true if warnings about scenes are errors
  Json document;        // the suite's JSON as it was read, so that everything people wrote is kept

  /// The path with which this program opens `file`, a name in the suite.
  std::string beside(const std::string& file) const;
  const Approval* approval_of(const std::string& name) const;
  /// The path with which this program opens the file with the history.
  std::string history_path() const;
  /// The history entries of a case, the newest last.
  std::vector<HistoryEntry> history_of(const std::string& name) const;
};

/// Makes a suite from `text`, the content of the file `path`. Reads the history from the file
/// beside it. Throws InputError for invalid content of either file, as load_suite does.
Suite suite_of(std::string text, const std::string& path);

/// Reads a suite and its history. Throws InputError, which names file and key, for unknown keys,
/// unknown names, two cases with the same name, or a tolerance without a reason. Throws InputError,
/// which names file and line, for a line of the history that is not an entry.
Suite load_suite(const std::string& path);

/// The file name of the golden of a case, relative to the suite.
std::string golden_name(const Suite& suite, const std::string& case_name);

/// The paths of all files that a suite consists of: the suite, its history, goldens and scenes, and
/// the files that the scenes consisted of when they were approved.
std::vector<std::string> files_of(const Suite& suite);

/// The text for the suite's file, with the current approvals. The history is not part of it.
std::string text_of(const Suite& suite);

}  // namespace ballotcast::detail
