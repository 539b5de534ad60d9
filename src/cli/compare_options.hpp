// The options of `ballotcast compare`, and the request that they fill.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/compare.hpp"
#include "cli/options.hpp"
#include "compare/linear/comparison.hpp"
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

inline constexpr u32 kDefaultBlock = 16;

/// The options as rows of the option table. They fill `request`, which must outlive them.
std::vector<Option> compare_options(CompareRequest& request);

}  // namespace ballotcast::detail
