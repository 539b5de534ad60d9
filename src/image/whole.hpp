// Checks pictures that come from outside the library.
#pragma once

#include <string>

#include "ballotcast/image.hpp"
#include "ballotcast/linear_image.hpp"

namespace ballotcast::detail {

/// Throws UsageError, which calls the picture `name`, unless it has at least one pixel, 1 to 4
/// channels of 8 or 16 bits, and exactly as many samples as its size says.
void require_whole(const SampledImage& image, const std::string& name);

/// As above, for a picture of pixels.
void require_whole(const Image<Rgb8>& image, const std::string& name);
void require_whole(const LinearImage& image, const std::string& name);

}  // namespace ballotcast::detail
