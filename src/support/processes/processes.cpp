#include "support/processes/processes.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#if defined(__linux__)
#include <sys/uio.h>
#endif

#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

std::unique_ptr<Processes>& joined() {
  static std::unique_ptr<Processes> processes;
  return processes;
}

bool works_alone = false;
std::atomic<bool> joining{false};

struct Joining {
  Joining() { joining = true; }
  ~Joining() { joining = false; }
};

long number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? std::strtol(text, nullptr, 10) : 0;
}

/// True if mpirun or srun has started this process as one of several. The variables are those of
/// Open MPI, of MPICH and related MPIs, and of srun --mpi=pmix, which does not set the number of
/// processes.
bool is_one_of_several() {
  return number_in("OMPI_COMM_WORLD_SIZE") > 1 || number_in("PMI_SIZE") > 1 ||
         (std::getenv("PMIX_RANK") != nullptr && number_in("SLURM_NTASKS") > 1);
}

/// The path of the module that calls MPI: beside the program, or in its installed place. The
/// program itself is not linked with MPI, so it runs on computers without MPI.
fs::path module_path() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const fs::path beside = program / BALLOTCAST_MPI_MODULE;
  if (fs::exists(beside, failure)) return beside;
  return (program / BALLOTCAST_MODULES_FROM_PROGRAM / BALLOTCAST_MPI_MODULE).lexically_normal();
}

}  // namespace

void join_processes(OnFailure on_failure) {
  if (!is_one_of_several()) return;
  const auto refuse = [](const std::string& why) {
    throw DeviceError("this is one of several processes, which can't work together: " + why +
                      "; start one process, or use a build with MPI");
  };
  const fs::path path = module_path();
  std::error_code failure;
  if (!fs::exists(path, failure)) refuse("this build has no MPI (" + path.string() + ")");
  // Open MPI opens modules of its own, which need its functions as global symbols.
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!module) refuse(one_line(::dlerror()));
  using Start = Processes* (*)(OnFailure);
  const auto start = reinterpret_cast<Start>(::dlsym(module, "ballotcast_start_processes"));
  if (!start) refuse(path.string() + " is of another version");
  std::uint32_t count = 0;
  {
    const Joining now;  // its destructor also runs on an error, which must be printed
    std::unique_ptr<Processes> processes(start(std::move(on_failure)));
    if (processes) count = processes->count();
    if (count > 1u) joined() = std::move(processes);
  }
  if (count == 0u) refuse("MPI did not start");
  if (count == 1u)
    refuse(
        "MPI finds no other; maybe they were started for another kind of MPI (with Slurm: srun "
        "--mpi=pmix)");
}

void require_same(Processes& processes, const std::string& what, const std::string& own) {
  std::uint64_t size = own.size();
  processes.broadcast(&size, sizeof size);
  std::string leaders = own;
  leaders.resize(size);
  processes.broadcast(leaders.data(), size);
  if (leaders != own)
    throw UsageError("this process has " + what + " '" + own + "', but rank 0 has '" + leaders +
                     "'");
}

std::vector<std::string> gathered(Processes& processes, const std::string& own) {
  if (!processes.leads()) {
    const std::uint64_t size = own.size();
    processes.send(0, &size, sizeof size);
    processes.send(0, own.data(), size);
    return {};
  }
  std::vector<std::string> all{own};
  for (std::uint32_t rank = 1; rank < processes.count(); ++rank) {
    std::uint64_t size = 0;
    processes.receive(rank, &size, sizeof size);
    processes.receive(rank, all.emplace_back(size, ' ').data(), size);
  }
  return all;
}

Alone::Alone() { works_alone = true; }
Alone::~Alone() { works_alone = false; }

Processes* sharing_processes() { return works_alone ? nullptr : joined_processes(); }

Processes* joined_processes() { return joined().get(); }

bool is_in_front() {
  if (joining) return false;
  const Processes* const all = joined_processes();
  return all == nullptr || all->leads();
}

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
