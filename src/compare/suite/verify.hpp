// Verifying the promise on a machine: one answer on every device, with every option.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/suite/run.hpp"

namespace ballotcast::detail {

/// What is to be verified.
struct VerifyRequest {
  std::vector<std::string> only;     // cases, as SuiteRequest::only
  std::vector<std::string> devices;  // none: every one
  u32 width = 32, height = 18;       // of the pictures that all options are tried on
  std::function<void(u64 done, u64 total)> progress;
  /// For tests: may change what a setup drew.
  std::function<void(const Setup& setup, Drawing& drawing)> spoil;
};

/// A value of an axis: how often it was tried, and how often it disagreed.
struct AxisValue {
  std::string axis;  // "device", "pipeline", "atomics", "layout", "block size"
  std::string value;
  u64 tried = 0;
  u64 disagreed = 0;
  std::string skipped;  // why it couldn't be tried, or ""
};

/// Where a ray of a picture starts: sample `sample` of pixel (x, y).
struct RayPlace {
  u32 x = 0, y = 0, sample = 0;
};

/// A setup that gave another answer than the CPU.
struct Disagreement {
  std::string case_name;
  Setup setup;
  std::string what;            // "hit of pixel 3,4, sample 0", "pixel 3,4", "counter"
  std::string reference, got;  // both records, in words
  std::string replay;          // the command that casts just that ray again, or ""
};

/// What came of it.
struct VerifyRun {
  std::vector<AxisValue> values;
  u64 approved_tried = 0;  // whole pictures held to what the suite approves
  u64 approved_disagreed = 0;
  std::vector<std::string> unapproved;  // sentences, one a whole picture that isn't as approved
  u64 tried = 0;                        // small pictures held to the CPU's
  u64 disagreed = 0;
  std::optional<Disagreement> first;
  std::vector<std::string> warnings;  // about the scenes, a line each
  double milliseconds = 0.0;

  bool passed() const { return tried > 0 && disagreed == 0 && approved_disagreed == 0; }
};

/// Draws every case (commands aside) whole on each device and holds it to what is approved; then
/// small, with every pipeline, strategy, layout and three block sizes, and holds pixels, hits and
/// counters to the CPU's. Throws UsageError for devices that don't exist.
VerifyRun verify(const Suite& suite, const VerifyRequest& request);

/// The hit of one camera ray of a small picture of a case, on the CPU and with `setup`, in words.
/// Throws UsageError for a place outside of the picture.
struct ReplayedRay {
  Ray ray;
  Hit reference, got;
  bool same() const;
};
ReplayedRay replay(const Suite& suite, const SuiteCase& c, const VerifyRequest& request,
                   const Setup& setup, RayPlace place);

/// "t 1.25 (3fa00000), triangle 7, u 0.5 (3f000000), v 0.25 (3e800000)", or "nothing".
std::string in_words(const Hit& hit);

/// For a terminal of 80 columns: a line an axis, the first disagreement, the verdict last.
std::string text_report(const VerifyRun& run);

}  // namespace ballotcast::detail
