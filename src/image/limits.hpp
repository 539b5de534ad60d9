// Limits on the size that a picture file may state.
#pragma once

#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The most pixels of a picture that is read.
inline constexpr u64 kMostPixelsRead = u64{1} << 29;

/// Throws InputError, beginning with `name`, for a picture of more than 2^15 pixels a side or
/// `most` in all, or of far more than `bytes` bytes of file can hold. Comes before decoding: a few
/// bytes can claim a picture that fills all memory.
void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name,
                       u64 most = kMostPixelsRead);

}  // namespace ballotcast::detail
