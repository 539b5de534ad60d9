// Linear pictures as 8-bit pictures, so that all that looks at those can look at them.
#pragma once

#include "ballotcast/linear_image.hpp"

namespace ballotcast::detail {

/// An exposure that suits a picture: it brings the luminance that three quarters of its pixels stay
/// below to 0.5. Pixels that are black, negative or not finite do not count. 1 if there are no
/// others.
float exposure_for(const LinearImage& image);

/// The picture as shading lit would store it: exposure, compressed highlights, sRGB. NaN and
/// negative numbers become 0.
Image<Rgb8> tone_mapped(const LinearImage& image, float exposure);

}  // namespace ballotcast::detail
