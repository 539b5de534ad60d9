// What the lines of an MTL material mean for its surface.
#pragma once

#include "scene/material.hpp"
#include "scene/mtl_parser.hpp"

namespace ballotcast::detail {

/// The material without its textures. Its meaning follows `illum` and which lines there are:
///
///   Pr, Pm or their maps   a surface with a coat of 0.04, or a metal
///   illum 0, 1             no coat
///   illum 2                a coat of 0.08 Ks: exporters write Ks 0.5 for plastic
///   illum 4, 6, 7, 9       glass, if Ni is not 1 or d is below 1; of illum 4 and 9 a thin pane
///   else                   a coat of Ks: a mirror if Ks is white
///
/// A map replaces the number of its line. Maps that can't be used must be taken out of `from`.
Material surface_of(const MtlMaterial& from);

/// True if there are Pr, Pm or their maps.
bool is_measured(const MtlMaterial& m);

}  // namespace ballotcast::detail
