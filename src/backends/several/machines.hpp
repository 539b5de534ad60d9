// The machines that share work, each with its thread and its scene. Work is divided among them
// while they work. If a machine fails, the others do its work.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/several/several_scene.hpp"
#include "math/portable.hpp"
#include "support/threads/stop.hpp"

namespace ballotcast::detail {

/// Runs the work of one machine in a separate thread, because CUDA selects a GPU per thread.
class MachineThread {
 public:
  MachineThread();
  /// Waits for all work.
  ~MachineThread();
  MachineThread(const MachineThread&) = delete;
  MachineThread& operator=(const MachineThread&) = delete;

  /// Starts work. It can be stopped like the work of the calling thread (support/threads/stop.hpp).
  /// The future throws the exceptions of the work.
  std::future<void> start(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool ended_ = false;
  std::thread thread_;  // the last member, because the thread uses the others
};

/// Waits for all works. Meanwhile checks whether to stop, and calls `meanwhile` repeatedly if it is
/// not null. Afterwards throws the exception of the first work that failed.
void wait_for(std::vector<std::future<void>>& works, const std::function<void()>& meanwhile = {});

/// Uploads one scene to several machines of a backend, each in its own thread. The scene is copied
/// from the host to one machine, and from there to the others.
class SharedUpload {
 public:
  /// Copies the scene from the host to the machine of the calling thread.
  using FromHost = std::function<std::unique_ptr<ResidentScene>()>;

  /// For one machine: copies the scene from the host. The other machines wait until this function
  /// has returned or thrown. The returned scene must exist until `other` has returned for each of
  /// them.
  std::unique_ptr<ResidentScene> first(const FromHost& from_host);

  /// For each other machine: waits for the first machine, and copies from its memory, or from the
  /// host if that memory can't be accessed. Throws the exception of `first`, if any.
  std::unique_ptr<ResidentScene> other(const FromHost& from_host);

 private:
  const ResidentScene* scene_ = nullptr;  // the scene on the first machine
  std::promise<void> promise_;            // set when `scene_` is set
  const std::shared_future<void> is_there_ = promise_.get_future();
};

/// Items [first, first + count).
struct Chunk {
  u64 first, count;
};

/// The current speed of each machine, in items per second; 0 if it has not worked yet.
using Speeds = std::vector<double>;

/// The sizes of chunks.
struct ChunkSizes {
  u64 grain;       // all sizes except the last are multiples of this number
  u64 most;        // a multiple of `grain`
  double seconds;  // the time that a chunk should take at least
};

/// Divides items 0 .. count - 1 into chunks. The first chunk of a machine is one grain. Once its
/// speed is known, the machine gets half of its share of the remaining items. So chunks become
/// smaller towards the end, and no machine waits long for another (guided self-scheduling: C.
/// Polychronopoulos, D. Kuck, 1987). A slow machine gets no chunk if one grain would take it longer
/// than all machines together need for the remaining items and the fastest for one more grain.
///
///   a fast machine   | grain |  half of 90 %   |  half of 90 % of the rest  | ..
///   a slow one       |    grain     |    half of 10 %    | ..    nothing: too slow for the rest
class Sharing {
 public:
  /// `speeds` is kept from one sharing to the next. It is updated while work is divided.
  Sharing(u64 count, const ChunkSizes& sizes, Speeds& speeds)
      : count_(count), sizes_(sizes), speeds_(speeds), busy_(speeds.size(), false) {}

  /// The next chunk for a machine; absent if all chunks are done. Waits while other machines may
  /// still fail, because their chunks would have to be repeated.
  std::optional<Chunk> take(std::size_t machine);
  /// Reports that the machine has finished its chunk.
  void done(std::size_t machine, const Chunk& chunk, double seconds);
  /// Reports that the machine has failed. Another machine will get its chunk.
  void give_back(std::size_t machine, const Chunk& chunk);
  /// Reports a failure that ends the whole work: no machine gets another chunk.
  void end(std::size_t machine);

 private:
  /// The time that all machines of known speed together need for the remaining items.
  double seconds_left() const;
  bool is_worth_it(std::size_t machine) const;
  u64 size_for(std::size_t machine) const;
  bool anyone_busy() const;
  void leave(std::size_t machine);

  std::mutex mutex_;
  std::condition_variable changed_;
  u64 next_ = 0;
  const u64 count_;
  const ChunkSizes sizes_;
  Speeds& speeds_;
  std::vector<bool> busy_;
  std::vector<Chunk> returned_;
};

/// The kinds of items. A machine has a speed for each kind.
enum class Items : std::size_t { rays, rows };

class Machines {
 public:
  /// Makes the scenes of all members. For `on_loss` see make_several_scene.
  Machines(std::vector<Member> members, std::function<void(const std::string& why)> on_loss);
  ~Machines();

  /// The number of machines at the beginning.
  std::size_t size() const { return machines_.size(); }
  /// The indices of the machines that have not failed. Throws DeviceError if all have failed.
  std::vector<std::size_t> left() const;

  /// Calls work(index, scene) for each machine that has not failed, in its thread, all in parallel.
  void on_all(const std::function<void(std::size_t, ResidentScene&)>& work);

  /// Calls work(scene) for the fastest machine of this process, in its thread. If this machine
  /// fails, calls it for the next one.
  void on_fastest(Items items, const std::function<void(ResidentScene&)>& work);

  /// Calls work(scene, first, count) in the threads of the machines, until all `count` items are
  /// done. For `meanwhile` see wait_for. If a machine fails, others process its chunk.
  void share(Items items, u64 count, const ChunkSizes& sizes,
             const std::function<void(ResidentScene&, u64 first, u64 count)>& work,
             const std::function<void()>& meanwhile = {});

 private:
  struct Machine {
    std::string name;
    std::unique_ptr<MachineThread> thread;
    std::unique_ptr<ResidentScene> scene;  // made, used and freed in its thread
    bool is_here;                          // true if it belongs to this process
    bool lost = false;                     // true if the machine has failed
  };

  /// Calls work(index) in the threads of these machines.
  void in_threads(const std::vector<std::size_t>& which,
                  const std::function<void(std::size_t)>& work,
                  const std::function<void()>& meanwhile = {});
  bool all_lost() const;
  /// The speeds of the machines. Those of failed machines are removed, so that no machine waits for
  /// them.
  Speeds& speeds(Items items);
  /// Records that a machine has failed. Call this function in the handler of the error.
  void lose(std::size_t machine, const std::exception& error);
  /// Reports new failures to `on_loss`. Throws the last of them if no machine is left, or if
  /// `on_loss` is null.
  void report_losses();

  const std::function<void(const std::string&)> on_loss_;
  std::vector<Machine> machines_;
  std::array<Speeds, 2> speeds_;     // by Items
  std::mutex mutex_;                 // protects the two members below
  std::vector<std::string> losses_;  // failures that were not reported yet
  std::exception_ptr failure_;       // the last failure
};

}  // namespace ballotcast::detail
