// Pictures of ids, such as the numbers of triangles: equal or not, but never near each other.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// The ids of a picture file, as a picture that can be compared: red has the upper 16 bits of an
/// id, green the lower ones. An id is the grey value of a PNG, or its colour as 0xrrggbb with 8
/// bits; the number in an OpenEXR file of one channel, if that has integers; or else the bits of a
/// float, there or in a grey PFM. Throws InputError, which names the file, for other pictures.
BALLOTCAST_API SampledImage ids_of(const std::vector<u8>& bytes, const std::string& name);

/// The id in a pixel of such a picture.
inline u32 id_in(const u16* pixel) { return u32{pixel[0]} << 16 | pixel[1]; }

/// Shows each id in a colour of its own; 0 is black, and all bits set is grey.
Image<Rgb8> colors_of(const SampledImage& ids);

}  // namespace ballotcast::detail
