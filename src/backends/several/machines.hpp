// The machines that share work: each with its thread and its scene, how work is divided among them
// while they work, and what becomes of the work of one that fails.
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

/// Runs chunks of work for one machine, one after another, in a thread of its own: a GPU is chosen
/// per thread.
class MachineThread {
 public:
  MachineThread();
  /// Waits for all work.
  ~MachineThread();
  MachineThread(const MachineThread&) = delete;
  MachineThread& operator=(const MachineThread&) = delete;

  /// Runs work that can be stopped as that of the calling thread can (support/threads/stop.hpp).
  /// What it throws, the future throws.
  std::future<void> start(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool ended_ = false;
  std::thread thread_;  // the last member: it uses the others
};

/// Waits for all works. Meanwhile it asks whether to stop, and calls `meanwhile` now and then if
/// that is not null. Then it throws what the first of them that failed has thrown.
void wait_for(std::vector<std::future<void>>& works, const std::function<void()>& meanwhile = {});

/// The uploads of one scene to several machines of a backend, each in a thread of its own. The
/// scene goes from the host to one of them, and from there to the others.
class SharedUpload {
 public:
  /// Copies the scene from the host to the machine of the calling thread.
  using FromHost = std::function<std::unique_ptr<ResidentScene>()>;

  /// For one of the machines. The others wait until this has returned or thrown. The scene that it
  /// returns must live until `other` has returned for each of them.
  std::unique_ptr<ResidentScene> first(const FromHost& from_host);

  /// For the others: waits for the first, and copies from its memory, or from the host if that
  /// can't be reached. Throws what the first has thrown.
  std::unique_ptr<ResidentScene> other(const FromHost& from_host);

 private:
  const ResidentScene* scene_ = nullptr;  // on the first machine
  std::promise<void> promise_;            // set when `scene_` is
  const std::shared_future<void> is_there_ = promise_.get_future();
};

/// Items [first, first + count).
struct Chunk {
  u64 first, count;
};

/// How fast each machine has been so far: items per second; 0 if it has not worked yet.
using Speeds = std::vector<double>;

/// The sizes of chunks.
struct ChunkSizes {
  u64 grain;       // all are multiples of it, but for the last
  u64 most;        // a multiple of `grain`
  double seconds;  // how long one should take at least
};

/// Divides items 0 .. count - 1 into chunks. The first chunk of a machine is one grain. Once its
/// speed is known, it gets half of what it would have to do of the rest. So chunks become smaller
/// towards the end, and no machine waits long for another (guided self-scheduling: C.
/// Polychronopoulos, D. Kuck, 1987). A machine gets nothing if it would need longer for one grain
/// than all of them together for the rest, and the fastest for one grain after that.
///
///   a fast machine   | grain |  half of 90 %   |  half of 90 % of the rest  | ..
///   a slow one       |    grain     |    half of 10 %    | ..    nothing: too slow for the rest
class Sharing {
 public:
  /// `speeds` lives on from one sharing to the next. It changes while work is divided.
  Sharing(u64 count, const ChunkSizes& sizes, Speeds& speeds)
      : count_(count), sizes_(sizes), speeds_(speeds), busy_(speeds.size(), false) {}

  /// The next chunk for a machine; none if all is done. Waits for machines that may still fail,
  /// because then others must do their chunk.
  std::optional<Chunk> take(std::size_t machine);
  /// The machine has done its chunk.
  void done(std::size_t machine, const Chunk& chunk, double seconds);
  /// The machine has failed. Another one will get its chunk.
  void give_back(std::size_t machine, const Chunk& chunk);
  /// The machine has failed in a way that ends all: nobody gets a chunk any more.
  void end(std::size_t machine);

 private:
  /// How long all machines together need for the rest, those whose speed is known.
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

/// What is counted: a machine has a speed for each.
enum class Items : std::size_t { rays, rows };

class Machines {
 public:
  /// Makes the scenes of all members. `on_loss`: see make_several_scene.
  Machines(std::vector<Member> members, std::function<void(const std::string& why)> on_loss);
  ~Machines();

  /// How many there were at the beginning.
  std::size_t size() const { return machines_.size(); }
  /// The numbers of those that have not failed. Throws DeviceError if all have.
  std::vector<std::size_t> left() const;

  /// Calls work(number, scene) for each machine that is left, in its thread, all at the same time.
  void on_all(const std::function<void(std::size_t, ResidentScene&)>& work);

  /// Calls work(scene) for the fastest machine that is here, in its thread. If it fails, for the
  /// next one.
  void on_fastest(Items items, const std::function<void(ResidentScene&)>& work);

  /// Calls work(scene, first, count) in the threads of the machines, until all `count` items are
  /// done; `meanwhile`: see wait_for. If a machine fails, others do its chunk.
  void share(Items items, u64 count, const ChunkSizes& sizes,
             const std::function<void(ResidentScene&, u64 first, u64 count)>& work,
             const std::function<void()>& meanwhile = {});

 private:
  struct Machine {
    std::string name;
    std::unique_ptr<MachineThread> thread;
    std::unique_ptr<ResidentScene> scene;  // made, used and freed in its thread
    bool is_here;                          // see Member
    bool lost = false;                     // it has failed
  };

  /// Calls work(number) in the threads of machines.
  void in_threads(const std::vector<std::size_t>& which,
                  const std::function<void(std::size_t)>& work,
                  const std::function<void()>& meanwhile = {});
  bool all_lost() const;
  /// The speeds, after those of machines that have failed were forgotten: nobody may wait for them.
  Speeds& speeds(Items items);
  /// Notes that a machine has failed. To be called in a handler of the error.
  void lose(std::size_t machine, const std::exception& error);
  /// Reports new losses to `on_loss`; throws the last of them if nobody can or may do the work.
  void report_losses();

  const std::function<void(const std::string&)> on_loss_;
  std::vector<Machine> machines_;
  std::array<Speeds, 2> speeds_;     // by Items
  std::mutex mutex_;                 // of the two below
  std::vector<std::string> losses_;  // those that were not reported yet
  std::exception_ptr failure_;       // the last of them
};

}  // namespace ballotcast::detail
