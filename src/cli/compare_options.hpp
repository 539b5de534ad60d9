// What `ballotcast compare` can be asked: its request and its table of options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "cli/options.hpp"
#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// What the options fill.
struct CompareRequest {
  std::string reference, result;
  std::vector<Rectangle> allow;
  Limits limits;
  std::optional<double> amplify;  // none: as much as shows the largest difference in full
  std::string difference, flip;   // pictures to write, or ""
  std::string html;               // a page to write, or ""
  bool json = false;
};

/// The rows for the table of options; they fill `request`, which must outlive them.
std::vector<Option> compare_options(CompareRequest& request);

}  // namespace ballotcast::detail
