#include "support/lent_memory.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#if defined(__linux__)
#include <sys/uio.h>
#endif

namespace ballotcast::detail {

LentMemory lend_host_memory(const void* memory) {
  LentMemory lent;
  lent.process = static_cast<std::int32_t>(::getpid());
  lent.address = reinterpret_cast<std::uintptr_t>(memory);
  return lent;
}

void read_lent_host_memory(const LentMemory& from, void* to, std::size_t bytes) {
  if (from.kind != LentMemory::Kind::host)
    throw LentMemoryLost("memory of a GPU can't be read by a machine without one");
#if defined(__linux__)
  for (std::size_t done = 0; done < bytes;) {
    const iovec here{static_cast<char*>(to) + done, bytes - done};
    const iovec there{reinterpret_cast<void*>(static_cast<std::uintptr_t>(from.address) + done),
                      bytes - done};
    const ssize_t count = ::process_vm_readv(from.process, &here, 1, &there, 1, 0);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      throw LentMemoryLost("memory of process " + std::to_string(from.process) +
                           " can't be read: " + std::strerror(errno));
    }
  }
#else
  (void)to;
  if (bytes > 0) throw LentMemoryLost("this system has no way to read memory of other processes");
#endif
}

}  // namespace ballotcast::detail
