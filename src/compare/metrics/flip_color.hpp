// The colour spaces of FLIP. "White-relative" means CIE XYZ divided by the XYZ of white, so white
// is 1, 1, 1.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// Linear light, from 0 to 1, of an sRGB value from 0 to 1 (IEC 61966-2-1).
float linear_of_srgb(float code);

/// Converts linear sRGB to white-relative values, and back.
vec3 white_relative(vec3 linear);
vec3 linear_of_white_relative(vec3 xyz);

/// CIELAB of white-relative values, with a and b multiplied by 0.01 L after Hunt: colours look
/// paler in the dark (Andersson et al. 2020, section 4.1.3).
vec3 hunt_adjusted_lab(vec3 xyz);

/// The HyAB distance of two colours (Abasi et al. 2020): |dL| + sqrt(da^2 + db^2).
float hyab(vec3 a, vec3 b);

}  // namespace ballotcast::detail
