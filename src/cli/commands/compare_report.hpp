// What `ballotcast compare` is asked for, and its output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/page.hpp"
#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// The values of the options.
struct CompareRequest {
  std::string reference, result;
  std::vector<Rectangle> allow;
  Limits limits;
  // Of linear pictures only.
  std::vector<LinearLimit> linear_limits;
  std::optional<u32> block;       // the side of the blocks whose means are compared
  std::optional<float> exposure;  // if absent, one that suits the reference
  std::optional<double> amplify;  // if absent, the largest difference is scaled to full brightness
  std::string difference, flip;   // picture files to write, or ""
  std::string html;               // page to write, or ""
  bool json = false;
};

/// What a report says of two linear pictures in addition.
struct LinearReport {
  LinearComparison comparison;
  float exposure = 1.0f;          // with which both became 8-bit pictures
  Image<Rgb8> reference, result;  // these 8-bit pictures
};

/// A comparison and everything that a report about it needs.
struct CompareReport {
  const CompareRequest& request;
  const SampledImage& reference;
  const SampledImage& result;
  const PicturePair& pair;
  const Comparison& comparison;
  const Judgement& judgement;
  double amplification;                       // of the picture written by --diff
  const std::optional<LinearReport>& linear;  // if the pictures are linear
};

/// The report as text for a terminal of 80 columns. The first line says what differs, the last line
/// is the outcome.
std::string text_of(const CompareReport& report);

/// The content of the report's HTML page.
PagePictures page_of(const CompareReport& report);

/// The report as JSON. Infinite and undefined numbers are strings.
std::string json_of(const CompareReport& report);

}  // namespace ballotcast::detail
