// The frame of a PNG file: its signature and checksums, which the decoder doesn't look at.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Do the bytes begin with PNG's signature?
bool begins_png(const std::vector<u8>& bytes);

/// Throws InputError, beginning with `name`, unless `bytes` begin with PNG's signature and hold
/// whole chunks with right checksums up to IEND (PNG specification, second edition, clause 5).
void require_whole_png(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
