// Verifies that all devices of this computer give the same result with all options.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// What to verify.
struct VerifyRequest {
  std::vector<std::string> only;     // names or patterns of cases, like SuiteRequest::only
  std::vector<std::string> devices;  // names of the devices; if empty, all
  u32 width = 32, height = 18;       // size of the small pictures, which are drawn with all options
  std::function<void(u64 done, u64 total)> progress;
  /// Called after each drawing. Tests use this to change what a setup has drawn.
  std::function<void(const Setup& setup, Drawing& drawing)> spoil;
};

/// A value of an axis, with how often it was tried and how often its result was different.
struct AxisValue {
  std::string axis;  // "device", "pipeline", "atomics", "layout", "block size"
  std::string value;
  u64 tried = 0;
  u64 disagreed = 0;
  std::string skipped;  // the reason why the value could not be tried, or ""
};

/// A camera ray: sample `sample` of pixel (x, y) of a picture.
struct PictureRay {
  u32 x = 0, y = 0, sample = 0;
};

/// A setup whose result differs from the CPU's, with the first difference.
struct Disagreement {
  std::string case_name;
  Setup setup;
  std::string what;            // what differs: "hit of pixel 3,4, sample 0", "pixel 3,4", "counter"
  std::string reference, got;  // both values, in words
  std::string replay;          // the command that casts only this ray again, or ""
};

/// The results of a verification.
struct VerifyRun {
  std::vector<AxisValue> values;
  u64 approved_tried = 0;  // number of whole pictures that were compared with the approved ones
  u64 approved_disagreed = 0;
  // Sentences about whole pictures that differ from the approved ones
  std::vector<std::string> unapproved;
  u64 tried = 0;  // number of small pictures that were compared with the CPU's
  u64 disagreed = 0;
  std::optional<Disagreement> first;
  std::vector<std::string> warnings;  // warnings about the scenes, one line each
  double milliseconds = 0.0;

  bool passed() const { return tried > 0 && disagreed == 0 && approved_disagreed == 0; }
};

/// Draws every case (except commands) at full size on each device and compares it with what is
/// approved. Then draws it at a small size with every pipeline, strategy and layout and with three
/// block sizes, and compares pixels, hits and counters with the CPU's. Throws UsageError for
/// unknown devices.
VerifyRun verify(const Suite& suite, const VerifyRequest& request);

/// The hit of one camera ray of the small picture of a case, on the CPU and with `setup`.
struct ReplayedRay {
  Ray ray;
  Hit reference, got;
  bool same() const;
};
ReplayedRay replay(const Suite& suite, const SuiteCase& c, const VerifyRequest& request,
                   const Setup& setup, PictureRay ray);

/// A hit in words: "t 1.25 (3fa00000), triangle 7, u 0.5 (3f000000), v 0.25 (3e800000)", or
/// "nothing".
std::string in_words(const Hit& hit);

/// The report for a terminal of 80 columns: one line per axis, the first disagreement, and the
/// verdict in the last line.
std::string text_report(const VerifyRun& run);

}  // namespace ballotcast::detail
