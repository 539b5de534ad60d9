// Copies of large memory.
#pragma once

#include <cstddef>

namespace ballotcast::detail {

/// As std::memcpy, on all threads: one of them alone does not reach the speed of the memory.
void copy_bytes(void* to, const void* from, std::size_t bytes);

}  // namespace ballotcast::detail
