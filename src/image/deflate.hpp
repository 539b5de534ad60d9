// Compresses bytes on all threads.
#pragma once

#include <span>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// `bytes` in the zlib format (RFC 1950). The result does not depend on the number of threads.
/// Empty if memory runs out.
///
/// The input is cut into pieces that are compressed at the same time:
///
///     | piece 0 | piece 1 | piece 2 |     each is searched for what the 32 KiB before it
///           <----- 32 KiB             already contain, and ends at a whole byte
///
std::vector<u8> deflated(std::span<const u8> bytes);

}  // namespace ballotcast::detail
