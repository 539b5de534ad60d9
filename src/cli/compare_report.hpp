// What `ballotcast compare` prints.
#pragma once

#include <string>

#include "cli/compare_options.hpp"
#include "compare/comparison.hpp"
#include "compare/page.hpp"

namespace ballotcast::detail {

/// All there is to say about a comparison that was made.
struct CompareReport {
  const CompareRequest& request;
  const SampledImage& reference;
  const SampledImage& result;
  const PicturePair& pair;
  const Comparison& comparison;
  const Judgement& judgement;
  double amplification;  // of the picture --diff
};

/// For a terminal of 80 columns: what differs in the first line, the outcome's words in the last.
std::string text_of(const CompareReport& report);

/// As a page to look at.
PagePictures page_of(const CompareReport& report);

/// As JSON; numbers that are infinite or not defined are strings.
std::string json_of(const CompareReport& report);

}  // namespace ballotcast::detail
