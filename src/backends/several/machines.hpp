// The machines that share work: each with its thread and its scene, and what becomes of the work of
// one that fails.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/several/machine_thread.hpp"
#include "backends/several/several_scene.hpp"
#include "backends/several/sharing.hpp"

namespace ballotcast::detail {

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
  /// done; `meanwhile`: see wait_for. If a machine fails, others do its piece.
  void share(Items items, u64 count, const PieceSizes& sizes,
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
  /// Tells `on_loss` of new losses; throws the last of them if nobody can or may do the work.
  void tell_losses();

  const std::function<void(const std::string&)> on_loss_;
  std::vector<Machine> machines_;
  std::array<Speeds, 2> speeds_;     // by Items
  std::mutex mutex_;                 // of the two below
  std::vector<std::string> losses_;  // those that nobody was told yet
  std::exception_ptr failure_;       // the last of them
};

}  // namespace ballotcast::detail
