// A library for LD_PRELOAD: counts how often a process reads the memory of another process, and
// refuses reads after some time. Environment variables control it:
//
//   MOST_READS=COUNT   reads after the first COUNT are refused; default: none is
//   READS_FILE=PATH    at its end, a process that was asked for reads writes their number there
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace {

struct Reads {
  std::atomic<long> count{0};

  ~Reads() {
    const char* const path = std::getenv("READS_FILE");
    if (path && count > 0) std::ofstream(path) << count << '\n';
  }
} reads;

}  // namespace

extern "C" __attribute__((visibility("default"))) ssize_t process_vm_readv(
    pid_t process, const iovec* to, unsigned long to_count, const iovec* from,
    unsigned long from_count, unsigned long flags) {
  const char* const most = std::getenv("MOST_READS");
  if (++reads.count > (most ? std::atol(most) : reads.count.load())) {
    errno = EPERM;
    return -1;
  }
  return ::syscall(SYS_process_vm_readv, process, to, to_count, from, from_count, flags);
}
