// Turns pictures into the kinds of textures that materials use.
#pragma once

#include "image/image.hpp"

namespace ballotcast::detail {

/// Moves an opacity mask to the alpha channel, where opacity is read. If the alpha channel is not
/// opaque everywhere, it is the mask already. Otherwise the picture is taken for a grey one, and
/// its red channel is the mask.
void make_opacity(Picture<Rgba8>& image);

/// Turns heights (a grey picture) into normals in tangent space. Where the picture changes from
/// black to white within four pixels, the normal is tilted by 45 degrees. A picture with colours is
/// left as it is: it is taken for a picture of normals.
void make_normals(Picture<Rgba8>& image);

/// Turns factors on a Phong exponent into roughness (see roughness_of).
void make_roughness(Picture<Rgba8>& image, double exponent);

/// The roughness of a surface with a Phong exponent. Its square is the width of GGX, which is
/// sqrt(2 / (exponent + 2)) (B. Walter et al., Microfacet Models for Refraction through Rough
/// Surfaces, 2007, section 5.2).
double roughness_of(double exponent);

}  // namespace ballotcast::detail
