#include "backends/several/machines.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "ballotcast/error.hpp"
#include "support/float_environment.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

MachineThread::MachineThread() : thread_([this] { run(); }) {}

MachineThread::~MachineThread() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  more_.notify_one();
  thread_.join();
}

std::future<void> MachineThread::start(std::function<void()> work) {
  std::packaged_task<void()> task([token = stop_token(), work = std::move(work)] {
    const StopScope caller(token);
    const DefaultFloats floats;
    work();
  });
  std::future<void> done = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  more_.notify_one();
  return done;
}

void MachineThread::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

void wait_for(std::vector<std::future<void>>& works, const std::function<void()>& meanwhile) {
  std::exception_ptr failed;
  for (std::future<void>& work : works) {
    while (work.wait_for(StopToken::kPause) != std::future_status::ready) {
      if (failed) continue;
      try {
        stop_asked();  // only this thread can ask whether to stop; the other threads see the answer
        if (meanwhile) meanwhile();
      } catch (...) {  // waits for the other threads, because they use variables of this thread
        failed = std::current_exception();
      }
    }
    try {
      work.get();
    } catch (...) {
      if (!failed) failed = std::current_exception();
    }
  }
  if (failed) std::rethrow_exception(failed);
}

std::unique_ptr<ResidentScene> SharedUpload::first(const FromHost& from_host) {
  try {
    std::unique_ptr<ResidentScene> scene = from_host();
    scene_ = scene.get();
    promise_.set_value();
    return scene;
  } catch (...) {
    promise_.set_exception(std::current_exception());
    throw;
  }
}

std::unique_ptr<ResidentScene> SharedUpload::other(const FromHost& from_host) {
  is_there_.get();
  try {
    if (std::unique_ptr<ResidentScene> copy = scene_->copied()) return copy;
    // Either of the two machines may have failed. If this one has, from_host() also throws
  } catch (const DeviceError&) {
  }
  return from_host();
}

std::optional<Chunk> Sharing::take(std::size_t machine) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    if (!returned_.empty()) return true;
    if (next_ == count_) return !anyone_busy();
    return is_worth_it(machine);
  });
  Chunk chunk;
  if (!returned_.empty()) {
    chunk = returned_.back();
    returned_.pop_back();
  } else if (next_ < count_) {
    chunk = {next_, size_for(machine)};
    next_ += chunk.count;
  } else {
    return std::nullopt;
  }
  busy_[machine] = true;
  // Less work is left now, so waiting machines check again whether they must wait.
  changed_.notify_all();
  return chunk;
}

void Sharing::done(std::size_t machine, const Chunk& chunk, double seconds) {
  const std::lock_guard lock(mutex_);
  const double speed = static_cast<double>(chunk.count) / std::max(seconds, 1e-9);
  double& known = speeds_[machine];
  known = known > 0.0 ? 0.5 * (known + speed) : speed;
  leave(machine);
}

void Sharing::give_back(std::size_t machine, const Chunk& chunk) {
  const std::lock_guard lock(mutex_);
  returned_.push_back(chunk);
  speeds_[machine] = 0.0;
  leave(machine);
}

void Sharing::end(std::size_t machine) {
  const std::lock_guard lock(mutex_);
  next_ = count_;
  returned_.clear();
  leave(machine);
}

double Sharing::seconds_left() const {
  // The speed of machines at their first chunk is not known yet. It is assumed to be the mean of
  // the others. Otherwise the first machine that is done would take half of all items.
  double sum = 0.0, known = 0.0, unknown = 0.0;
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    sum += speeds_[i];
    if (speeds_[i] > 0.0)
      known += 1.0;
    else if (busy_[i])
      unknown += 1.0;
  }
  return static_cast<double>(count_ - next_) / (sum * (known + unknown) / known);
}

bool Sharing::is_worth_it(std::size_t machine) const {
  const double mine = speeds_[machine];
  if (!(mine > 0.0)) return true;
  const double fastest = *std::max_element(speeds_.begin(), speeds_.end());
  const double grain = static_cast<double>(sizes_.grain);
  return grain / mine <= seconds_left() + grain / fastest;
}

u64 Sharing::size_for(std::size_t machine) const {
  const double mine = speeds_[machine];
  u64 size = 0;
  if (mine > 0.0) size = static_cast<u64>(std::max(0.5 * seconds_left(), sizes_.seconds) * mine);
  size = std::clamp(size / sizes_.grain * sizes_.grain, sizes_.grain, sizes_.most);
  return std::min(count_ - next_, size);
}

bool Sharing::anyone_busy() const {
  return std::find(busy_.begin(), busy_.end(), true) != busy_.end();
}

void Sharing::leave(std::size_t machine) {
  busy_[machine] = false;
  changed_.notify_all();
}

Machines::Machines(std::vector<Member> members, std::function<void(const std::string&)> on_loss)
    : on_loss_(std::move(on_loss)) {
  for (const Member& member : members)
    machines_.push_back({member.name, std::make_unique<MachineThread>(), nullptr, member.is_here});
  speeds_.fill(Speeds(members.size()));
  in_threads(left(), [&](std::size_t i) { machines_[i].scene = members[i].upload(); });
}

Machines::~Machines() {
  try {
    in_threads(left(), [&](std::size_t i) { machines_[i].scene.reset(); });
  } catch (...) {  // errors were already reported by the call that failed
  }
}

std::vector<std::size_t> Machines::left() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < machines_.size(); ++i)
    if (!machines_[i].lost) numbers.push_back(i);
  if (numbers.empty()) throw DeviceError("all machines of the device have failed");
  return numbers;
}

void Machines::on_all(const std::function<void(std::size_t, ResidentScene&)>& work) {
  in_threads(left(), [&](std::size_t i) { work(i, *machines_[i].scene); });
}

void Machines::on_fastest(Items items, const std::function<void(ResidentScene&)>& work) {
  for (;;) {
    std::vector<std::size_t> some = left();
    std::erase_if(some, [&](std::size_t i) { return !machines_[i].is_here; });
    if (some.empty()) throw DeviceError("all machines of this process have failed");
    const Speeds& speed = speeds(items);
    const std::size_t fastest =
        *std::max_element(some.begin(), some.end(),
                          [&](std::size_t a, std::size_t b) { return speed[a] < speed[b]; });
    in_threads({fastest}, [&](std::size_t i) {
      try {
        work(*machines_[i].scene);
      } catch (const OutOfDeviceMemory&) {
        throw;
      } catch (const DeviceError& error) {
        lose(i, error);
      }
    });
    if (!machines_[fastest].lost) return;
    report_losses();
  }
}

void Machines::share(Items items, u64 count, const ChunkSizes& sizes,
                     const std::function<void(ResidentScene&, u64, u64)>& work,
                     const std::function<void()>& meanwhile) {
  const std::vector<std::size_t> some = left();
  Sharing sharing(count, sizes, speeds(items));
  const auto share_of = [&](std::size_t i) {
    while (const std::optional<Chunk> chunk = sharing.take(i)) {
      const Stopwatch watch;
      try {
        work(*machines_[i].scene, chunk->first, chunk->count);
      } catch (const OutOfDeviceMemory&) {
        sharing.end(i);
        throw;
      } catch (const DeviceError& error) {
        lose(i, error);
        on_loss_ ? sharing.give_back(i, *chunk) : sharing.end(i);
        return;
      } catch (...) {
        sharing.end(i);
        throw;
      }
      sharing.done(i, *chunk, watch.milliseconds() * 1e-3);
    }
  };
  in_threads(some, share_of, meanwhile);
  report_losses();
}

void Machines::in_threads(const std::vector<std::size_t>& which,
                          const std::function<void(std::size_t)>& work,
                          const std::function<void()>& meanwhile) {
  std::vector<std::future<void>> works;
  for (const std::size_t i : which)
    works.push_back(machines_[i].thread->start([&work, i] { work(i); }));
  wait_for(works, meanwhile);
}

bool Machines::all_lost() const {
  return std::ranges::all_of(machines_, [](const Machine& machine) { return machine.lost; });
}

Speeds& Machines::speeds(Items items) {
  Speeds& speeds = speeds_[static_cast<std::size_t>(items)];
  for (std::size_t i = 0; i < machines_.size(); ++i)
    if (machines_[i].lost) speeds[i] = 0.0;
  return speeds;
}

void Machines::lose(std::size_t machine, const std::exception& error) {
  const std::lock_guard lock(mutex_);
  machines_[machine].lost = true;
  losses_.push_back(machines_[machine].name +
                    " has failed, and the others do its work: " + error.what());
  failure_ = std::current_exception();
}

void Machines::report_losses() {
  const std::vector<std::string> losses = std::exchange(losses_, {});
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  if (failure && (!on_loss_ || all_lost())) std::rethrow_exception(failure);
  for (const std::string& loss : losses) on_loss_(loss);
}

}  // namespace ballotcast::detail
