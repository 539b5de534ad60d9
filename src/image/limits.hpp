// What no picture file may be: damaged, or of a size that it can't have.
#pragma once

#include <string>

#include "math/portable.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// The largest number of pixels of a picture that may be read.
inline constexpr u64 kMostPixelsRead = u64{1} << 29;

/// Throws InputError, with a text that begins with `name`, if a picture has a side above 2^15
/// pixels, more than `most` pixels, or far more pixels than a file of `bytes` bytes can hold. Call
/// it before decoding: a small file can claim a picture that fills the memory.
void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name,
                       u64 most = kMostPixelsRead);

/// Throws InputError: the picture file `name` of this `kind` ("PNG") is damaged.
[[noreturn]] inline void refuse_damaged(const std::string& kind, const std::string& name,
                                        const std::string& why) {
  throw InputError(name + ": damaged " + kind + " (" + why + ")");
}

}  // namespace ballotcast::detail
