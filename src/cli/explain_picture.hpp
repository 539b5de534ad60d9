// The drawing of `ballotcast explain --svg`.
#pragma once

#include <string>

#include "render/explain.hpp"

namespace ballotcast::detail {

/// A picture of the ray, the boxes that it entered and the triangles that were tested. It is seen
/// from the side, and the ray runs from left to right.
std::string explain_svg(const ExplainReport& report);

}  // namespace ballotcast::detail
