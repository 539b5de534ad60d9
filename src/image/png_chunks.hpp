// The structure of a PNG file: signature, chunks and checksums. The decoder does not test these.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// True if the bytes begin with the PNG signature.
bool begins_png(const std::vector<u8>& bytes);

/// Throws InputError, with a text that begins with `name`, unless `bytes` begin with the PNG
/// signature and hold complete chunks with correct checksums up to IEND (PNG specification, second
/// edition, clause 5).
void require_whole_png(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
