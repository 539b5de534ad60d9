// The output of `ballotcast compare`.
#pragma once

#include <optional>
#include <string>

#include "cli/compare_options.hpp"
#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

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
