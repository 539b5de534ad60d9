// Checks of input pictures: the bytes of a file before they are decoded, and the pictures that
// programs pass to the library.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/linear_image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// True if `bytes` begins with `with`.
inline bool begins_with(const std::vector<u8>& bytes, std::string_view with) {
  return bytes.size() >= with.size() &&
         std::equal(with.begin(), with.end(), bytes.begin(),
                    [](char a, u8 b) { return static_cast<u8>(a) == b; });
}

/// The largest number of pixels of a picture that may be read. At 12 bytes per pixel, as in a
/// linear picture, they take 6 GiB.
inline constexpr u64 kMostPixelsRead = u64{1} << 29;

/// Throws InputError, with a text that begins with `name`, if a picture has a side above 2^15
/// pixels, more than `most` pixels, or far more pixels than a file of `bytes` bytes can hold. Call
/// it before decoding: a small file can claim a picture that fills the memory.
void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name,
                       u64 most = kMostPixelsRead);

/// Throws an InputError which says that the picture file `name` of this `kind` ("PNG") is damaged.
[[noreturn]] inline void refuse_damaged(const std::string& kind, const std::string& name,
                                        const std::string& why) {
  throw InputError(name + ": damaged " + kind + " (" + why + ")");
}

/// Throws UsageError, with `name` as the name of the picture, unless the picture has at least one
/// pixel, 1 to 4 channels of 8 or 16 bits, and exactly as many samples as its size requires.
void require_whole(const SampledImage& image, const std::string& name);

/// Throws UsageError unless the picture has at least one pixel and exactly as many pixels as its
/// size requires.
void require_whole(const Image<Rgb8>& image, const std::string& name);
void require_whole(const LinearImage& image, const std::string& name);

}  // namespace ballotcast::detail
