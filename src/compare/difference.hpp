// Pictures of how two pictures differ.
#pragma once

#include "compare/picture_pair.hpp"
#include "compare/plane.hpp"

namespace ballotcast::detail {

/// The factor that makes the largest difference of a pair 255; 1 for a pair without any.
double full_amplification(const PicturePair& pair);

/// The channels' differences in 255ths, times `factor`, rounded up (so that none vanishes) and cut
/// at 255. Alpha's are added to red and blue: what differs in alpha alone is magenta.
Image<Rgb8> difference_picture(const PicturePair& pair, double factor);

/// A map of values from 0 to 1 in colours from black to white that get brighter evenly.
Image<Rgb8> heat_picture(const Plane<float>& map);

}  // namespace ballotcast::detail
