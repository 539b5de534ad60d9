// The processes of one run. mpirun or srun starts them, on one computer or on several.
//
// All of them run the same command on the same files. The one with rank 0 leads: it hands out work,
// prints, and writes files. The others help.
//
//   rank 0  --- "do rows 8..15" -->  rank 1          Messages from one rank to another arrive in
//           <-- their pixels ------                  the order in which they were sent.
//
// Processes on one computer can also read each other's memory directly, without messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

class Processes {
 public:
  virtual ~Processes() = default;

  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t count() const = 0;
  /// The index of this process among the processes on this computer, from 0.
  virtual std::uint32_t rank_here() const = 0;
  /// The number of processes on this computer, including this one, that may run on the same cores
  /// as this process.
  virtual std::uint32_t sharers_of_cores() const = 0;
  /// The name of a process for messages: "rank 2 on node7".
  virtual std::string name_of(std::uint32_t rank) const = 0;

  /// Sends `bytes` bytes, and returns when `data` may be used again. The receiver must know the
  /// number of bytes.
  virtual void send(std::uint32_t to, const void* data, std::size_t bytes) = 0;
  /// Waits until `bytes` bytes have arrived from rank `from`.
  virtual void receive(std::uint32_t from, void* data, std::size_t bytes) = 0;
  /// Sends bytes from the leader to all ranks: `data` is read in the leader and written elsewhere.
  /// All ranks must call this function.
  virtual void broadcast(void* data, std::size_t bytes) = 0;

  /// Ends all processes, because this process has failed. The leader calls OnFailure and then ends
  /// them. Other ranks notify the leader, and wait for the end. If several ranks fail, only one of
  /// them is reported.
  [[noreturn]] virtual void fail(int exit_code, const std::string& why) = 0;
  /// Waits for the other processes. Must be called before a process ends normally.
  virtual void leave() = 0;

  bool leads() const { return rank() == 0; }
};

/// A function that the leader calls if a process has failed. If the failed process is another one,
/// `why` names it.
using OnFailure = std::function<void(int exit_code, const std::string& why)>;

/// Connects this process with the others, if it was started as one of several. `on_failure` may be
/// called in any thread; after that, all processes end. Throws DeviceError if the processes can't
/// be connected, because then each process would do all of the work.
void join_processes(OnFailure on_failure);

/// The connected processes, or null if this process works alone.
Processes* joined_processes();

/// While an object of this class exists, this process works alone: newly chosen devices do not
/// share work with other processes. At most one object may exist.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
};

/// The processes with which this process shares work, or null.
Processes* sharing_processes();

/// Throws UsageError in each helper whose text `own` differs from that of the leader. `what`
/// describes the text in the message. All ranks must call this function.
void require_same(Processes& processes, const std::string& what, const std::string& own);

/// In the leader, returns the texts of all ranks; in a helper, an empty list. All ranks must call
/// this function.
std::vector<std::string> gathered(Processes& processes, const std::string& own);

/// True if this process writes files and prints messages, because it works alone or is the leader.
/// False while it connects with the other processes, because it is not yet known which process is
/// the leader.
bool is_in_front();

/// The beginnings of environment variables which say that a process is one of several. Other
/// programs that this process starts must not get these variables.
inline constexpr const char* kVariablesOfProcesses[] = {"OMPI_", "PMIX_", "PMI_"};

/// The location of memory, so that another process can find it. It can be sent as bytes.
struct LentMemory {
  enum class Kind : std::uint32_t { host, gpu };

  Kind kind = Kind::host;
  std::int32_t process = 0;    // host memory: the id of the process that owns it
  std::uint64_t address = 0;   // host memory: its address in that process
  unsigned char handle[64]{};  // GPU memory: its CUDA IPC handle
};
static_assert(std::is_trivially_copyable_v<LentMemory>);

/// An error: memory of another process can't be read, because it runs on another computer or the
/// system forbids it.
struct LentMemoryLost : DeviceError {
  using DeviceError::DeviceError;
};

/// Returns the location of host memory of this process. The memory must not be freed as long as
/// other processes read it.
LentMemory lend_host_memory(const void* memory);

/// Copies `bytes` bytes of another process's host memory to `to`. Throws LentMemoryLost if `from`
/// is memory of a GPU, or if the system does not let this process read the memory.
void read_lent_host_memory(const LentMemory& from, void* to, std::size_t bytes);

}  // namespace ballotcast::detail
