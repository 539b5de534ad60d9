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

#include "support/error.hpp"

namespace ballotcast::detail {

class Processes {
 public:
  virtual ~Processes() = default;

  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t count() const = 0;
  /// Which of the processes on this computer this one is, from 0.
  virtual std::uint32_t rank_here() const = 0;
  /// How many processes on this computer may run on the same cores as this one, which is included.
  virtual std::uint32_t sharers_of_cores() const = 0;
  /// "rank 2 on node7"
  virtual std::string name_of(std::uint32_t rank) const = 0;

  /// Sends `bytes` bytes, and returns when `data` may be used again. The receiver must know how
  /// many bytes come.
  virtual void send(std::uint32_t to, const void* data, std::size_t bytes) = 0;
  /// Waits for that many bytes.
  virtual void receive(std::uint32_t from, void* data, std::size_t bytes) = 0;
  /// Sends the leader's bytes to all. All ranks must call it.
  virtual void broadcast(void* data, std::size_t bytes) = 0;

  /// Ends all processes, because this one has failed. The leader ends them, after OnFailure. Other
  /// ranks tell the leader, and wait for the end. If several ranks fail, only one of them is
  /// reported.
  [[noreturn]] virtual void fail(int exit_code, const std::string& why) = 0;
  /// Must be called before a process ends normally. Waits for the others.
  virtual void leave() = 0;

  bool leads() const { return rank() == 0; }
};

/// What the leader does when a process has failed. `why` names the process, if it is another one.
using OnFailure = std::function<void(int exit_code, const std::string& why)>;

/// Joins the other processes, if this one was started as one of several. `on_failure` may be called
/// in any thread; after it all processes end. Throws DeviceError if they can't be joined: without
/// MPI, each process would do all of the work.
void join_processes(OnFailure on_failure);

/// The joined processes, or null.
Processes* joined_processes();

/// While an object of this class exists, this process works alone: devices that are chosen then do
/// not share work with other processes. At most one object may exist.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
};

/// The processes to share work with, or null.
Processes* sharing_processes();

/// Throws UsageError in each helper whose text `own` differs from that of the leader. `what` names
/// the text in the message. All ranks must call it.
void require_same(Processes& processes, const std::string& what, const std::string& own);

/// The texts of all ranks, in the leader; in a helper nothing. All ranks must call it.
std::vector<std::string> gathered(Processes& processes, const std::string& own);

/// True if this process writes files and prints: it is alone, or it leads. False while it joins the
/// others, because it is not known yet who leads.
bool is_in_front();

/// Environment variables that begin like this say that a process is one of several. Programs that
/// this one starts must not get them.
inline constexpr const char* kVariablesOfProcesses[] = {"OMPI_", "PMIX_", "PMI_"};

/// Says where memory is, so that another process finds it. It can be sent as bytes.
struct LentMemory {
  enum class Kind : std::uint32_t { host, gpu };

  Kind kind = Kind::host;
  std::int32_t process = 0;    // host memory: the id of its process
  std::uint64_t address = 0;   // host memory: its address there
  unsigned char handle[64]{};  // GPU memory: its CUDA IPC handle
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
