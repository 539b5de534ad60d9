// Memory of one process that others on the same computer read, without a copy through messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "support/error.hpp"

namespace ballotcast::detail {

/// Says where memory is, so that another process finds it. It can be sent as bytes.
struct LentMemory {
  enum class Kind : std::uint32_t { host, gpu };

  Kind kind = Kind::host;
  std::int32_t process = 0;    // in host memory: whose it is, and where
  std::uint64_t address = 0;   //
  unsigned char handle[64]{};  // on a GPU: a name that the driver gave it
};
static_assert(std::is_trivially_copyable_v<LentMemory>);

/// Memory of another process can't be read: it runs on another computer, or the system forbids it.
struct LentMemoryLost : DeviceError {
  using DeviceError::DeviceError;
};

/// Lends host memory of this process, which must keep it as long as others read it.
LentMemory lend_host_memory(const void* memory);

/// Copies `bytes` of lent host memory. Throws LentMemoryLost.
void read_lent_host_memory(const LentMemory& from, void* to, std::size_t bytes);

}  // namespace ballotcast::detail
