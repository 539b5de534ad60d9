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

/// The counter values of a cast.
struct ApprovedCount {
  u64 passes = 0;
  u64 counter = 0;
  bool operator==(const ApprovedCount&) const = default;
  /// As text: "9 passes, 736".
  std::string in_words() const {
    return std::to_string(passes) + " passes, " + std::to_string(counter);
  }
};

/// What a person has looked at and approved.
struct Approval {
  std::string golden;                             // file of the picture
  std::string pixels;                             // hash of the picture's samples
  std::string hits;                               // hash of the camera rays' hits; "" for commands
  u64 rays = 0;                                   // number of rays cast for it
  std::string settings;                           // SuiteCase::settings_hash
  std::map<std::string, std::string> files;       // hash of each file that the scene is made of
  std::map<std::string, ApprovedCount> counters;  // by "PIPELINE ATOMICS LAYOUT BLOCK_SIZE"
};

/// A suite in memory.
struct Suite {
  std::string path;          // as the caller named it
  std::string folder;        // folder that file names are relative to
  std::string stem;          // file name without extension; the folder of goldens is named after it
  std::string text;          // content of the file as it was read
  std::string history_text;  // content of the history's file as it was read
  std::vector<SuiteCase> cases;
  std::map<std::string, Approval> approved;  // by the name of the case
  std::vector<HistoryEntry> history;         // the newest of a case last
  // The name with which the caller started this program, for the commands in reports.
  std::string program = "ballotcast";
  bool strict = false;  // true: warnings about scenes are errors
  Json document;        // as it was read, so that what people wrote is kept

  /// The path with which this program opens a file of the suite.
  std::string beside(const std::string& file) const;
  const Approval* approval_of(const std::string& name) const;
  /// The path with which this program opens the history.
  std::string history_path() const;
  /// The history entries of a case, the newest last.
  std::vector<HistoryEntry> history_of(const std::string& name) const;
};

/// The suite with `text` as the content of the file `path`. Its history is read from the file
/// beside that. Throws as load_suite does.
Suite suite_of(std::string text, const std::string& path);

/// Reads a suite and its history. Throws InputError, which names file and key, for unknown keys,
/// unknown names of rows, two cases with the same name, or a tolerance without a reason; and one
/// that names file and line, for a line of the history that is no entry.
Suite load_suite(const std::string& path);

/// The name of the golden's file of a case, relative to the suite.
std::string golden_name(const Suite& suite, const std::string& case_name);

/// The files that a suite consists of, as paths to open: the suite, its history, goldens and
/// scenes, and all files that the scenes consisted of when they were approved.
std::vector<std::string> files_of(const Suite& suite);

/// The content of the suite's file, with the current approvals. The history is in another file.
std::string text_of(const Suite& suite);

}  // namespace ballotcast::detail
