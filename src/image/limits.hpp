// Limits on the size that a picture file may state.
#pragma once

#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The largest number of pixels of a picture that may be read.
inline constexpr u64 kMostPixelsRead = u64{1} << 29;

/// Throws InputError, with a text that begins with `name`, if a picture has a side above 2^15
/// pixels, more than `most` pixels, or far more pixels than a file of `bytes` bytes can hold. Call
/// it before decoding: a small file can claim a picture that fills the memory.
void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name,
                       u64 most = kMostPixelsRead);

}  // namespace ballotcast::detail
