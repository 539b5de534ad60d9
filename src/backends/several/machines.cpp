#include "backends/several/machines.hpp"

#include <algorithm>
#include <utility>

#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

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
  } catch (...) {  // errors here were already reported by the call that failed
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
    tell_losses();
  }
}

void Machines::share(Items items, u64 count, const PieceSizes& sizes,
                     const std::function<void(ResidentScene&, u64, u64)>& work,
                     const std::function<void()>& meanwhile) {
  const std::vector<std::size_t> some = left();
  Sharing sharing(count, sizes, speeds(items));
  const auto share_of = [&](std::size_t i) {
    while (const std::optional<Piece> piece = sharing.take(i)) {
      const Stopwatch watch;
      try {
        work(*machines_[i].scene, piece->first, piece->count);
      } catch (const OutOfDeviceMemory&) {
        sharing.end(i);
        throw;
      } catch (const DeviceError& error) {
        lose(i, error);
        on_loss_ ? sharing.give_back(i, *piece) : sharing.end(i);
        return;
      } catch (...) {
        sharing.end(i);
        throw;
      }
      sharing.done(i, *piece, watch.milliseconds() * 1e-3);
    }
  };
  in_threads(some, share_of, meanwhile);
  tell_losses();
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

void Machines::tell_losses() {
  const std::vector<std::string> losses = std::exchange(losses_, {});
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  if (failure && (!on_loss_ || all_lost())) std::rethrow_exception(failure);
  for (const std::string& loss : losses) on_loss_(loss);
}

}  // namespace ballotcast::detail
