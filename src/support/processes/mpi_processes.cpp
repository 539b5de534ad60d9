// The processes of an MPI run. This file is a separate module, the only one that uses MPI.
//
// All waiting is polling: a thread asks MPI whether its request is done, then unlocks the mutex so
// that other threads can ask, and sleeps a little. So several threads can wait at the same time,
// although only one thread at a time may call MPI. A thread of the leader always checks whether
// processes have failed.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

enum Tag : int { kData = 1, kFailure = 2 };

/// A long message is cut into messages of at most this many bytes, because MPI counts with `int`.
constexpr std::size_t kLongest = std::size_t{1} << 30;

/// The time for which a failed process waits until the leader ends all processes. Then the failed
/// process ends them itself.
constexpr auto kPatience = std::chrono::seconds(60);
/// The interval at which the leader checks for failed processes.
constexpr auto kLook = std::chrono::milliseconds(50);

class MpiProcesses final : public Processes {
 public:
  explicit MpiProcesses(OnFailure on_failure) : on_failure_(std::move(on_failure)) {
    int rank = 0, count = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    rank_ = static_cast<std::uint32_t>(rank);
    count_ = static_cast<std::uint32_t>(count);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &rank);
    MPI_Comm_size(here, &count);
    rank_here_ = static_cast<std::uint32_t>(rank);
    cpu_set_t cores{};
    ::sched_getaffinity(0, sizeof cores, &cores);
    std::vector<cpu_set_t> all(static_cast<std::size_t>(count));
    const auto set_bytes = static_cast<int>(sizeof cores);
    MPI_Allgather(&cores, set_bytes, MPI_BYTE, all.data(), set_bytes, MPI_BYTE, here);
    sharers_of_cores_ = static_cast<std::uint32_t>(std::count_if(
        all.begin(), all.end(), [&](const cpu_set_t& set) { return CPU_EQUAL(&set, &cores); }));
    MPI_Comm_free(&here);
    HostName own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    hosts_.resize(count_);
    const auto bytes = static_cast<int>(sizeof own);
    MPI_Allgather(own.data(), bytes, MPI_CHAR, hosts_.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
    if (rank_ == 0)
      watch_ = std::thread([this] {
        while (!leaves_) {
          {
            const std::lock_guard lock(mutex_);
            look_for_failure();
          }
          std::this_thread::sleep_for(kLook);
        }
      });
  }

  ~MpiProcesses() override { end_watch(); }

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t count() const override { return count_; }
  std::uint32_t rank_here() const override { return rank_here_; }
  std::uint32_t sharers_of_cores() const override { return sharers_of_cores_; }
  std::string name_of(std::uint32_t rank) const override {
    return "rank " + std::to_string(rank) + " on " + hosts_[rank].data();
  }

  void send(std::uint32_t to, const void* data, std::size_t bytes) override {
    in_messages(bytes, [&](std::size_t first, int count) {
      wait(started([&](MPI_Request* request) {
        MPI_Isend(static_cast<const char*>(data) + first, count, MPI_BYTE, static_cast<int>(to),
                  kData, MPI_COMM_WORLD, request);
      }));
    });
  }

  void receive(std::uint32_t from, void* data, std::size_t bytes) override {
    in_messages(bytes, [&](std::size_t first, int count) {
      wait(started([&](MPI_Request* request) {
        MPI_Irecv(static_cast<char*>(data) + first, count, MPI_BYTE, static_cast<int>(from), kData,
                  MPI_COMM_WORLD, request);
      }));
    });
  }

  void broadcast(void* data, std::size_t bytes) override {
    in_messages(bytes, [&](std::size_t first, int count) {
      wait(started([&](MPI_Request* request) {
        MPI_Ibcast(static_cast<char*>(data) + first, count, MPI_BYTE, 0, MPI_COMM_WORLD, request);
      }));
    });
  }

  [[noreturn]] void fail(int exit_code, const std::string& why) override {
    if (rank_ == 0) {
      const std::lock_guard lock(mutex_);  // from now on, no other failure is reported
      end_after(exit_code, why);
    }
    std::vector<char> message(sizeof exit_code + why.size());
    std::memcpy(message.data(), &exit_code, sizeof exit_code);
    std::memcpy(message.data() + sizeof exit_code, why.data(), why.size());
    MPI_Request request{};
    {
      const std::lock_guard lock(mutex_);
      MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, kFailure,
                MPI_COMM_WORLD, &request);
    }
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end) {
      {
        const std::lock_guard lock(mutex_);
        int done = 0;
        MPI_Iprobe(0, kFailure, MPI_COMM_WORLD, &done,
                   MPI_STATUS_IGNORE);  // this call lets MPI make progress
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::lock_guard lock(mutex_);
    abort_all(exit_code);
  }

  void leave() override {
    wait(started([](MPI_Request* request) { MPI_Ibarrier(MPI_COMM_WORLD, request); }));
    end_watch();
    MPI_Finalize();
  }

 private:
  using HostName = std::array<char, MPI_MAX_PROCESSOR_NAME>;

  /// Calls work(first, count) for each of the messages into which a long message is cut.
  template <class Work>
  static void in_messages(std::size_t bytes, const Work& work) {
    for (std::size_t first = 0; first < bytes; first += kLongest)
      work(first, static_cast<int>(std::min(kLongest, bytes - first)));
  }

  template <class Start>
  MPI_Request started(const Start& start) {
    const std::lock_guard lock(mutex_);
    MPI_Request request{};
    start(&request);
    return request;
  }

  void end_watch() {
    leaves_ = true;
    if (watch_.joinable()) watch_.join();
  }

  void wait(MPI_Request request) {
    constexpr unsigned kEager = 200;  // number of polls before the first pause
    for (unsigned turn = 0;; ++turn) {
      {
        const std::lock_guard lock(mutex_);
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
      }
      if (turn < kEager)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  /// Checks for a failed process. The mutex must be locked.
  void look_for_failure() {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kFailure, MPI_COMM_WORLD, &found, &status);
    if (found == 0) return;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<char> message(static_cast<std::size_t>(bytes));
    MPI_Recv(message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kFailure, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    int exit_code = 0;
    std::memcpy(&exit_code, message.data(), sizeof exit_code);
    end_after(exit_code, name_of(static_cast<std::uint32_t>(status.MPI_SOURCE)) + ": " +
                             std::string(message.begin() + sizeof exit_code, message.end()));
  }

  /// Ends all processes. Only the leader may call this function. The mutex must be locked.
  [[noreturn]] void end_after(int exit_code, const std::string& why) {
    on_failure_(exit_code, why);
    abort_all(exit_code);
  }

  /// Calls MPI_Abort. The mutex must be locked.
  [[noreturn]] static void abort_all(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

  const OnFailure on_failure_;
  std::uint32_t rank_ = 0, count_ = 0, rank_here_ = 0, sharers_of_cores_ = 1;
  std::vector<HostName> hosts_;
  std::mutex mutex_;  // only one thread may call MPI at a time
  std::atomic<bool> leaves_{false};
  std::thread watch_;  // checks for failures; only in the leader
};

}  // namespace

}  // namespace ballotcast::detail

/// The function that the program looks up in this module. Returns null if MPI can't be used.
extern "C" __attribute__((visibility("default"))) ballotcast::detail::Processes*
ballotcast_start_processes(ballotcast::detail::OnFailure on_failure) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_SERIALIZED)
    return nullptr;
  return new ballotcast::detail::MpiProcesses(std::move(on_failure));
}
