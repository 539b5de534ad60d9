// Limits on the size that a picture file may state.
#pragma once

#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Throws InputError, with a text that begins with `name`, for a picture of more than 2^15 pixels
/// per side or 2^29 in all, or of far more pixels than `bytes` bytes of file can hold. Call it
/// before decoding: a small file can state a size that fills all memory.
void require_plausible(u64 width, u64 height, u64 bytes, const std::string& name);

}  // namespace ballotcast::detail
